import { doubtOf } from '../../src/spec/limits.ts';
import { httpDate } from '../../src/text/http-date.ts';
import type { Context } from '../../src/judge/context.ts';
import type { Facts } from '../../src/judge/facts.ts';
import { isCounted, isInformative, resetOf } from './answers.ts';
import type { View } from '../../src/judge/view.ts';

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
    // A reset beyond two windows is a wrong figure, not a wrong clock.
    return (
      reset >= from && (reset <= date + longest + 2 * AGREEMENT_MS || reset > date + 2 * windowMs)
    );
  });
}
