import { useEffect, useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Exchange } from '../spec/exchange.ts';
import { controlWords, findControl } from '../report/page/control.ts';
import type { PageData } from '../report/page/page-data.ts';
import { Sent, sentWords } from '../report/page/evidence/exchange.tsx';
import { Block } from '../report/page/view/hidden.ts';
import { Badge, ExchangeLink, FoundText, List } from '../report/page/view/parts.tsx';
import { RequirementLink, requirementLinks } from '../report/page/view/parts.tsx';
import { curlLine, type KeyVariables } from '../text/curl.ts';
import { plural } from '../text/text.ts';
import { copyText, saveText } from './actions.ts';
import { Body, linesOf } from './body.tsx';
import { diffLines, nearChanges } from './compare.ts';

const NONE: readonly string[] = [];

interface PanelProps {
  readonly exchange: Exchange;
  /** JSON pointers to mark. */
  readonly pointers: readonly string[];
  readonly variables: KeyVariables;
}

/** Request and response with buttons. */
function Panel({ exchange, pointers, variables }: PanelProps): VNode {
  const { response, id } = exchange;
  const text = response?.text ?? '';
  const tools = (
    <div class="bar-tools">
      <button type="button" onClick={() => void copyText(curlLine(exchange, variables))}>
        Copy as curl
      </button>
      {response !== null && (
        <>
          <button type="button" onClick={() => void copyText(text)}>
            Copy body
          </button>
          <button type="button" onClick={() => saveText(`${id.replace(/\W/g, '')}-body.txt`, text)}>
            Save body
          </button>
        </>
      )}
    </div>
  );
  return (
    <Sent exchange={exchange} tools={tools} folded>
      <Body label={`Body of ${id}`} text={text} pointers={pointers} />
    </Sent>
  );
}

interface EarlierProps {
  readonly data: PageData;
  readonly exchange: Exchange;
}

/** The response compared with that of the same request in the earlier run. */
function Earlier({ data: { answers }, exchange }: EarlierProps): VNode | null {
  const answer = answers.find((one) => one.exchange === exchange.id);
  if (answer === undefined) return null;
  const now = exchange.response;
  const lines = diffLines(linesOf(answer.text), linesOf(now?.text ?? ''));
  const marks = { same: ' ', gone: '-', new: '+' } as const;
  return (
    <>
      <h3>Compared with the earlier run</h3>
      <p class="note">{`Status ${answer.status || 'none'} in the earlier run (${answer.earlier}), ${now?.status ?? 'none'} now. Lines that begin with - are from the earlier run.`}</p>
      <pre class="json" tabIndex={0} role="region" aria-label="Comparison with the earlier run">
        {nearChanges(lines).map((one) =>
          typeof one === 'number' ? (
            <span class="gap">
              <Block text={`… ${one} unchanged lines …\n`} />
            </span>
          ) : (
            <span class={`d-${one.kind}`}>
              <Block text={`${marks[one.kind]} ${one.text}\n`} />
            </span>
          ),
        )}
      </pre>
    </>
  );
}

function useExchange(
  load: (id: string) => Promise<Exchange | undefined>,
  id: string | null,
): Exchange | null | undefined {
  const [held, setHeld] = useState<{ id: string; exchange: Exchange | undefined } | null>(null);
  useEffect(() => {
    let wanted = true;
    if (id !== null) void load(id).then((exchange) => wanted && setHeld({ id, exchange }));
    return () => {
      wanted = false;
    };
  }, [id, load]);
  return held === null || held.id !== id ? null : held.exchange;
}

export interface EvidenceProps {
  readonly data: PageData;
  readonly id: string;
  readonly load: (id: string) => Promise<Exchange | undefined>;
}

/** Links to the previous and next exchange. */
function Neighbours({ data, id }: { readonly data: PageData; readonly id: string }): VNode {
  const at = data.exchanges.findIndex(([one]) => one === id);
  const [before] = data.exchanges[at - 1] ?? [];
  const [after] = data.exchanges[at + 1] ?? [];
  return (
    <nav class="pager" aria-label="Previous and next exchange">
      {before !== undefined && (
        <span>
          {'Previous: '}
          <ExchangeLink id={before} />
        </span>
      )}
      {after !== undefined && (
        <span>
          {'Next: '}
          <ExchangeLink id={after} />
        </span>
      )}
    </nav>
  );
}

/** One exchange with its findings, and a control next to a refused one. */
export function Evidence({ data, id, load }: EvidenceProps): VNode {
  const exchange = useExchange(load, id);
  const control = useMemo(() => findControl(data, id), [data, id]);
  const other = useExchange(load, control?.id ?? null);
  const found = useMemo(
    () =>
      data.requirements.flatMap((requirement) =>
        requirement.findings
          .filter((finding) => finding.exchange === id)
          .map((finding) => ({ requirement, finding })),
      ),
    [data, id],
  );
  const pointers = useMemo(
    () => [...new Set(found.flatMap(({ finding }) => finding.pointer ?? []))],
    [found],
  );
  const judged = useMemo(
    () => data.requirements.flatMap((one) => (one.exchanges.includes(id) ? one.id : [])),
    [data, id],
  );
  const row = data.exchanges.find(([name]) => name === id);
  if (row === undefined || exchange === undefined) {
    return <p>{`This report has no exchange ${id}.`}</p>;
  }
  const [, method, target] = row;
  return (
    <>
      <h2 tabIndex={-1}>
        {id} <code>{`${method} ${target}`}</code>
      </h2>
      <Neighbours data={data} id={id} />
      {exchange === null ? (
        <p role="status">Loading…</p>
      ) : (
        <>
          <p class="meta" data-evidence={id}>
            {sentWords(exchange)}
          </p>
          <List
            name="found"
            items={found.slice(0, 20).map(({ requirement: { outcome, id: of }, finding }) => (
              <>
                <Badge outcome={outcome} /> <RequirementLink id={of} />{' '}
                <FoundText finding={finding} linked={false} />
              </>
            ))}
          />
          <div class={control === null ? 'sides one' : 'sides'}>
            <section aria-label="This exchange">
              <h3>{control === null ? 'Request and response' : 'This exchange'}</h3>
              <Panel exchange={exchange} pointers={pointers} variables={data.keyVariables} />
            </section>
            {control !== null && (
              <section aria-label="Control">
                <h3>
                  Control <ExchangeLink id={control.id} />
                </h3>
                <p class="note">{`It ${controlWords(control)}, and succeeds.`}</p>
                {other !== null && other !== undefined && (
                  <Panel exchange={other} pointers={NONE} variables={data.keyVariables} />
                )}
              </section>
            )}
          </div>
          <Earlier data={data} exchange={exchange} />
          <h3>{`Evidence for ${plural(judged.length, 'requirement')}`}</h3>
          <p class="ids">{requirementLinks(judged, 80)}</p>
        </>
      )}
    </>
  );
}
