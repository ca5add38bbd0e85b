import type { ComponentChildren, VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { excerpt, hasValue, layoutJson } from '../../../text/json-layout.ts';
import type { ExcerptLine, LaidOutLine } from '../../../text/json-layout.ts';
import { cut } from '../../../text/text.ts';
import type { Cause } from '../../analysis/causes.ts';
import { answerText, exchangeLine } from '../../analysis/evidence-text.ts';
import { formatDuration } from '../../model/labels.ts';
import { anchor, Block, Fold } from '../view/parts.tsx';

/** Larger bodies are only truncated, not laid out. */
const LAYOUT_BOUND = 2_000_000;

/** A body with one value per line and the values at the pointers marked; null when it is not JSON. */
export function layOut(text: string, pointers: readonly string[]): readonly LaidOutLine[] | null {
  if (text.length > LAYOUT_BOUND) return null;
  const [first = null, ...rest] = pointers.slice(0, 8);
  const lines = layoutJson(text, first);
  if (lines === null) return null;
  const others = rest.map((pointer) => layoutJson(text, pointer));
  return lines.map((line, index) =>
    others.some((other) => other?.[index]?.marked) ? { ...line, marked: true } : line,
  );
}

interface BodyLinesProps {
  readonly lines: readonly ExcerptLine[];
  /** Characters shown of one line. */
  readonly width?: number;
}

/** The lines of a body for a `<pre>`, with marks. Values are never rewritten. */
export function BodyLines({ lines, width = Infinity }: BodyLinesProps): VNode {
  return (
    <>
      {lines.map((line) => {
        if ('leftOut' in line) {
          return (
            <span class="gap">
              <Block text={`… ${line.leftOut} lines omitted …\n`} />
            </span>
          );
        }
        const text = cut(line.text, width);
        return (
          <>
            {line.marked ? <mark>{text}</mark> : text}
            <Block text={'\n'} />
          </>
        );
      })}
    </>
  );
}

function Headers({ title, headers }: { title: string; headers: Record<string, string> }): VNode {
  const lines = Object.entries(headers).map(([name, value]) => cut(`${name}: ${value}`, 600));
  return (
    <Fold title={`${title} headers (${lines.length})`}>
      <pre>
        <Block text={lines.join('\n')} />
      </pre>
    </Fold>
  );
}

/** True when the target's clock is off by more than `Date`, in whole seconds, and the network explain. */
export const clocksDiffer = ({ skewMs }: Exchange): boolean => Math.abs(skewMs) > 2_000;

/** Time, key and attempt of an exchange. */
export function sentWords(exchange: Exchange): string {
  const { sentAt, skewMs, role, key, attempt } = exchange;
  const atTarget = new Date(sentAt + skewMs).toISOString();
  return [
    new Date(sentAt).toISOString(),
    ...(clocksDiffer(exchange) ? [`${atTarget} by the target's clock`] : []),
    role === 'none' ? 'without a key' : `with key ${key ?? role}`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
  ].join(', ');
}

interface SentProps {
  readonly exchange: Exchange;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Request and response; the caller renders the body. */
export function Sent({ exchange, tools = null, children }: SentProps): VNode {
  const { request, response } = exchange;
  return (
    <div class="panel">
      <pre class="request">{`${request.method} ${request.url}`}</pre>
      <Headers title="Request" headers={request.headers} />
      {tools}
      {response === null ? (
        <p class="failed">{answerText(exchange)}</p>
      ) : (
        <>
          <p>
            <strong>{`Status ${response.status}`}</strong>
            {`, ${response.bytes} bytes${response.truncated === true ? ' (truncated when recorded)' : ''}, ${formatDuration(exchange.receivedAt - exchange.sentAt)}`}
          </p>
          <Headers title="Response" headers={response.headers} />
          {children}
        </>
      )}
    </div>
  );
}

/** Characters of one body in the page; the whole body is in its compressed data and in results.json. */
const CHARACTERS = 4_000;

/** The exchanges shown in full, each with the first cause that it shows; other causes link to it. */
export function exchangesOf(causes: readonly Cause[]): ReadonlyMap<string, Cause> {
  const shown = causes.map((cause) => [cause.exchange?.id ?? '', cause] as const);
  return new Map(shown.filter(([id]) => id !== '').toReversed());
}

/** Where the findings of these causes are in an exchange; those of other causes link to it, too. */
function pointersIn(exchange: Exchange, causes: readonly Cause[]): readonly string[] {
  const pointers = causes
    .filter((one) => one.exchange === exchange)
    .flatMap(({ example }) => example.finding.pointer ?? [])
    .filter((pointer, index) => index === 0 || hasValue(exchange.response?.text ?? '', pointer));
  return [...new Set(pointers)];
}

interface OfExchange {
  readonly exchange: Exchange;
  readonly causes: readonly Cause[];
}

function WrittenBody({ exchange, causes }: OfExchange): VNode {
  const { response } = exchange;
  if (response === null || response.text === '') return <p class="note">The body is empty.</p>;
  const { text, bytes, truncated = false } = response;
  const lines = truncated ? null : layOut(text, pointersIn(exchange, causes));
  return (
    <>
      <pre class="json">
        {lines === null ? (
          <Block text={cut(text, CHARACTERS)} />
        ) : (
          <BodyLines lines={excerpt(lines, 60)} width={300} />
        )}
      </pre>
      {lines === null && (truncated || text.length > CHARACTERS) && (
        <p class="note">{`Truncated: the whole body is ${bytes} bytes long. See results.json.`}</p>
      )}
    </>
  );
}

/** A folded exchange. */
export function ExchangeDetails({ exchange, causes }: OfExchange): VNode {
  return (
    <details class="exchange" id={anchor('x', exchange.id)}>
      <summary>{exchangeLine(exchange)}</summary>
      <p class="note">{sentWords(exchange)}</p>
      <Sent exchange={exchange}>
        <WrittenBody exchange={exchange} causes={causes} />
      </Sent>
    </details>
  );
}
