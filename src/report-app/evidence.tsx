import { useEffect, useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Exchange } from '../spec/exchange.ts';
import { controlWords, findControl } from '../report/page/control.ts';
import type { PageData } from '../report/page/page-data.ts';
import { Sent, sentWords } from '../report/page/evidence/exchange.tsx';
import { Badge, ExchangeLink, FoundText, List } from '../report/page/view/parts.tsx';
import { RequirementLink, requirementLinks } from '../report/page/view/parts.tsx';
import { curlLine, type KeyVariables } from '../text/curl.ts';
import { plural } from '../text/text.ts';
import { copyText, saveText } from './actions.ts';
import { Body } from './body.tsx';

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
    <Sent exchange={exchange} tools={tools}>
      <Body label={`Body of ${id}`} text={text} pointers={pointers} />
    </Sent>
  );
}

interface EarlierProps {
  readonly data: PageData;
  readonly exchange: Exchange;
}

/** The response of the earlier run to the same request, when it was another one. */
function Earlier({ data: { answers }, exchange }: EarlierProps): VNode | null {
  const answer = answers.find((one) => one.exchange === exchange.id);
  if (answer === undefined) return null;
  const { status, earlier, text } = answer;
  return (
    <details>
      <summary>{`Response in the earlier run: status ${status || 'none'} (${earlier})`}</summary>
      <Body label={`Body of ${earlier} in the earlier run`} text={text} pointers={NONE} />
    </details>
  );
}

function useExchange(
  load: (id: string) => Promise<Exchange | undefined>,
  id: string,
): Exchange | null | undefined {
  const [held, setHeld] = useState<{ id: string; exchange: Exchange | undefined } | null>(null);
  useEffect(() => {
    let wanted = true;
    void load(id).then((exchange) => wanted && setHeld({ id, exchange }));
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

/** One exchange with its findings, and a link to the control of a refused one. */
export function Evidence({ data, id, load }: EvidenceProps): VNode {
  const exchange = useExchange(load, id);
  const control = useMemo(() => findControl(data, id), [data, id]);
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
      {exchange === null ? (
        <p role="status">Loading…</p>
      ) : (
        <>
          <p data-evidence={id}>{sentWords(exchange)}</p>
          <List
            name="found"
            items={found.slice(0, 20).map(({ requirement: { outcome, id: of }, finding }) => (
              <>
                <Badge outcome={outcome} /> <RequirementLink id={of} />{' '}
                <FoundText finding={finding} linked={false} />
              </>
            ))}
          />
          {control !== null && (
            <p>
              Control <ExchangeLink id={control.id} /> {controlWords(control)}, and succeeds.
            </p>
          )}
          <h3>Request and response</h3>
          <Panel exchange={exchange} pointers={pointers} variables={data.keyVariables} />
          <Earlier data={data} exchange={exchange} />
          <h3>{`Evidence for ${plural(judged.length, 'requirement')}`}</h3>
          <p class="ids">{requirementLinks(judged, 80)}</p>
        </>
      )}
    </>
  );
}
