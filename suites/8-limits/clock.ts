import { httpDate } from '../../src/text/http-date.ts';
import type { Context } from '../../src/judge/context.ts';
import type { Facts } from '../../src/judge/facts.ts';
import { isCounted, isInformative, resetOf } from './answers.ts';
import type { View } from '../../src/judge/view.ts';

/** Servers read the clock for `Date` once a second, and some of them a little late. */
const DATE_SPAN_MS = 1100;

/** Clocks that differ by no more than this are taken for right, ms; as far as whole seconds tell. */
const AGREEMENT_MS = 1000;

/** How far the clock of the limiter may be from one that is taken for right, ms; less on targets with short windows. */
const doubtOf = (windowMs: number): number => Math.min(2 * AGREEMENT_MS, windowMs / 10);

/** Time of the `Date` header, epoch ms; null when there is none that can be read. */
export function dateOf(view: View): number | null {
  const time = httpDate(view.response.headers['date']);
  return Number.isNaN(time) ? null : time;
}

/** Estimates of one clock differ by less than this; what differs by more was set, or moved by a test, ms. */
export const ESTIMATES_MS = 1500;

/**
 * How far the clock of the target is from ours, as known at last, ms: each answer makes the estimate a little better. Of
 * a clock that was set or moved meanwhile, as known before that.
 */
export function settledSkew(views: readonly View[]): number {
  const [first] = views;
  let last = first;
  for (const view of views) {
    const { receivedAt, skewMs } = view.exchange;
    const isSame = Math.abs(skewMs - (first?.exchange.skewMs ?? 0)) <= ESTIMATES_MS;
    if (isSame && receivedAt >= (last?.exchange.receivedAt ?? 0)) last = view;
  }
  return last?.exchange.skewMs ?? 0;
}

/** The time of an answer when no clock tells it. */
export const NO_TIMES = {
  earliest: Number.NEGATIVE_INFINITY,
  latest: Number.POSITIVE_INFINITY,
} as const;

/** The target dealt with the request between these times of its own clock, epoch ms. */
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
 * Whether `Date` is right: it agrees with what the target told otherwise, or with the clock of this machine, for two clocks
 * that agree are the time of day. It may come from something in front of the service whose clock is off by a minute
 * (ruling 12), and is then no measure for what the limiter does.
 */
export function isDateRight(views: readonly View[], { clockTold }: Facts): boolean {
  const dated = views.filter((view) => dateOf(view) !== null);
  if (dated.length === 0) return false;
  if (clockTold !== true && Math.abs(settledSkew(dated)) > AGREEMENT_MS) return false;
  return dated.every((view) => {
    const { sentAt, receivedAt, skewMs } = view.exchange;
    const date = dateOf(view) ?? 0;
    return (
      date >= sentAt + skewMs - DATE_SPAN_MS - AGREEMENT_MS &&
      date <= receivedAt + skewMs + AGREEMENT_MS
    );
  });
}

/** Whether a clock is known by which the limiter goes, as far as its announcements show. */
export function isTimed(views: readonly View[], context: Context): boolean {
  if (context.clockTold === true) return true;
  const { requests, windowMs } = context.limits;
  if (context.load !== undefined) return isMeasured(views, context);
  // A weighted counter announces the first place of the next window when it refuses.
  const longest = windowMs * (1 + 1 / requests);
  const counted = views.filter((view) => isCounted(view) && view.exchange.role !== 'nearQuota');
  if (!isDateRight(counted, context)) return false;
  return counted.every((view) => {
    const reset = isInformative(view) || view.status === 429 ? resetOf(view) : null;
    const date = dateOf(view);
    if (reset === null || date === null) return true;
    const { sentAt, receivedAt } = view.exchange;
    const from = date - Math.max(0, receivedAt - sentAt) - 2 * AGREEMENT_MS;
    // What is farther ahead than two windows is an error in the figure, not in the clock.
    return (
      reset >= from && (reset <= date + longest + 2 * AGREEMENT_MS || reset > date + 2 * windowMs)
    );
  });
}

/**
 * Whether the clock that was measured before the load is that of the limiter: it agrees with the clock of this machine, or
 * with every announced reset.
 */
function isMeasured(views: readonly View[], context: Context): boolean {
  const { requests, windowMs } = context.limits;
  const longest = windowMs * (1 + 1 / requests);
  if (Math.abs(views[0]?.exchange.skewMs ?? 0) <= AGREEMENT_MS) return true;
  return views.every((view) => {
    const reset = resetOf(view);
    const { earliest, latest } = timesOf(view, context);
    return reset === null || (reset >= earliest && reset <= latest + longest);
  });
}
