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

/** Lines kept on either side of the failing one. */
const AROUND = 2;
/** Lines of a body that is no JSON, and characters of any line. */
const BEGINNING = 3;
const WIDTH = 160;

/** A line of an answer, and whether it is the one that fails. */
export interface PlaceLine {
  readonly text: string;
  readonly failing: boolean;
}

/** Where an answer fails, with what stands around it. */
export interface FailingPlace {
  /** What the lines are of, as one word or two: `body`, `headers`, `status`. */
  readonly of: string;
  readonly lines: readonly PlaceLine[];
  /** What has to be known about the mark, one sentence; null when it speaks for itself. */
  readonly note: string | null;
}

type Lines = readonly PlaceLine[];

/** What has to be known of a finding to see where it is. */
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
  // One place, one mark: what fails in the same way below has a finding of its own.
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

/** A long line, cut so that what is wrong in it is shown. */
function aroundActual(text: string, actual: string): string {
  // Of an element only its beginning: it may have attributes.
  const word = actual.replace(/^"|"$|>$/g, '');
  const at = text.length > WIDTH && word !== '' ? text.indexOf(word) : -1;
  const from = Math.max(0, at - WIDTH / 2);
  return from === 0 ? cut(text, WIDTH) : `…${cut(text.slice(from), WIDTH)}`;
}

/** The beginning of a body that has no lines of its own. */
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
      note: there ? null : 'The place is not in the body; the nearest one that is there is marked.',
    };
  }
  const whole = pointer === '';
  return {
    of,
    lines: beginning(text, whole),
    note: whole
      ? null
      : truncated === true
        ? 'The body was cut when it was recorded; this is how it begins.'
        : 'The body cannot be laid out as JSON; this is how it begins.',
  };
}

/** A header with its neighbours; one that is missing stands before those of its family. */
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

/** Section of the requirements that judge the limiter: what it said stands beside a status. */
const LIMITS = '8';

/** The status, with how the body begins or what the limiter said. */
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

/**
 * Where the answer of an exchange fails: the line that the pointer of a finding leads to, the header that it is about, or
 * the status. Null when there is no such line: no answer, or a finding about what is nowhere in it.
 */
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

/** Lines for a `<pre>`, below those before them. */
function Others({ lines }: { readonly lines: readonly PlaceLine[] }): VNode {
  return (
    <span class="others">
      <Block text={lines.map(({ text }) => `  ${text}\n`).join('')} />
    </span>
  );
}

/**
 * The failing line of an answer, marked with a colour and a sign, with its neighbours. The same elements whatever the
 * answer holds.
 */
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
