import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Exchange } from '../spec/exchange.ts';
import { Control } from '../report/page/control.tsx';
import type { ExchangeRow, PageData, PageRequirement } from '../report/page/page-data.ts';
import { BodyLines, layOut, Sent, sentWords } from '../report/page/evidence/exchange.tsx';
import { Badge, Block, Button, Fold, FoundText, List } from '../report/page/view/parts.tsx';
import { RequirementLink, requirementLinks } from '../report/page/view/parts.tsx';
import { curlLine } from '../text/curl.ts';
import { excerpt } from '../text/json-layout.ts';
import { plural } from '../text/text.ts';
import { copyText, saveText } from './actions.ts';

interface OfExchange {
  readonly data: PageData;
  readonly exchange: Exchange;
}

const LINES = 300;
const CHARACTERS = 60_000;

/** A body with the values at the pointers marked, and buttons to show it raw and in full. */
export function Body(props: { label: string; text: string; pointers: readonly string[] }): VNode {
  const { label, text, pointers } = props;
  const lines = useMemo(() => layOut(text, pointers), [text, pointers]);
  const [raw, setRaw] = useState(false);
  const [all, setAll] = useState(false);
  const pane = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    // Scroll the pane, not the page, to the first mark.
    const element = pane.current;
    const mark = element?.querySelector('mark');
    if (element === null || mark === null || mark === undefined) return;
    const below = mark.getBoundingClientRect().top - element.getBoundingClientRect().top;
    if (below > element.clientHeight - 48) element.scrollTop += below - element.clientHeight / 3;
  }, [lines, raw]);
  if (text === '') return <p class="note">The body is empty.</p>;
  const pretty = raw ? null : lines;
  const long = pretty === null ? text.length > CHARACTERS : pretty.length > LINES;
  const size = pretty === null ? `${text.length} characters` : `${pretty.length} lines`;
  return (
    <>
      <div class="bar-tools">
        {lines !== null && (
          <Button pressed={raw} act={() => setRaw(!raw)}>
            Raw
          </Button>
        )}
        {long && (
          <Button pressed={all} act={() => setAll(!all)}>
            {all ? 'Less' : `All ${size}`}
          </Button>
        )}
        {lines === null && <span class="note">Not JSON; shown as sent.</span>}
      </div>
      <pre class="json" ref={pane} tabIndex={0} role="region" aria-label={label}>
        {pretty === null ? (
          <Block text={all ? text : text.slice(0, CHARACTERS)} />
        ) : (
          <BodyLines lines={all ? pretty : excerpt(pretty, LINES)} />
        )}
      </pre>
    </>
  );
}

/** The response of the earlier run to the same request, when it was another one. */
function Earlier({ data, exchange }: OfExchange): VNode | null {
  const answer = data.answers.find((one) => one.exchange === exchange.id);
  if (answer === undefined) return null;
  const { status, earlier, text } = answer;
  return (
    <Fold title={`Response in the earlier run: status ${status || 'none'} (${earlier})`}>
      <Body label={`Body of ${earlier} in the earlier run`} text={text} pointers={[]} />
    </Fold>
  );
}

/** An exchange with its findings, and a link to the control of a refused one. */
function Known({ data, exchange }: OfExchange): VNode {
  const { id, response } = exchange;
  const judged = data.requirements.filter(({ exchanges }) => exchanges.includes(id));
  const found = data.requirements.flatMap((requirement) =>
    requirement.findings
      .filter((finding) => finding.exchange === id)
      .map((finding) => ({ requirement, finding })),
  );
  const others = data.requirements.filter(({ unrecorded }) => unrecorded?.includes(id));
  const line = ({ outcome, id: of }: PageRequirement, words: ComponentChildren) => [
    <Badge outcome={outcome} />,
    ' ',
    <RequirementLink id={of} />,
    ' ',
    words,
  ];
  const pointers = [...new Set(found.flatMap(({ finding }) => finding.pointer ?? []))];
  const body = response?.text ?? '';
  const tools = (
    <div class="bar-tools">
      <Button act={() => copyText(curlLine(exchange, data.keyVariables))}>Copy as curl</Button>
      {response !== null && [
        <Button act={() => copyText(body)}>Copy body</Button>,
        <Button act={() => saveText(`${id.replace(/\W/g, '')}-body.txt`, body)}>Save body</Button>,
      ]}
    </div>
  );
  return (
    <>
      <p data-evidence={id}>{sentWords(exchange)}</p>
      <List
        name="found"
        items={[
          ...found
            .slice(0, 20)
            .map(({ requirement, finding }) =>
              line(requirement, <FoundText finding={{ ...finding, exchange: null }} />),
            ),
          ...others.map((one) => line(one, `${one.title}: violated, finding not recorded`)),
        ]}
      />
      <Control data={data} id={id} />
      <h3>Request and response</h3>
      <Sent exchange={exchange} tools={tools}>
        <Body label={`Body of ${id}`} text={body} pointers={pointers} />
      </Sent>
      <Earlier data={data} exchange={exchange} />
      <h3>{`Evidence for ${plural(judged.length, 'requirement')}`}</h3>
      <p class="ids">{requirementLinks(judged, 80)}</p>
    </>
  );
}

interface EvidenceProps extends Pick<OfExchange, 'data'> {
  readonly row: ExchangeRow;
  /** Null while it is loaded. */
  readonly exchange: Exchange | null;
}

/** The view of one exchange. */
export function Evidence({ data, row: [id, method, target], exchange }: EvidenceProps): VNode {
  return (
    <>
      <h2 tabIndex={-1}>
        {id} <code>{`${method} ${target}`}</code>
      </h2>
      {exchange === null ? (
        <p role="status">Loading…</p>
      ) : (
        <Known data={data} exchange={exchange} />
      )}
    </>
  );
}
