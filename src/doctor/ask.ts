import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { openSession } from '../http/session.ts';
import { isObject, parsedJson } from '../text/json-value.ts';
import type { Target } from '../target/target.ts';

/** Maximum timeout of a diagnosis, ms, whatever the target file says. */
export const PATIENCE_MS = 5000;

/** A request whose response shape is specified (§4.3). */
export const STATED = '/etfs/summary-history';
/** The list whose identifiers most requirements need (§4.7). */
export const LIST = '/currencies';
/** Time limit of a diagnosis, ms. */
export const WHOLE_MS = 60_000;

export interface Question {
  readonly role: KeyRole;
  /** Default: the first key of the role. */
  readonly keyIndex?: number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The target with a shorter timeout, and with a clock that nobody advances. */
export function hurried({ clock: _clock, ...target }: Target): Target {
  const timeoutMs = Math.min(target.http.timeoutMs, PATIENCE_MS);
  return { ...target, http: { ...target.http, timeoutMs } };
}

/**
 * Sends exactly one request in a separate session, without retries, waits, caching or circuit breaker.
 * @throws the reason of the signal when it aborts
 */
export async function ask(target: Target, path: string, question: Question): Promise<Exchange> {
  const { role, keyIndex, query, pathParameters, signal } = question;
  const session = openSession(hurried(target), { seed: 1, salt: 'diagnosis', signal });
  try {
    return await session.get(path, { role, keyIndex, query, pathParameters, repeat: false });
  } finally {
    await session.close();
  }
}

/** The JSON body; `undefined` when there is none. */
export const jsonBody = ({ response }: Exchange): unknown =>
  response === null ? undefined : parsedJson(response.text);

/** The error body of a response, with or without envelope; undefined when it has none (§7). */
export function errorBodyOf(
  exchange: Exchange,
): { readonly code: number; readonly details: Readonly<Record<string, unknown>> } | undefined {
  const body = jsonBody(exchange);
  if (!isObject(body) || typeof body['code'] !== 'number') return undefined;
  const details = body['details'];
  return { code: body['code'], details: isObject(details) ? details : {} };
}

/** `200`, `404 with code 400402`, `no answer (timeout: …)`: a short description of the response. */
export function describe(exchange: Exchange): string {
  const { response, error } = exchange;
  if (response === null)
    return `no response (${error?.kind ?? 'unknown'}: ${error?.message ?? ''})`;
  const code = errorBodyOf(exchange)?.code;
  if (response.status >= 400 && code !== undefined) return `${response.status} with code ${code}`;
  const location = response.headers['location'];
  if (response.status >= 300 && response.status < 400 && location !== undefined) {
    return `${response.status} to ${location}`;
  }
  if (response.status === 200 && jsonBody(exchange) === undefined) return '200 without JSON';
  return String(response.status);
}

/** True for status 200 with a JSON body. */
export function isSuccess(exchange: Exchange): boolean {
  return exchange.response?.status === 200 && jsonBody(exchange) !== undefined;
}

/**
 * True for a response that a wrong base path can cause: not found, not JSON, or a rejected identifier, as below
 * `/v1/currencies`.
 */
export function looksLost(exchange: Exchange): boolean {
  const status = exchange.response?.status;
  return status === 404 || status === 400 || (status === 200 && jsonBody(exchange) === undefined);
}
