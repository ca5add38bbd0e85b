import type { VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { excerpt, hasValue } from '../../../text/json-layout.ts';
import { cut } from '../../../text/text.ts';
import type { Cause } from '../../analysis/causes.ts';
import { exchangeLine } from '../../analysis/evidence-text.ts';
import { BodyLines, layOut } from './body.tsx';
import { Sent, sentWords } from './exchange.tsx';
import { Block } from '../view/hidden.ts';
import { anchor } from '../view/parts.tsx';

/** Limits of one body in the page; the whole body is in its compressed data and in results.json. */
const LINES = 60;
const WIDTH = 300;
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
  if (lines !== null)
    return (
      <pre class="json">
        <BodyLines lines={excerpt(lines, LINES)} width={WIDTH} />
      </pre>
    );
  return (
    <>
      <pre class="json">
        <Block text={cut(text, CHARACTERS)} />
      </pre>
      {(truncated || text.length > CHARACTERS) && (
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
