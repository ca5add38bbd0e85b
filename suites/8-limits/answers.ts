import { RATE_HEADERS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { errorNameOf } from '../../src/judge/errors.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** An integer header value; null otherwise. */
export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Requests that reach the limiter. Invalid keys are refused before it, and cached answers never reach it. */
export function isCounted(view: View): boolean {
  const { role, key } = view.exchange;
  const counted = role === 'valid' || role === 'restricted' || role === 'nearQuota';
  return counted && key !== null && view.status !== 401 && !view.fromCache;
}

/** Other methods may count, but their answers are not specified (ruling 20). */
export function isGet(view: View): boolean {
  return view.exchange.request.method === 'GET';
}

/**
 * A 429 from the rate limiter, if keys are accepted at all. Excludes refusals by the quota, which may also be 429
 * (ruling 15): those of the near-quota key, and bodies that mention a month.
 */
export function isRateRefusal(view: View, context: Context): boolean {
  if (view.status !== 429 || !isCounted(view) || !isGet(view)) return false;
  if (view.exchange.role === 'nearQuota') return false;
  if (context.partial === true && !showsLimiter(view)) return false;
  // Keys are tested before a load.
  const isAccepted = context.acceptedKeys.size > 0 || context.load !== undefined;
  return isAccepted && !mentionsQuota(view.body);
}

/** In recorded traffic any key's quota may be used up, so the refusal itself must show its origin. */
function showsLimiter({ response, body }: View): boolean {
  const remaining = response.headers[RATE_HEADERS.remaining];
  if (remaining !== undefined) return remaining === '0';
  const details = isObject(body) ? body['details'] : undefined;
  return isObject(details) && ('window' in details || 'retry_after' in details);
}

/** A refusal by the limiter with a status other than 429. */
export function isDisguisedRefusal(view: View): boolean {
  if (!isCounted(view) || view.exchange.role === 'nearQuota' || view.status === 429) return false;
  return errorNameOf(view) === 'tooManyRequests';
}

function mentionsQuota(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { message, details } = body;
  if (isObject(details) && ('window' in details || 'retry_after' in details)) return false;
  return typeof message === 'string' && /quota|month/i.test(message);
}

/** The announced reset, epoch ms; null if implausible. One in seconds names its window, too: only its unit is wrong. */
export function resetOf(view: View): number | null {
  const told = wholeNumber(view.response.headers[RATE_HEADERS.reset]) ?? 0;
  const reset = told < 1e11 ? told * 1000 : told;
  return reset > 1e12 && reset < 1e14 ? reset : null;
}

/**
 * Whether the rate-limit headers of a non-refusal are meaningful. Failing servers may announce anything, a used-up
 * quota is another count, and refusals with a wrong status are judged as such.
 */
export function isInformative(view: View): boolean {
  return view.status < 500 && view.status !== 429 && !isDisguisedRefusal(view);
}
