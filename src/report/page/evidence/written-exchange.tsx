import type { VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { hasPlace } from '../../../text/json-layout.ts';
import { cut } from '../../../text/text.ts';
import type { Cause } from '../../analysis/causes.ts';
import { exchangeLine, placeOf } from '../../analysis/evidence-text.ts';
import { BodyLines, chooseLines, layOut } from './body.tsx';
import type { ShownBody } from './body.tsx';
import { Sent, sentWords } from './exchange.tsx';
import { anchor } from '../view/parts.tsx';

/**
 * Lines and characters of one body that stand in the page as it was written; the whole body is in its compressed
 * evidence and in results.json.
 */
const WRITTEN = { lines: 60, characters: 4_000, line: 600 };
/** Characters of all bodies shown this way; a page must open quickly whatever a run recorded. */
const PAGE_CHARACTERS = 160_000;

function bodyOf({ response }: Exchange, pointers: readonly string[]): ShownBody {
  const { text, truncated, bytes } = response ?? { text: '', bytes: 0 };
  const lines = truncated === true ? null : layOut(text, pointers);
  if (lines !== null) return chooseLines(lines, WRITTEN);
  const content = cut(text, WRITTEN.characters);
  const whole = content.length === text.length && truncated !== true;
  const missing = whole ? null : `The body has ${bytes} bytes and is cut here.`;
  return { content, characters: content.length, missing };
}

/** An exchange that stands in full with a finding. */
export interface Shown {
  /** The cause that it stands with; others that have it too link there. */
  readonly cause: Cause;
  /** Null when the page has no room for more bodies. */
  readonly body: ShownBody | null;
}

/** Which exchanges the page shows in full with these causes: each of them once, with the first one that has it. */
export function exchangesOf(causes: readonly Cause[]): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>();
  let room = PAGE_CHARACTERS;
  for (const cause of causes) {
    const { exchange } = cause;
    if (exchange === null || shown.has(exchange.id)) continue;
    // Whoever is led here from another cause finds its place marked, too.
    const pointers = causes
      .filter((one) => one.exchange === exchange)
      .flatMap(({ example }) => placeOf(example.finding, exchange).pointer ?? [])
      .filter((pointer, index) => index === 0 || hasPlace(exchange.response?.text ?? '', pointer));
    const body = room > 0 ? bodyOf(exchange, [...new Set(pointers)]) : null;
    room -= body?.characters ?? 0;
    shown.set(exchange.id, { cause, body });
  }
  return shown;
}

function WrittenBody({ text, body }: { text: string; body: ShownBody | null }): VNode {
  if (text === '') return <p class="note">The body is empty.</p>;
  if (body === null) {
    return <p class="note">The body is left out to keep this page small; it is in results.json.</p>;
  }
  return (
    <>
      <pre class="json">
        <BodyLines content={body.content} />
      </pre>
      {body.missing !== null && (
        <p class="note">{`${body.missing} results.json holds what was recorded.`}</p>
      )}
    </>
  );
}

interface DetailsProps extends Pick<Shown, 'body'> {
  readonly exchange: Exchange;
}

/** An exchange as it stands with a finding, folded. */
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
