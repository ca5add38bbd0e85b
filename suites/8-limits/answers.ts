import { errorNamed } from '../../src/spec/error-codes.ts';
import { RATE_HEADERS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { codeOf } from '../../src/judge/errors.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** The value of a header as a whole number; null when it is missing or anything else. */
export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Requests that the limiter counts. Other keys are refused before it, and what it announces to them is its own matter; what
 * a cache answers never comes to it.
 */
export function isCounted(view: View): boolean {
  const { role, key } = view.exchange;
  const counted = role === 'valid' || role === 'restricted' || role === 'nearQuota';
  return counted && key !== null && view.status !== 401 && !view.fromCache;
}

/** Other methods may be counted, but what they are answered is not specified (ruling 20). */
export function isGet(view: View): boolean {
  return view.exchange.request.method === 'GET';
}

/**
 * True for a refusal by the rate limiter: a 429 where keys are accepted otherwise. A target that answers 429 to
 * everything has no limiter that could be judged. A used-up quota may be refused with 429, too (ruling 15): the key near
 * its quota is left to the rules of the quota, and so is a body that speaks of a month.
 */
export function isRateRefusal(view: View, context: Context): boolean {
  if (view.status !== 429 || !isCounted(view) || !isGet(view)) return false;
  if (view.exchange.role === 'nearQuota') return false;
  if (context.partial === true && !showsLimiter(view)) return false;
  return context.acceptedKeys.size > 0 && !speaksOfQuota(view.body);
}

/** Whose quota is used up is not known in the traffic of others: there the refusal itself must show whose it is. */
function showsLimiter({ response, body }: View): boolean {
  const remaining = response.headers[RATE_HEADERS.remaining];
  if (remaining !== undefined) return remaining === '0';
  const details = isObject(body) ? body['details'] : undefined;
  return isObject(details) && ('window' in details || 'retry_after' in details);
}

/** True for the refusal of the limiter with a status other than 429. */
export function isDisguisedRefusal(view: View): boolean {
  if (!isCounted(view) || view.exchange.role === 'nearQuota' || view.status === 429) return false;
  return errorNamed(codeOf(view) ?? 0) === 'tooManyRequests';
}

function speaksOfQuota(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { message, details } = body;
  if (isObject(details) && ('window' in details || 'retry_after' in details)) return false;
  return typeof message === 'string' && /quota|month/i.test(message);
}

/** The announced reset, epoch ms; null unless it can be one. */
export function resetOf(view: View): number | null {
  const reset = wholeNumber(view.response.headers[RATE_HEADERS.reset]);
  return reset !== null && reset > 1e12 && reset < 1e14 ? reset : null;
}

/**
 * Whether the figures of an answer that is no refusal of the limiter mean something. A failing server may announce
 * anything, a used-up quota is another count, and a refusal with the wrong status is judged as such.
 */
export function isInformative(view: View): boolean {
  return view.status < 500 && view.status !== 429 && !isDisguisedRefusal(view);
}
