import type { VNode } from 'preact';
import type { Exchange, ExchangeResponse } from '../../../spec/exchange.ts';
import { STATUS } from '../../../spec/finding.ts';
import { RATE_HEADERS } from '../../../spec/limits.ts';
import { hasPlace } from '../../../text/json-layout.ts';
import { cut } from '../../../text/text.ts';
import type { RequirementResult, ResultFinding } from '../../model/results.ts';
import { placeOf } from '../../analysis/evidence-text.ts';
import { layOut } from './body.tsx';
import { Block } from '../view/hidden.ts';

/** Lines shown before and after the failing one. */
const AROUND = 2;
/** Lines of a body that is not JSON, and characters per line. */
const BEGINNING = 3;
const WIDTH = 160;

/** A line of a response. */
export interface PlaceLine {
  readonly text: string;
  readonly failing: boolean;
}

/** The failing line of a response with its context. */
export interface FailingPlace {
  /** `body`, `headers` or `status`. */
  readonly of: string;
  readonly lines: readonly PlaceLine[];
  /** An explanation of the mark; null when none is needed. */
  readonly note: string | null;
}

type Lines = readonly PlaceLine[];

interface Failed {
  readonly requirement: Pick<RequirementResult, 'section'>;
  readonly finding: Pick<ResultFinding, 'pointer' | 'header'> & { readonly actual?: string };
}

/** The first failing line with its neighbours. */
function around(lines: Lines, actual = ''): Lines {
  const at = Math.max(
    0,
    lines.findIndex(({ failing }) => failing),
  );
  const near = lines.slice(Math.max(0, at - AROUND), at + AROUND + 1);
  // Mark one line only: further ones have separate findings.
  const own = lines[at];
  const indent = Math.min(...near.map(({ text }) => text.length - text.trimStart().length));
  return near.map((line) => ({
    text:
      line === own
        ? aroundActual(line.text.slice(indent), actual)
        : cut(line.text.slice(indent), WIDTH),
    failing: line.failing && line === own,
  }));
}

/** A long line, cut so that the actual value is visible. */
function aroundActual(text: string, actual: string): string {
  // Match only the beginning of an element, which may have attributes.
  const word = actual.replace(/^"|"$|>$/g, '');
  const at = text.length > WIDTH && word !== '' ? text.indexOf(word) : -1;
  const from = Math.max(0, at - WIDTH / 2);
  return from === 0 ? cut(text, WIDTH) : `…${cut(text.slice(from), WIDTH)}`;
}

/** The beginning of a body that cannot be laid out. */
function beginning(text: string, failing: boolean): Lines {
  return text
    .slice(0, BEGINNING * WIDTH * 2)
    .split('\n', BEGINNING)
    .map((line, index) => ({
      text: cut(line.replace(/\r$/, ''), WIDTH),
      failing: failing && index === 0,
    }));
}

function inBody(
  { text, truncated, limitsOnly }: ExchangeResponse,
  pointer: string,
  actual: string,
): FailingPlace | null {
  if (limitsOnly === true && text === '') return null;
  const of = 'body';
  if (text === '') return { of, lines: [{ text: '(empty)', failing: true }], note: null };
  const lines = truncated === true ? null : layOut(text, [pointer]);
  if (lines !== null) {
    const there = pointer === '' || hasPlace(text, pointer);
    return {
      of,
      lines: around(
        lines.map((line) => ({ text: line.text, failing: line.marked })),
        actual,
      ),
      note: there ? null : 'Not present in the body; the nearest parent is marked.',
    };
  }
  const whole = pointer === '';
  return {
    of,
    lines: beginning(text, whole),
    note: whole
      ? null
      : truncated === true
        ? 'The body was truncated when recorded; this is its beginning.'
        : 'The body is not JSON; this is its beginning.',
  };
}

/** A header with its neighbours; a missing one comes before related headers. */
function inHeaders({ headers }: ExchangeResponse, header: string): FailingPlace {
  const all = Object.entries(headers).map(([name, value]) => ({
    text: `${name}: ${value}`,
    name: name.toLowerCase(),
  }));
  const of = 'headers';
  if (all.some(({ name }) => name === header)) {
    const lines = all.map(({ text, name }) => ({ text, failing: name === header }));
    return { of, lines: around(lines), note: null };
  }
  const family = header.slice(0, header.lastIndexOf('-') + 1);
  const kin = all.filter(({ name }) => family !== '' && name.startsWith(family));
  const lines = [
    { text: `${header}: (missing)`, failing: true },
    ...kin.map(({ text }) => ({ text, failing: false })),
  ];
  return { of, lines: around(lines), note: null };
}

/** Section of the requirements about the limiter, whose headers are shown with the status. */
const LIMITS = '8';

/** The status, with the beginning of the body or the rate-limit headers. */
function inStatus(
  { status, text, headers, truncated }: ExchangeResponse,
  { section }: Failed['requirement'],
): FailingPlace {
  const said = Object.values(RATE_HEADERS).flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const body = truncated === true ? null : layOut(text, []);
  const below =
    section === LIMITS && said.length > 0
      ? said
      : (body?.slice(0, BEGINNING).map((line) => line.text) ??
        beginning(text, false).map((line) => line.text));
  const lines = [
    { text: `HTTP ${status}`, failing: true },
    ...below
      .filter((line) => line !== '')
      .map((line) => ({ text: cut(line, WIDTH), failing: false })),
  ];
  return { of: 'status', lines, note: null };
}

/** The line of a response that a finding points to: in the body, a header, or the status. Null when there is none. */
export function failingPlace(
  { finding, requirement }: Failed,
  exchange: Exchange,
): FailingPlace | null {
  const { response } = exchange;
  if (response === null) return null;
  const { pointer, header } = placeOf(finding, exchange);
  if (pointer !== null) return inBody(response, pointer, finding.actual ?? '');
  if (header === undefined) return null;
  return header === STATUS ? inStatus(response, requirement) : inHeaders(response, header);
}

/** Lines for a `<pre>`. */
function Others({ lines }: { readonly lines: readonly PlaceLine[] }): VNode {
  return (
    <span class="others">
      <Block text={lines.map(({ text }) => `  ${text}\n`).join('')} />
    </span>
  );
}

/** The failing line of a response, marked, with its context. */
export function FailingLines({ id, place }: FailingLinesProps): VNode {
  const { lines, note, of } = place;
  const at = lines.findIndex(({ failing }) => failing);
  const failing = lines[at]?.text ?? '';
  const indent = failing.length - failing.trimStart().length;
  return (
    <figure class="place" aria-label={`Failing lines, ${of} of ${id}`}>
      <pre>
        <Others lines={lines.slice(0, Math.max(0, at))} />
        {at >= 0 && (
          <span class="bad">
            {`✗ ${failing.slice(0, indent)}`}
            <mark>{failing.slice(indent)}</mark>
            <Block text={'\n'} />
          </span>
        )}
        <Others lines={lines.slice(at + 1)} />
      </pre>
      <figcaption>{note}</figcaption>
    </figure>
  );
}

interface FailingLinesProps {
  /** Id of the exchange. */
  readonly id: string;
  readonly place: FailingPlace;
}
