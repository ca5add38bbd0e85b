import type { Exchange, ExchangeResponse } from '../../contract/exchange.ts';
import { curlLine } from '../../text/curl.ts';
import { exchangeLine } from '../evidence-text.ts';
import { excerpt, layoutJson } from '../../text/json-layout.ts';
import { formatDuration } from '../labels.ts';
import { html, preformatted } from '../markup.ts';
import type { Content, Markup } from '../markup.ts';
import { cut } from '../../text/text.ts';
import { anchor } from './parts.ts';

/**
 * Lines and characters of one body that are shown without a script; the whole body is in the compressed evidence of
 * the page and in results.json.
 */
const BODY_LINES = 60;
const BODY_CHARACTERS = 4_000;
const LINE_CHARACTERS = 600;
/** Bodies larger than this are not laid out, only cut. */
const LAYOUT_BOUND = 1_000_000;
/** Characters of all bodies shown this way; a page must open quickly whatever a run recorded. */
const PAGE_CHARACTERS = 160_000;

/** Shows exchanges on a page: each in full once, everywhere else as a link to that place. */
export interface EvidenceBook {
  /** The exchange in full, the value at `pointer` marked; a link when it was shown before. */
  show(exchange: Exchange, pointer: string | null): Markup;
  /** A link to an exchange, plain text when the results do not hold it. */
  link(id: string): Markup;
  /** Exchanges that were not shown yet. */
  remaining(): readonly Exchange[];
}

interface Body {
  readonly content: Content;
  readonly characters: number;
  readonly note: string | null;
}

function laidOut(response: ExchangeResponse, pointer: string | null): Body | null {
  if (response.truncated === true || response.text.length > LAYOUT_BOUND) return null;
  const lines = layoutJson(response.text, pointer);
  if (lines === null) return null;
  const content: Content[] = [];
  let characters = 0;
  let cutLines = 0;
  for (const line of excerpt(lines, BODY_LINES)) {
    if ('leftOut' in line) {
      cutLines += line.leftOut;
      content.push(html`… ${line.leftOut} lines left out …`, preformatted('\n'));
      continue;
    }
    if (characters > BODY_CHARACTERS && !line.marked) {
      cutLines += 1;
      continue;
    }
    const text = cut(line.text, LINE_CHARACTERS);
    characters += text.length;
    const shown = preformatted(text);
    content.push(line.marked ? html`<mark>${shown}</mark>` : shown, preformatted('\n'));
  }
  const note = cutLines === 0 ? null : `${cutLines} of ${lines.length} lines are left out here.`;
  return { content, characters, note };
}

function bodyOf(response: ExchangeResponse, pointer: string | null): Body {
  const body = laidOut(response, pointer);
  if (body !== null) return body;
  const text = cut(response.text, BODY_CHARACTERS);
  const shortened = text.length < response.text.length || response.truncated === true;
  return {
    content: preformatted(text),
    characters: text.length,
    note: shortened ? `The body has ${response.bytes} bytes and is cut here.` : null,
  };
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => cut(`${name}: ${value}`, LINE_CHARACTERS))
    .join('\n');
}

function answer(exchange: Exchange, body: Body | null): Content {
  const { response } = exchange;
  if (response === null) {
    const why = exchange.error;
    return html`<h4>No response</h4>
      <pre>
${why === null ? 'no reason recorded' : `${why.kind}: ${cut(why.message, LINE_CHARACTERS)}`}</pre>`;
  }
  const shownBody =
    body === null
      ? html`<p class="note">
          The body is left out to keep this page small; it is in results.json.
        </p>`
      : response.text === ''
        ? html`<p class="note">The body is empty.</p>`
        : [
            html`<pre>${body.content}</pre>`,
            body.note !== null &&
              html`<p class="note">${body.note} results.json holds what was recorded.</p>`,
          ];
  return html`<h4>
      Response ${response.status}, ${response.bytes} bytes,
      ${formatDuration(exchange.receivedAt - exchange.sentAt)}
    </h4>
    <pre>${preformatted(headerLines(response.headers))}</pre>
    ${shownBody}`;
}

/** Creates the book of exchanges for one page. */
export function createEvidence(exchanges: readonly Exchange[]): EvidenceBook {
  const known = new Set(exchanges.map((exchange) => exchange.id));
  const shown = new Set<string>();
  let room = PAGE_CHARACTERS;

  const link = (id: string): Markup =>
    known.has(id) ? html`<a href="#${anchor('x', id)}">${id}</a>` : html`<span>${id}</span>`;

  return {
    link,
    remaining: () => exchanges.filter((exchange) => !shown.has(exchange.id)),
    show(exchange, pointer) {
      if (shown.has(exchange.id)) {
        return html`<p>Exchange ${link(exchange.id)} is shown in full above.</p>`;
      }
      shown.add(exchange.id);
      const laid =
        exchange.response === null || room <= 0 ? null : bodyOf(exchange.response, pointer);
      room -= laid?.characters ?? 0;
      const { request } = exchange;
      const key = exchange.key === null ? '' : `, key ${exchange.key}`;
      const attempt = exchange.attempt > 1 ? `, attempt ${exchange.attempt}` : '';
      return html`<details class="exchange" id="${anchor('x', exchange.id)}">
        <summary>${exchange.id}: ${exchangeLine(exchange)}</summary>
        <p class="note">
          ${new Date(exchange.sentAt).toISOString()}, role ${exchange.role}${key}${attempt}
        </p>
        <h4>Request</h4>
        <pre>
${preformatted(`${request.method} ${request.url}\n${headerLines(request.headers)}`)}</pre>
        ${answer(exchange, laid)}
        <h4>Repeat it</h4>
        <pre>${curlLine(exchange)}</pre>
      </details> `;
    },
  };
}
