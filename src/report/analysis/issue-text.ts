import type { Exchange } from '../../spec/exchange.ts';
import { layoutJson } from '../../text/json-layout.ts';
import { cut } from '../../text/text.ts';
import { answerText } from './evidence-text.ts';
import { code, fenced } from './markdown-text.ts';

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
