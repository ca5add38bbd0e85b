import { RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';
import { NEXT_WINDOW } from './models.ts';
import { gap, isBefore, trafficOf, wobbleOf, type KeyTraffic, type RateAnswer } from './traffic.ts';

/** Two answers of a key: one with much of a window used up, and the first one of a window behind its reset. */
interface Turn {
  readonly used: RateAnswer;
  readonly fresh: RateAnswer;
  /** Time between the two announced ends, ms. */
  readonly apart: number;
  /** True when the window was full again sooner than any honest kind of limiter gives its places back. */
  readonly tooSoon: boolean;
  /** True when a window of another length would have shown: the answer came soon after the end of the one before. */
  readonly telling: boolean;
}

/** Places that a bucket may give back without its time being seen: a part of one had passed, and times are estimates. */
const GIVEN_BEFORE = 1.5;
/** A later answer may stand in the next window but one, or beyond: a share of a window. */
const PROMPT = 0.2;
/**
 * One such turn may be a limiter that was started anew in the middle of a window and forgot it; two are its way.
 */
const TWICE = 2;

/**
 * The turns of a key, each from the last answer that had used up half of a window or more to an answer that stands first in
 * its own. That one was sent behind the reset: two instances that count for themselves are no two windows.
 *
 * Fixed windows, whether they begin with the clock or with a request, end at least a window apart, by announcements of which
 * each may be off by a second (ruling 12). In a log that slides,
 * an answer that stands alone is a whole window behind all others. A bucket may announce when it is full, so that its
 * resets lie close together; but it takes its time to fill.
 */
function turnsOf(
  answers: readonly RateAnswer[],
  { requests, windowMs }: Context['limits'],
  least: number,
): readonly Turn[] {
  const turns: Turn[] = [];
  let used: RateAnswer | undefined;
  for (const answer of answers) {
    const { remaining, reset } = answer;
    if (remaining === null || reset === null) continue;
    if (remaining < requests / 2) used = answer;
    if (used === undefined || remaining !== requests - 1 || !isBefore(used, answer)) continue;
    const end = used.reset ?? 0;
    const given = remaining + 1 - (used.remaining ?? 0);
    if (answer.arrivedAt >= end) {
      const apart = reset - end;
      const soon = gap(used, answer) < ((given - GIVEN_BEFORE) * windowMs) / requests;
      const short = apart < least;
      const telling = !short && answer.arrivedAt < end + windowMs * PROMPT;
      turns.push({ used, fresh: answer, apart, tooSoon: soon && short, telling });
    }
    used = undefined;
  }
  return turns;
}

/** The least time between the ends of two honest windows as they are announced, ms. */
const leastApart = (traffic: readonly KeyTraffic[], { limits }: Context): number =>
  limits.windowMs * NEXT_WINDOW - 2 * (wobbleOf(traffic, limits) ?? RESET_TOLERANCE_MS);

/** The share of a window by which a length that is wrong has to show itself. */
const SHOWN_BELOW = 0.5;

/** True when windows are so short beside what announcements may be off by that half a window would not be told from one. */
const isTooShort = (traffic: readonly KeyTraffic[], context: Context): boolean =>
  leastApart(traffic, context) <= context.limits.windowMs * SHOWN_BELOW;

/** True when the length of windows cannot be judged, because the target is scaled and its announcements are not exact. */
export const isScaledAway = (views: readonly View[], context: Context): boolean =>
  isTooShort(trafficOf(views, context), context);

/** True when a window was full again sooner than it may be, once or more often: another turn tells whether it always is. */
export const isSuspect = (views: readonly View[], context: Context): boolean =>
  allTurns(trafficOf(views, context), context).some(({ tooSoon }) => tooSoon);

function allTurns(traffic: readonly KeyTraffic[], context: Context): readonly Turn[] {
  const least = leastApart(traffic, context);
  return traffic.flatMap(({ answers }) => turnsOf(answers, context.limits, least));
}

/**
 * `8/window-length`: the limit holds for a minute, so that the end of one window is no less than that before the end of the
 * next one.
 */
export const windowLength = judgeAll((views, context, it) => {
  const { limits } = context;
  const traffic = trafficOf(views, context);
  const turns = allTurns(traffic, context);
  const short = turns.filter(({ tooSoon }) => tooSoon);
  const [first] = short;
  if (first === undefined || short.length < TWICE) {
    if (isTooShort(traffic, context)) return;
    for (const { fresh, telling } of turns) if (telling) it.judged(fresh.view);
    return;
  }
  const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(1))} s`;
  it.found(first.fresh.view, {
    kind: 'windows-too-short',
    facts: {
      apart: seconds(first.apart),
      requests: limits.requests,
      window: seconds(limits.windowMs),
    },
    expected: `a window of ${seconds(limits.windowMs)}, after ${first.used.view.exchange.id} had left ${first.used.remaining} of it`,
    against: [first.used.view],
    actual: `${first.fresh.remaining} left and a reset ${seconds(first.apart)} later, seen ${short.length} times`,
  });
});
