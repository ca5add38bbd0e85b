import type { Exchange } from '../../src/spec/exchange.ts';
import { RESET_TOLERANCE_MS, ERRORS_COUNT, UNDECIDED } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';
import { NEXT_WINDOW, kindOf } from './models.ts';
import {
  areMultiplesOf,
  isBefore,
  trafficOf,
  resetErrorMs,
  type KeyTraffic,
  type RateAnswer,
  failuresCount,
  refusalsCount,
} from './traffic.ts';

/** Two answers of a key: one from a largely used window, and the first one after its reset. */
interface WindowChange {
  readonly used: RateAnswer;
  readonly fresh: RateAnswer;
  /** Time between the two announced resets, ms. */
  readonly apart: number;
  /** True if the window was full again sooner than any honest limiter allows. */
  readonly tooSoon: boolean;
  /** Whether a wrong window length would have shown, because the answer came soon after the reset; null if it may be wrong. */
  readonly prompt: boolean | null;
}

/** Slots that a bucket may give back early, because part of one was due and times are estimates. */
const RETURNED_EARLY = 1.5;
/** A later answer may belong to a window after the next, as a share of a window. */
const PROMPT_SHARE = 0.2;
/** A single case may be a restarted limiter; two are systematic. */
const TWICE = 2;

/**
 * The changes of window of a key, from the last answer with at least half used to the first answer of a new window. The
 * latter must come after the reset, because two independent instances are not two windows.
 * Fixed windows end at least a window apart, give or take a second for each announcement (ruling 12). In a sliding log,
 * a lone request is a whole window after all others. A bucket may announce when it is full, with resets close together,
 * but takes time to fill.
 */
function windowChanges(
  answers: readonly RateAnswer[],
  { requests, windowMs }: Context['limits'],
  least: number,
): readonly WindowChange[] {
  const changes: WindowChange[] = [];
  let used: RateAnswer | undefined;
  for (const answer of answers) {
    const { remaining, reset } = answer;
    if (remaining === null || reset === null) continue;
    if (remaining < requests / 2) used = answer;
    if (used === undefined || remaining !== requests - 1 || !isBefore(used, answer)) continue;
    const end = used.reset ?? 0;
    const returned = remaining + 1 - (used.remaining ?? 0);
    // A reset that is not later is announced wrongly, and shows no other window.
    if (answer.arrivedAt >= end && reset > end) {
      const apart = reset - end;
      const gap = answer.sentAt - used.receivedAt;
      const soon = gap < ((returned - RETURNED_EARLY) * windowMs) / requests;
      const short = apart < least;
      const prompt = short ? null : answer.arrivedAt < end + windowMs * PROMPT_SHARE;
      changes.push({ used, fresh: answer, apart, tooSoon: soon && short, prompt });
    }
    used = undefined;
  }
  return changes;
}

/**
 * Smallest announced time between the ends of two honest windows, ms. Resets that are multiples of the window are exact:
 * whatever kind of limiter announces them, two of them are at least a window apart.
 */
function leastApart(traffic: readonly KeyTraffic[], { limits }: Context): number {
  const { windowMs } = limits;
  const resets = traffic.flatMap(({ answers }) => answers.flatMap(({ reset }) => reset ?? []));
  const isExact = windowMs > RESET_TOLERANCE_MS && areMultiplesOf(windowMs, resets);
  const errorMs = isExact ? 0 : (resetErrorMs(traffic, limits) ?? RESET_TOLERANCE_MS);
  return windowMs * NEXT_WINDOW - 2 * errorMs;
}

/** Windows shorter than this share must be detectable. */
const SHOWN_BELOW = 0.5;

/** Whether window lengths cannot be judged: half of a scaled window disappears in the tolerance of the announcements. */
export const isScaledAway = (views: readonly View[], context: Context): boolean =>
  leastApart(trafficOf(views, context), context) <= context.limits.windowMs * SHOWN_BELOW;

/** An answer to a key whose window was full again too soon; another change of window shows if that is systematic. */
export const suspectOf = (views: readonly View[], context: Context): Exchange | undefined =>
  allWindowChanges(views, context).find(({ tooSoon }) => tooSoon)?.fresh.view.exchange;

/** What all keys show of windows that follow one another. */
export function allWindowChanges(
  views: readonly View[],
  context: Context,
): readonly WindowChange[] {
  const traffic = trafficOf(views, context);
  const least = leastApart(traffic, context);
  return traffic.flatMap(({ answers }) => windowChanges(answers, context.limits, least));
}

/** `8/window-length`: the limit applies per minute, so windows end at least a minute apart. */
export const windowLength = judgeAll((views, context, it) => {
  const { limits } = context;
  const changes = allWindowChanges(views, context);
  const short = changes.filter(({ tooSoon }) => tooSoon);
  const [first] = short;
  if (first === undefined || short.length < TWICE) {
    if (isScaledAway(views, context)) return;
    for (const { fresh, prompt } of changes) if (prompt === true) it.judged(fresh.view);
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
    expected: `a window of ${seconds(limits.windowMs)}; ${first.used.view.exchange.id} had ${first.used.remaining} requests left in it`,
    against: [first.used.view],
    actual: `${first.fresh.remaining} requests left, and a reset only ${seconds(first.apart)} after the previous one, seen ${short.length} times`,
  });
});

const QUESTION = 'Kind of window';

/** `8/window-kind`, ruling 13: the kind of limiter that explains the headers. */
export const windowKind = judgeAll((views, context, it) => {
  let undecided: RateAnswer | undefined;
  let told = false;
  for (const { answers } of trafficOf(views, context)) {
    const announced = answers.filter(({ reset }) => reset !== null);
    const last = announced.at(-1);
    if (last === undefined || announced.length < 2) continue;
    const kind = kindOf(answers, isBefore, context.limits);
    undecided ??= last;
    if (kind === 'unknown') continue;
    told = true;
    const aligned = areMultiplesOf(
      context.limits.windowMs,
      announced.flatMap(({ reset }) => reset ?? []),
    );
    const start = aligned ? 'with the clock' : "with a key's first request";
    it.read(QUESTION, kind === 'fixed' ? `fixed, starting ${start}` : 'sliding', last.view);
  }
  if (!told && undecided !== undefined) it.read(QUESTION, UNDECIDED, undecided.view);
});

/** `8/refused-counted`: whether refusals and errors count against the limit. */
export const refusedCounted = judgeAll((views, context, it) => {
  for (const traffic of trafficOf(views, context)) {
    const { answers, complete } = traffic;
    const refused = complete ? refusalsCount(answers, context.limits.requests) : null;
    const readings = [
      ['Requests refused with 429 count against the limit', refused, 'limited'],
      [ERRORS_COUNT, failuresCount([traffic]), 'failed'],
    ] as const;
    for (const [question, counted, of] of readings) {
      const answer = answers.find(({ kind }) => kind === of);
      if (counted !== null && answer !== undefined)
        it.read(question, counted ? 'yes' : 'no', answer.view);
    }
  }
});
