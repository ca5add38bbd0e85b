import type { VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { hasValue } from '../../../text/json-layout.ts';
import { cut } from '../../../text/text.ts';
import type { Cause } from '../../analysis/causes.ts';
import { exchangeLine, locationOf } from '../../analysis/evidence-text.ts';
import { BodyLines, chooseLines, layOut } from './body.tsx';
import type { ShownBody } from './body.tsx';
import { Sent, sentWords } from './exchange.tsx';
import { anchor } from '../view/parts.tsx';

/** Limits of one body in the page; the whole body is in its compressed data and in results.json. */
const WRITTEN = { lines: 60, characters: 4_000, line: 600 };
/** Characters of all bodies in the page, so that it opens quickly. */
const PAGE_CHARACTERS = 160_000;

function bodyOf({ response }: Exchange, pointers: readonly string[]): ShownBody {
  const { text, truncated, bytes } = response ?? { text: '', bytes: 0 };
  const lines = truncated === true ? null : layOut(text, pointers);
  if (lines !== null) return chooseLines(lines, WRITTEN);
  const content = cut(text, WRITTEN.characters);
  const whole = content.length === text.length && truncated !== true;
  const missing = whole ? null : `Truncated: the whole body is ${bytes} bytes long.`;
  return { content, characters: content.length, missing };
}

/** An exchange shown in full with a finding. */
export interface Shown {
  /** The cause that shows it; others link to it. */
  readonly cause: Cause;
  /** Null when the page has no room for more bodies. */
  readonly body: ShownBody | null;
}

/** The exchanges shown in full, each with its first cause. */
export function exchangesOf(causes: readonly Cause[]): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>();
  let room = PAGE_CHARACTERS;
  for (const cause of causes) {
    const { exchange } = cause;
    if (exchange === null || shown.has(exchange.id)) continue;
    // Mark the findings of other causes too, because they link here.
    const pointers = causes
      .filter((one) => one.exchange === exchange)
      .flatMap(({ example }) => locationOf(example.finding, exchange).pointer ?? [])
      .filter((pointer, index) => index === 0 || hasValue(exchange.response?.text ?? '', pointer));
    const body = room > 0 ? bodyOf(exchange, [...new Set(pointers)]) : null;
    room -= body?.characters ?? 0;
    shown.set(exchange.id, { cause, body });
  }
  return shown;
}

function WrittenBody({ text, body }: { text: string; body: ShownBody | null }): VNode {
  if (text === '') return <p class="note">The body is empty.</p>;
  if (body === null) {
    return <p class="note">Body omitted to keep the page small; see results.json.</p>;
  }
  return (
    <>
      <pre class="json">
        <BodyLines content={body.content} />
      </pre>
      {body.missing !== null && <p class="note">{`${body.missing} See results.json.`}</p>}
    </>
  );
}

interface DetailsProps extends Pick<Shown, 'body'> {
  readonly exchange: Exchange;
}

/** A folded exchange. */
export function ExchangeDetails({ exchange, body }: DetailsProps): VNode {
  return (
    <details class="exchange" id={anchor('x', exchange.id)}>
      <summary>{exchangeLine(exchange)}</summary>
      <p class="note">{sentWords(exchange)}</p>
      <Sent exchange={exchange}>
        <WrittenBody text={exchange.response?.text ?? ''} body={body} />
      </Sent>
    </details>
  );
}
