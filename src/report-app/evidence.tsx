import { useEffect, useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Exchange } from '../spec/exchange.ts';
import { controlWords, findControl } from '../report/page/control.ts';
import type { PageData } from '../report/page/page-data.ts';
import { Sent, sentWords } from '../report/page/evidence/exchange.tsx';
import { Badge, ExchangeLink, Fold, FoundText, List } from '../report/page/view/parts.tsx';
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
  const curl = curlLine(exchange, variables);
  const buttons: readonly (readonly [label: string, act: () => unknown])[] = [
    ['Copy as curl', () => copyText(curl)],
    ['Copy body', () => copyText(text)],
    ['Save body', () => saveText(`${id.replace(/\W/g, '')}-body.txt`, text)],
  ];
  const tools = (
    <div class="bar-tools">
      {buttons.slice(0, response === null ? 1 : buttons.length).map(([label, act]) => (
        <button type="button" onClick={() => void act()}>
          {label}
        </button>
      ))}
    </div>
  );
  return (
    <Sent exchange={exchange} tools={tools}>
      <Body label={`Body of ${id}`} text={text} pointers={pointers} />
    </Sent>
  );
}

/** The response of the earlier run to the same request, when it was another one. */
function Earlier({ data, id }: Pick<EvidenceProps, 'data' | 'id'>): VNode | null {
  const answer = data.answers.find((one) => one.exchange === id);
  if (answer === undefined) return null;
  const { status, earlier, text } = answer;
  return (
    <Fold title={`Response in the earlier run: status ${status || 'none'} (${earlier})`}>
      <Body label={`Body of ${earlier} in the earlier run`} text={text} pointers={NONE} />
    </Fold>
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

/** What is known of an exchange besides itself. */
function knownOf(data: PageData, id: string) {
  const found = data.requirements.flatMap((requirement) =>
    requirement.findings
      .filter(({ exchange }) => exchange === id)
      .map((finding) => ({ requirement, finding })),
  );
  return {
    found,
    control: findControl(data, id),
    pointers: [...new Set(found.flatMap(({ finding }) => finding.pointer ?? []))],
    judged: data.requirements.filter(({ exchanges }) => exchanges.includes(id)),
  };
}

interface EvidenceProps {
  readonly data: PageData;
  readonly id: string;
  readonly load: (id: string) => Promise<Exchange | undefined>;
}

/** One exchange with its findings, and a link to the control of a refused one. */
export function Evidence({ data, id, load }: EvidenceProps): VNode {
  const exchange = useExchange(load, id);
  const { control, found, pointers, judged } = useMemo(() => knownOf(data, id), [data, id]);
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
          <Earlier data={data} id={id} />
          <h3>{`Evidence for ${plural(judged.length, 'requirement')}`}</h3>
          <p class="ids">{requirementLinks(judged, 80)}</p>
        </>
      )}
    </>
  );
}
