import { RATE_HEADERS, RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { judgeAll, judgeEach, type OwnJudgement } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';
import { readableTime } from '../../src/text/time.ts';
import {
  isCounted,
  isGet,
  isRateRefusal,
  wholeNumber,
  dateOf,
  isDateRight,
  isTimed,
  timesOf,
} from './answers.ts';
import { kindOf, NEXT_WINDOW, nextAfterMs } from './models.ts';
import { isBefore, mayFollowReset, pairs, trafficOf, type RateAnswer } from './traffic.ts';

/** Uncertainty of an answer's time: `Date` has whole seconds, clocks differ, announced times are rounded. */
const SLACK_MS = 5000;

/** Further uncertainty of an unconfirmed clock, which may be a proxy's (ruling 12), ms. */
const UNCONFIRMED_MS = 60_000;

export const NAMES = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const;

const headerOf = (view: View, name: keyof typeof NAMES): string | undefined =>
  view.response.headers[RATE_HEADERS[name]];

/** Which of the headers an answer has. */
function carriedBy(view: View): string {
  const names = (Object.keys(NAMES) as (keyof typeof NAMES)[]).filter(
    (name) => headerOf(view, name) !== undefined,
  );
  if (names.length === 0) return 'no';
  return names.length === 3
    ? 'yes, all three'
    : `only ${names.map((name) => NAMES[name]).join(' and ')}`;
}

/** `8/headers-present`, ruling 12: the headers are optional except on refusals. */
export const headersPresent = judgeEach((view, _context, it) => {
  if (!isCounted(view) || !isGet(view) || view.status === 429 || view.status >= 500) return;
  const those = view.ok ? 'successful answers' : `answers with status ${view.status}`;
  it.read(`Do ${those} carry the X-RateLimit headers?`, carriedBy(view), view);
});

export const headerLimit = judgeEach((view, context, it) => {
  const limit = tellsWindow(view, context) ? headerOf(view, 'limit') : undefined;
  if (limit === undefined) return;
  const { requests } = context.limits;
  it.expect(view, limit === String(requests), () => ({
    kind: 'wrong-limit-header',
    expected: String(requests),
    actual: limit,
    header: RATE_HEADERS.limit,
  }));
});

export const headerRemaining = judgeEach((view, context, it) => {
  const remaining = tellsWindow(view, context) ? headerOf(view, 'remaining') : undefined;
  if (remaining === undefined) return;
  const refused = isRateRefusal(view, context);
  const { requests } = context.limits;
  const number = wholeNumber(remaining) ?? Number.NaN;
  // An error that does not count may leave the window untouched.
  const most = refused ? 0 : view.ok ? requests - 1 : requests;
  it.expect(view, number >= 0 && number <= most, () => ({
    kind: refused ? 'refusal-remaining' : 'remaining-out-of-range',
    expected: refused ? '0' : `an integer from 0 to ${most}`,
    actual: remaining,
    header: RATE_HEADERS.remaining,
  }));
});

export const headerReset = judgeAll((views, context, it) => {
  const isRight = context.load === undefined && isDateRight(views.filter(isCounted), context);
  const slack = isRight ? SLACK_MS : SLACK_MS + UNCONFIRMED_MS;
  const measured = context.load !== undefined && isTimed(views, context);
  for (const view of views) {
    const reset = headerOf(view, 'reset');
    if (reset === undefined || !tellsWindow(view, context)) continue;
    const bounds = measured ? byClock(view, context) : byDate(view, context, slack, Number(reset));
    judgeReset(view, reset, bounds, context.limits.windowMs, it);
  }
  // A reset that is never in the future, give or take an estimated clock, and stays while requests count, is the start of
  // the window, not its end.
  for (const { answers } of isRight ? trafficOf(views, context) : []) {
    const announced = answers.filter(({ kind, reset }) => kind === 'served' && reset !== null);
    if (announced.some(({ arrivedAt, reset }) => (reset ?? 0) - arrivedAt > RESET_TOLERANCE_MS))
      continue;
    const stands = pairs(announced).some(
      ([a, b]) => a.reset === b.reset && (b.remaining ?? 0) < (a.remaining ?? 0),
    );
    const first = announced[0]?.reset ?? 0;
    // Needs two windows, since all requests of one may come just before its end. Reports the first conclusive answer,
    // so that more traffic does not change the finding.
    const plain = announced.find(
      ({ reset }, index) =>
        index >= MANY - 1 && (reset ?? 0) - first > context.limits.windowMs * NEXT_WINDOW,
    );
    if (!stands || plain === undefined) continue;
    it.found(plain.view, {
      kind: 'reset-always-past',
      expected: 'the end of the current window',
      actual: `${readableTime(plain.reset)} at about ${readableTime(plain.arrivedAt)}`,
      header: RATE_HEADERS.reset,
    });
  }
});

/** From this many answers on, it is no coincidence that no reset was in the future. */
const MANY = 10;

/** Failing servers may announce anything, and a 429 from elsewhere says nothing about the window. */
function tellsWindow(view: View, context: Context): boolean {
  if (!isCounted(view) || !isGet(view) || view.status >= 500) return false;
  return view.status !== 429 || isRateRefusal(view, context);
}

/** Range of valid resets, and the time of the answer. Null if no clock is known or none contradicts the reset. */
type Bounds = readonly [from: number, to: number, now: number] | null;

/**
 * Measures the reset against the target's own `Date`, however wrong its clock; a reset that fits the local clock is
 * right, since `Date` may come from a proxy (ruling 12).
 */
function byDate(
  view: View,
  { limits: { windowMs } }: Context,
  slack: number,
  reset: number,
): Bounds {
  const date = dateOf(view);
  const { sentAt, receivedAt } = view.exchange;
  if (reset >= sentAt - SLACK_MS && reset <= receivedAt + windowMs + SLACK_MS) return null;
  const from = (date ?? 0) - Math.max(0, receivedAt - sentAt) - slack;
  return date === null ? null : [from, date + windowMs + slack, date];
}

/**
 * Uses the clock measured before the load. A refusal by a weighted counter announces the first slot of the next
 * window.
 */
function byClock(view: View, context: Context): Bounds {
  const { requests, windowMs } = context.limits;
  const { earliest, latest } = timesOf(view, context);
  return [earliest, latest + windowMs * (view.ok ? 1 : 1 + 1 / requests), latest];
}

function judgeReset(
  view: View,
  text: string,
  bounds: Bounds,
  windowMs: number,
  it: OwnJudgement,
): void {
  const reset = wholeNumber(text);
  if (reset === null || reset < 1e12 || reset >= 1e14) {
    const seconds = reset !== null && reset >= 1e9 && reset < 1e11;
    it.found(view, {
      kind: seconds ? 'reset-in-seconds' : 'reset-not-in-ms',
      expected: 'an integer with 13 digits, such as 1750000000000',
      actual: text,
      header: RATE_HEADERS.reset,
    });
    return;
  }
  if (bounds === null) {
    it.judged(view);
    return;
  }
  const [from, to, now] = bounds;
  it.expect(view, reset >= from && reset <= to, () => ({
    kind: reset < from ? 'reset-past' : 'reset-too-far',
    expected: `from 0 to ${windowMs} ms after ${dateOf(view) === null ? 'the answer' : 'the Date of the answer'}, ${readableTime(now)}`,
    actual: `${text}, which is ${Math.round(Math.abs(reset - now))} ms ${reset < now ? 'before' : 'after'} that time`,
    header: RATE_HEADERS.reset,
  }));
}

/**
 * `8/reset-steady`: within tolerance, the reset never moves back, and stays the same within a fixed window (ruling 12).
 * Sliding windows may announce later resets, so forward moves are judged only if the key's windows are known to be
 * fixed. An answer after the announced reset is in the next window, which `8/window-length` judges.
 */
export const resetSteady = judgeAll((views, context, it) => {
  const { windowMs } = context.limits;
  for (const { answers } of trafficOf(views, context)) {
    const isFixed = kindOf(answers, isBefore, context.limits) === 'fixed';
    const announced = answers.filter(({ reset }) => reset !== null);
    // Compare with the latest reset so far, to catch slow backward drift.
    let latest: RateAnswer | undefined;
    for (const [index, answer] of announced.entries()) {
      const previous = announced[index - 1];
      if (previous !== undefined && (previous.reset ?? 0) >= (latest?.reset ?? 0))
        latest = previous;
      if (latest === undefined || !isBefore(latest, answer)) continue;
      const before = previous !== undefined && isBefore(previous, answer) ? previous : latest;
      const { view, reset } = answer;
      if (reset === null || latest.reset === null || before.reset === null) continue;
      const forward = reset - before.reset;
      const isBack = latest.reset - reset > RESET_TOLERANCE_MS;
      const wentOn =
        isFixed &&
        forward > RESET_TOLERANCE_MS &&
        forward < nextAfterMs(windowMs) &&
        !mayFollowReset(before, answer, windowMs);
      const from = isBack ? latest : before;
      it.expect(view, !isBack && !wentOn, () => ({
        kind: isBack ? 'reset-moves-back' : 'reset-moves-on',
        facts: { after: from.view.exchange.id },
        against: [from.view],
        expected: isBack ? `${readableTime(from.reset)} or later` : readableTime(from.reset),
        actual: `${readableTime(reset)}, ${Math.abs(reset - (from.reset ?? 0))} ms ${isBack ? 'earlier' : 'later'}`,
        header: RATE_HEADERS.reset,
      }));
    }
  }
});
