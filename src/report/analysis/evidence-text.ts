import type { Exchange } from '../../spec/exchange.ts';
import { STATUS } from '../../spec/finding.ts';
import type { ResultFinding } from '../model/results.ts';
import { layoutJson } from '../../text/json-layout.ts';
import { cut, oneLine } from '../../text/text.ts';
import { code, fenced } from './markdown-text.ts';
import { fact, type Fact } from './text-report.ts';

/** Path and query as sent. */
export function targetOf({ request: { path, url } }: Exchange): string {
  const start = url.indexOf('?');
  return path + (start < 0 ? '' : url.slice(start));
}

/** `GET /etfs → 400` of an exchange, or the transport error; one visible line. */
export function exchangeLine(exchange: Exchange): string {
  const method = oneLine(exchange.request.method, 20);
  return `${method} ${oneLine(targetOf(exchange), 240)} → ${answerText(exchange)}`;
}

/** The status of the response, or why there is none. */
export function answerText(exchange: Exchange): string {
  if (exchange.response !== null) return String(exchange.response.status);
  if (exchange.error === null) return 'no response';
  return `no response (${exchange.error.kind}: ${oneLine(exchange.error.message, 120)})`;
}

/** The part of a response that is wrong: a JSON pointer, `the whole body`, `the status`, or the name of a header. */
export function locationWords({ pointer, header }: ResultFinding): string {
  if (pointer !== null) return pointer === '' ? 'the whole body' : oneLine(pointer);
  if (header === undefined) return '';
  return header === STATUS ? 'the status' : oneLine(header);
}

/** Where a finding is: `/code in x12 (GET /etfs → 400)`; empty for findings about a whole run. */
function locationText(finding: ResultFinding, exchange: Exchange | null): string {
  const pointer = locationWords(finding);
  if (finding.exchange === null) return pointer;
  const where =
    exchange === null
      ? oneLine(finding.exchange, 40)
      : `${oneLine(exchange.id, 40)} (${exchangeLine(exchange)})`;
  return pointer === '' ? where : `${pointer} in ${where}`;
}

/** The facts about a finding besides its message; `related` are other exchanges that it refers to. */
export const findingFacts = (
  finding: ResultFinding,
  exchange: Exchange | null,
  related: readonly Exchange[],
): readonly Fact[] => [
  ...fact('Expected', finding.expected, 'value'),
  ...fact('Actual', finding.actual, 'value'),
  ...fact('At', locationText(finding, exchange), 'location'),
  ...related.flatMap((one) => fact('Related', `${one.id} (${exchangeLine(one)})`, 'location')),
];

/** Up to two exchanges that a finding was compared with: a page is wrong only next to the one before it. */
export function comparedWith(
  { against = [] }: ResultFinding,
  exchanges: ReadonlyMap<string, Exchange>,
): readonly Exchange[] {
  return against.flatMap((id) => exchanges.get(id) ?? []).slice(0, 2);
}

/** Limits of a body; issue trackers truncate longer texts. */
const BODY = { lines: 200, line: 500, characters: 20_000 };

/** A response body: one value per line when it is JSON, truncated. */
function bodyLines(text: string): readonly string[] {
  const short = text.length <= BODY.characters * 5 ? layoutJson(text, null) : null;
  const lines =
    short?.map((line) => line.text) ?? cut(text, BODY.characters).split('\n', BODY.lines + 1);
  const shown = lines.slice(0, BODY.lines).map((line) => cut(line, BODY.line));
  return lines.length > shown.length ? [...shown, '… truncated …'] : shown;
}

/** An exchange as a Markdown code block. */
export function issueExchange(exchange: Exchange): string {
  const { id, request, response } = exchange;
  const headers = (all: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(all).map(([name, value]) => cut(`${name}: ${value}`, BODY.line));
  const answer =
    response === null
      ? [answerText(exchange)]
      : [
          `HTTP ${response.status}`,
          ...headers(response.headers),
          '',
          ...bodyLines(response.text),
          ...(response.truncated === true ? ['… truncated when recorded …'] : []),
        ];
  const lines = [`${request.method} ${request.url}`, ...headers(request.headers), '', ...answer];
  return [`Exchange ${code(id, 40)}:`, '', ...fenced(lines, 'http'), ''].join('\n');
}
