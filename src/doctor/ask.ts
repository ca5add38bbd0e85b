import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { createSession } from '../http/session.ts';
import { isObject, jsonValue } from '../text/json-value.ts';
import type { Target } from '../target/target.ts';

/** A diagnosis does not wait longer for one answer, ms, whatever the target file says. */
export const PATIENCE_MS = 5000;

export interface Question {
  readonly role: KeyRole;
  readonly keyIndex?: number;
  readonly query?: Readonly<Record<string, string>>;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The target with its patience cut for a diagnosis. */
export function hurried(target: Target): Target {
  const timeoutMs = Math.min(target.http.timeoutMs, PATIENCE_MS);
  return { ...target, http: { ...target.http, timeoutMs } };
}

/**
 * Sends exactly one request in a session of its own: nothing is repeated, waited for, cached or given up because of
 * what earlier requests met.
 * @throws the reason of the signal when it aborts
 */
export async function ask(target: Target, path: string, question: Question): Promise<Exchange> {
  const { role, keyIndex, query, pathParameters, signal } = question;
  // The clock of a test target is not moved by a diagnosis.
  const { clock: _clock, ...still } = hurried(target);
  const session = createSession(still, { seed: 1, salt: 'diagnosis', signal });
  try {
    return await session.get(path, { role, keyIndex, query, pathParameters, repeat: false });
  } finally {
    await session.close();
  }
}

/** The body of an answer as JSON; undefined when there is none. */
export function bodyOf({ response }: Exchange): unknown {
  if (response === null) return undefined;
  try {
    return jsonValue(response.text);
  } catch {
    return undefined;
  }
}

/** The error body of an answer, also when an envelope is around it; undefined when it has none (§7). */
export function errorBodyOf(
  exchange: Exchange,
): { readonly code: number; readonly details: Readonly<Record<string, unknown>> } | undefined {
  const body = bodyOf(exchange);
  if (!isObject(body) || typeof body['code'] !== 'number') return undefined;
  const details = body['details'];
  return { code: body['code'], details: isObject(details) ? details : {} };
}

/** `200`, `404 with code 400402`, `no answer (timeout: …)`: what came back, in a few words. */
export function wordsFor(exchange: Exchange): string {
  const { response, error } = exchange;
  if (response === null) return `no answer (${error?.kind ?? 'unknown'}: ${error?.message ?? ''})`;
  const code = errorBodyOf(exchange)?.code;
  if (response.status >= 400 && code !== undefined) return `${response.status} with code ${code}`;
  const location = response.headers['location'];
  if (response.status >= 300 && response.status < 400 && location !== undefined) {
    return `${response.status} to ${location}`;
  }
  if (response.status === 200 && bodyOf(exchange) === undefined) return '200 without JSON';
  return String(response.status);
}

/** True for a success that holds JSON. */
export function isSuccess(exchange: Exchange): boolean {
  return exchange.response?.status === 200 && bodyOf(exchange) !== undefined;
}

/**
 * True when an answer is one that a wrong base path gives: not found, no JSON, or the refusal of a word that was taken
 * for an identifier, as below `/v1/currencies`.
 */
export function looksLost(exchange: Exchange): boolean {
  const status = exchange.response?.status;
  return status === 404 || status === 400 || (status === 200 && bodyOf(exchange) === undefined);
}
