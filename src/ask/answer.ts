import type { Exchange } from '../spec/exchange.ts';
import type { Facts } from '../judge/facts.ts';
import { isObject, viewOf, type RecordAt, type View } from '../judge/view.ts';
import { Inconclusive } from './outcome.ts';

/** An answer for a check. */
export interface Answer {
  readonly exchange: Exchange;
  /** The answer to the control request of a negative check. */
  readonly control: Answer | null;
  readonly status: number;
  /** Parsed body without the envelope; `undefined` when it is not JSON. */
  readonly body: unknown;
  readonly records: readonly RecordAt[];
}

/**
 * The answer in an exchange.
 * @throws Inconclusive when no response arrived
 */
export function answerOf(exchange: Exchange, facts: Facts, control: Answer | null): Answer {
  const view = viewOf(exchange, facts);
  if (view === undefined) {
    if (exchange.response !== null) {
      throw new Inconclusive(
        `${describe(exchange)} returned ${exchange.response.bytes} bytes, and the body was truncated because the run had reached its limit for large bodies`,
      );
    }
    const { kind, message } = exchange.error ?? { kind: 'other', message: 'no response' };
    throw new Inconclusive(`${describe(exchange)} got no answer (${kind}: ${message})`);
  }
  return { exchange, control, status: view.status, body: view.body, records: view.records };
}

/**
 * Stops a check when the answer says nothing about its requirement: a 429, a 5xx or a redirect. Separate requirements
 * judge these on every exchange.
 */
export function mustBeJudgeable(view: Pick<View, 'status' | 'exchange'>): void {
  const { status, exchange } = view;
  const stop = (why: string): Inconclusive =>
    new Inconclusive(`${describe(exchange)} ${why}`, { hinderedBy: [exchange.id] });
  if (status === 429) throw stop('was repeatedly rejected by the rate limiter (429)');
  if (status >= 500) throw stop(`answered ${status}; see 4/no-5xx`);
  if (status >= 300 && status < 400)
    throw stop(`answered with a redirect (${status}), which is not followed`);
}

/**
 * True when an error is about a query parameter, in `details.field` or in the specified message (§7 note 2), and not
 * about the identifier in the path.
 */
export function blamesQuery({ exchange, body }: Answer): boolean {
  if (!isObject(body)) return false;
  const { message, details } = body;
  const field = isObject(details) ? details['field'] : undefined;
  return exchange.request.query.some(
    ([name]) => name === field || message === `Invalid parameter: ${name}`,
  );
}

/** `GET /path?query` of an exchange. */
export function describe(exchange: Exchange): string {
  const { method, path, query } = exchange.request;
  const text = query.map(([name, value]) => `${name}=${value}`).join('&');
  return `${method} ${path}${text === '' ? '' : `?${text}`}`;
}
