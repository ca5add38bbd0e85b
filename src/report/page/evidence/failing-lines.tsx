import type { VNode } from 'preact';
import type { Exchange, ExchangeResponse } from '../../../spec/exchange.ts';
import { STATUS } from '../../../spec/finding.ts';
import { RATE_HEADERS } from '../../../spec/limits.ts';
import { hasValue } from '../../../text/json-layout.ts';
import { cut } from '../../../text/text.ts';
import { LIMITS } from '../../model/labels.ts';
import type { CauseMember } from '../../analysis/seen.ts';
import { layOut } from './exchange.tsx';
import { Block } from '../view/parts.tsx';

/** Lines shown before and after the failing one. */
const AROUND = 2;
/** Lines of a body that is not JSON, and characters per line. */
const BEGINNING = 3;
const WIDTH = 160;

/** The failing line of a response with its context. */
export type FailingExcerpt = NonNullable<ReturnType<typeof failingExcerpt>>;

type Lines = readonly ReturnType<typeof line>[];

const line = (text: string, failing = false) => ({ text, failing });

/** The first failing line with its neighbours; further failing lines have separate findings. */
function around(lines: Lines, actual = ''): Lines {
  const first = lines.findIndex(({ failing }) => failing);
  const at = Math.max(0, first);
  const near = lines.slice(Math.max(0, at - AROUND), at + AROUND + 1);
  const own = lines[at];
  const indent = Math.min(...near.map(({ text }) => text.length - text.trimStart().length));
  return near.map((one) => {
    const text = one.text.slice(indent);
    return one === own ? line(aroundActual(text, actual), one.failing) : line(cut(text, WIDTH));
  });
}

/** A long line, cut so that the actual value is visible. */
function aroundActual(text: string, actual: string): string {
  // Match only the beginning of an element, which may have attributes.
  const word = actual.replace(/^"|"$|>$/g, '');
  const at = text.length > WIDTH && word !== '' ? text.indexOf(word) : -1;
  const from = Math.max(0, at - WIDTH / 2);
  return from === 0 ? cut(text, WIDTH) : `…${cut(text.slice(from), WIDTH)}`;
}

function beginning({ text, truncated }: ExchangeResponse): readonly string[] {
  const laidOut = truncated === true ? null : layOut(text, []);
  const lines =
    laidOut?.slice(0, BEGINNING).map((one) => one.text) ??
    text.slice(0, BEGINNING * WIDTH * 2).split('\n', BEGINNING);
  return lines.map((one) => cut(one.replace(/\r$/, ''), WIDTH));
}

function inBody(response: ExchangeResponse, pointer: string, actual: string) {
  const { text, truncated, limitsOnly } = response;
  if (limitsOnly === true && text === '') return null;
  const of = 'body';
  if (text === '') return { of, lines: [line('(empty)', true)], note: null };
  const whole = pointer === '';
  const laidOut = truncated === true ? null : layOut(text, [pointer]);
  if (laidOut !== null) {
    const lines = laidOut.map((one) => line(one.text, one.marked));
    const isThere = whole || hasValue(text, pointer);
    const note = isThere ? null : 'Not present in the body; the nearest parent is marked.';
    return { of, lines: around(lines, actual), note };
  }
  const lines = beginning(response).map((one, index) => line(one, whole && index === 0));
  if (whole) return { of, lines, note: null };
  const why = truncated === true ? 'was truncated when recorded' : 'is not JSON';
  return { of, lines, note: `The body ${why}; this is its beginning.` };
}

/** A header with its neighbours; a missing one comes before related headers. */
function inHeaders({ headers }: ExchangeResponse, header: string) {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const family = header.slice(0, header.lastIndexOf('-') + 1);
  const all = Object.entries(headers).map(([name, value]) =>
    line(`${name}: ${value}`, name.toLowerCase() === header),
  );
  const kin = all.filter((_, index) => family !== '' && names[index]?.startsWith(family) === true);
  const lines = names.includes(header) ? all : [line(`${header}: (missing)`, true), ...kin];
  return { of: 'headers', lines: around(lines), note: null };
}

/** The status, with the beginning of the body or the rate-limit headers. */
function inStatus(response: ExchangeResponse, section: string) {
  const { status, headers } = response;
  const said = Object.values(RATE_HEADERS)
    .filter((name) => headers[name] !== undefined)
    .map((name) => cut(`${name}: ${headers[name] ?? ''}`, WIDTH));
  const below = section === LIMITS && said.length > 0 ? said : beginning(response);
  const others = below.filter((one) => one !== '').map((one) => line(one));
  return { of: 'status', lines: [line(`HTTP ${status}`, true), ...others], note: null };
}

/**
 * The line of a response that a finding points to: `of` the body, the headers or the status, with a note when the mark needs an
 * explanation. Null when there is none.
 */
export function failingExcerpt(
  { finding, requirement }: Pick<CauseMember, 'finding'> & { requirement: { section: string } },
  exchange: Exchange,
) {
  const { response } = exchange;
  if (response === null) return null;
  const { pointer, header } = finding;
  if (pointer !== null) return inBody(response, pointer, finding.actual);
  if (header === undefined) return null;
  return header === STATUS ? inStatus(response, requirement.section) : inHeaders(response, header);
}

/** The failing line of a response, marked, with its context; `id` of the exchange. */
export function FailingLines({ id, excerpt }: { id: string; excerpt: FailingExcerpt }): VNode {
  const { lines, note, of } = excerpt;
  const shown = lines.map(({ text, failing }) => {
    const indent = text.length - text.trimStart().length;
    return failing ? (
      <span class="bad">
        {`✗ ${text.slice(0, indent)}`}
        <mark>{text.slice(indent)}</mark>
        <Block text={'\n'} />
      </span>
    ) : (
      <span class="others">
        <Block text={`  ${text}\n`} />
      </span>
    );
  });
  return (
    <figure class="place" aria-label={`Failing lines, ${of} of ${id}`}>
      <pre>{shown}</pre>
      {note !== null && <figcaption>{note}</figcaption>}
    </figure>
  );
}
