import { RATE_HEADERS, doubtOf } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { errorNameOf } from '../../src/judge/errors.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { httpDate } from '../../src/text/http-date.ts';
import type { Facts } from '../../src/judge/facts.ts';

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
  return isObject(body) && hasLimiterDetails(body);
}

const hasLimiterDetails = ({ details }: Readonly<Record<string, unknown>>): boolean =>
  isObject(details) && ('window' in details || 'retry_after' in details);

/** A refusal by the limiter with a status other than 429. */
export function isDisguisedRefusal(view: View): boolean {
  if (!isCounted(view) || view.exchange.role === 'nearQuota' || view.status === 429) return false;
  return errorNameOf(view) === 'tooManyRequests';
}

function mentionsQuota(body: unknown): boolean {
  if (!isObject(body) || hasLimiterDetails(body)) return false;
  const { message } = body;
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

/** Servers may refresh `Date` once a second, slightly late. */
const DATE_SPAN_MS = 1100;

/** Clocks within this distance agree, given that `Date` has whole seconds, ms. */
const AGREEMENT_MS = 1000;

/** `Date` in epoch ms; null if missing or unreadable. */
export function dateOf(view: View): number | null {
  const time = httpDate(view.response.headers['date']);
  return Number.isNaN(time) ? null : time;
}

/** Estimates of one clock differ by less than this, ms; more means that the clock was changed. */
export const ESTIMATES_MS = 1500;

/**
 * Latest estimate of the target's clock offset, ms: it improves with each answer. If the clock was changed, the latest
 * one before that.
 */
export function latestSkew(views: readonly View[]): number {
  const [first] = views;
  let last = first;
  for (const view of views) {
    const { receivedAt, skewMs } = view.exchange;
    const isSame = Math.abs(skewMs - (first?.exchange.skewMs ?? 0)) <= ESTIMATES_MS;
    if (isSame && receivedAt >= (last?.exchange.receivedAt ?? 0)) last = view;
  }
  return last?.exchange.skewMs ?? 0;
}

/** Times of an answer if no clock is known. */
export const NO_TIMES = {
  earliest: Number.NEGATIVE_INFINITY,
  latest: Number.POSITIVE_INFINITY,
} as const;

/** Target time range in which a request was processed, epoch ms. */
export function timesOf(
  view: View,
  { clockTold, load, limits: { windowMs } }: Facts,
): { earliest: number; latest: number } {
  const { sentAt, receivedAt, skewMs } = view.exchange;
  const within = clockTold === true ? 1 : load?.clockWithinMs;
  if (within !== undefined) {
    return { earliest: sentAt + skewMs - within, latest: receivedAt + skewMs + within };
  }
  const date = dateOf(view);
  if (date === null) return NO_TIMES;
  const doubt = doubtOf(windowMs);
  return {
    earliest: date - Math.max(0, receivedAt - sentAt) - doubt,
    latest: date + DATE_SPAN_MS + doubt,
  };
}

/**
 * Whether `Date` is correct, by agreeing with the reported target time or with the local clock. It may come from a
 * proxy with a wrong clock (ruling 12) and then says nothing about the limiter.
 */
export function isDateRight(views: readonly View[], { clockTold }: Facts): boolean {
  const dated = views.filter((view) => dateOf(view) !== null);
  if (dated.length === 0) return false;
  if (clockTold !== true && Math.abs(latestSkew(dated)) > AGREEMENT_MS) return false;
  return dated.every((view) => {
    const { sentAt, receivedAt, skewMs } = view.exchange;
    const date = dateOf(view) ?? 0;
    return (
      date >= sentAt + skewMs - DATE_SPAN_MS - AGREEMENT_MS &&
      date <= receivedAt + skewMs + AGREEMENT_MS
    );
  });
}

/**
 * Whether a known clock agrees with the limiter's announcements. Under load, the clock measured before it may also agree
 * with the local one.
 */
export function isTimed(views: readonly View[], context: Context): boolean {
  if (context.clockTold === true) return true;
  const { requests, windowMs } = context.limits;
  // A refusal by a weighted counter announces the first slot of the next window.
  const longest = windowMs * (1 + 1 / requests);
  if (context.load !== undefined) {
    if (Math.abs(views[0]?.exchange.skewMs ?? 0) <= AGREEMENT_MS) return true;
    return views.every((view) => {
      const reset = resetOf(view);
      const { earliest, latest } = timesOf(view, context);
      return reset === null || (reset >= earliest && reset <= latest + longest);
    });
  }
  const counted = views.filter((view) => isCounted(view) && view.exchange.role !== 'nearQuota');
  if (!isDateRight(counted, context)) return false;
  return counted.every((view) => {
    const reset = isInformative(view) || view.status === 429 ? resetOf(view) : null;
    const date = dateOf(view);
    if (reset === null || date === null) return true;
    const { sentAt, receivedAt } = view.exchange;
    const from = date - Math.max(0, receivedAt - sentAt) - 2 * AGREEMENT_MS;
    return reset >= from && reset <= date + longest + 2 * AGREEMENT_MS;
  });
}
