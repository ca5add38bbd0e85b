import { STATUS } from '../../src/spec/finding.ts';
import { RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { codeOf } from '../../src/judge/errors.ts';
import { judgeAll, type OwnJudgement } from '../../src/judge/judge.ts';
import { readableTime } from '../../src/text/time.ts';
import { isDisguisedRefusal } from './answers.ts';
import { unexplained } from './models.ts';
import { isPooled } from './per-key.ts';
import {
  done,
  failuresCount,
  firstAt,
  isBefore,
  refusalsCount,
  sent,
  span,
  trafficOf,
  resetErrorMs,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';

/** `8/limit-enforced`, ruling 13: finds requests that no honest limiter would have admitted. */
export const limitEnforced = judgeAll((views, context, it) => {
  for (const view of views.filter(isDisguisedRefusal)) {
    it.found(view, {
      kind: 'limiter-status',
      expected: 'status 429',
      actual: `status ${view.status} with code ${codeOf(view) ?? 'none'}`,
      header: STATUS,
    });
  }
  const traffic = trafficOf(views, context);
  const failures = failuresCount(traffic) === true;
  for (const { answers } of traffic) {
    const counted = withAssignedWindows(answers, offBy(traffic, context), context).filter(
      ({ kind, remaining }) =>
        kind === 'served' || (kind === 'failed' && remaining !== null && failures),
    );
    const beyond = unexplained(counted, context.limits);
    for (const { at, nth } of beyond) {
      const extra = counted[at];
      if (extra === undefined) continue;
      const { requests, windowMs } = context.limits;
      it.found(extra.view, {
        kind: 'admitted-beyond-limit',
        facts: { admitted: nth },
        expected: `429 for the request after the ${requests} that a window of ${windowMs} ms admits`,
        actual: `status ${extra.view.status}; announced reset ${readableTime(extra.reset)}`,
        header: STATUS,
      });
    }
    if (beyond.length === 0)
      judgeEnforced(answers, failures, isPooled(traffic, context), context, it);
  }
});

/**
 * A refusal shows that the limit is enforced if the window was used up, by its headers or by our count; only by the
 * latter where the headers count the requests of other keys as well. Requests
 * admitted while the refusal was in flight came before it. More than the limit within one window length is
 * inconclusive: two adjacent windows, or a limit that is too high.
 */
function judgeEnforced(
  answers: readonly RateAnswer[],
  failures: boolean,
  pooled: boolean,
  { limits: { requests, windowMs } }: Context,
  it: OwnJudgement,
): void {
  const usedUp = new Map<number, number>();
  for (const answer of answers) {
    const { kind, remaining, window } = answer;
    if (kind === 'limited' || remaining !== 0 || window === null) continue;
    usedUp.set(window, Math.min(usedUp.get(window) ?? Number.POSITIVE_INFINITY, sent(answer)));
  }
  // Where no reset is readable, it is unknown whether errors count, and only the most that may have counted shows a limit.
  const errors = failures || answers.every(({ reset }) => reset === null);
  const counted = answers.filter(({ kind }) => kind === 'served' || (kind === 'failed' && errors));
  for (const refusal of answers) {
    if (refusal.kind !== 'limited') continue;
    const announced =
      !pooled && (usedUp.get(refusal.window ?? 0) ?? Number.POSITIVE_INFINITY) <= done(refusal);
    let recent = 0;
    for (let at = firstAt(counted, done(refusal), sent) - 1; at >= 0; at -= 1) {
      const answer = counted[at];
      if (answer === undefined || span(answer, refusal) >= windowMs) break;
      recent += 1;
    }
    if (announced || recent === requests) it.judged(refusal.view);
  }
}

/** Possible error of announced resets, ms. Clock-aligned windows end on whole seconds without rounding. */
function offBy(traffic: readonly KeyTraffic[], { limits, load }: Context): number {
  const followClock = traffic.every(({ answers }) =>
    answers.every(({ reset }) => reset === null || reset % limits.windowMs === 0),
  );
  if (load !== undefined && followClock) return load.clockWithinMs;
  return resetErrorMs(traffic, limits) ?? RESET_TOLERANCE_MS;
}

/** Further announced resets show nothing new: a sliding window announces another one with each refusal. */
const RESETS_JUDGED = 200;

/**
 * Assigns answers without headers to windows as far as refusals allow: two refusals less than two windows apart enclose
 * a single fixed window, and a known clock tells where it starts.
 */
function withAssignedWindows(
  answers: readonly RateAnswer[],
  errorMs: number,
  { limits: { windowMs }, clockTold, load }: Context,
): readonly RateAnswer[] {
  const named = new Map<RateAnswer, number>();
  const silent = answers.filter(({ kind, reset }) => kind === 'served' && reset === null);
  const refusals = answers.filter(({ kind, reset }) => kind === 'limited' && reset !== null);
  if (silent.length === 0) return answers;
  for (const [index, refusal] of refusals.slice(0, RESETS_JUDGED).entries()) {
    const before = refusals[index - 1];
    const end = refusal.reset;
    if (end === null || before?.reset === end) continue;
    const apart = end - (before?.reset ?? Number.NEGATIVE_INFINITY);
    const isOne = apart >= windowMs - 2 * errorMs && apart < 2 * (windowMs - errorMs);
    for (const one of silent) {
      const isBetween =
        isOne && before !== undefined && isBefore(before, one) && isBefore(one, refusal);
      const isWithin =
        (clockTold === true || load !== undefined) &&
        one.earliest >= end - windowMs + errorMs &&
        one.latest <= end;
      if (isBetween || isWithin) named.set(one, end);
    }
  }
  return answers.map((one) => ({ ...one, window: named.get(one) ?? one.window }));
}

/**
 * `8/reset`: a refused key is admitted after the reset. A later refusal counts if the target itself has announced a new
 * window by then and nobody else uses the key; a limiter whose clock lags still announces the old one.
 */
export const admittedAfterReset = judgeAll((views, context, it) => {
  const traffic = trafficOf(views, context);
  // A reset computed from a remainder in whole seconds may be a second early.
  const errorMs = resetErrorMs(traffic, context.limits);
  const early = Math.min(errorMs ?? 0, toleranceOf(context));
  for (const { answers, shared, granularityMs } of traffic) {
    const slowest = answers.reduce((most, one) => Math.max(most, done(one) - sent(one)), 0);
    const tolerance =
      announcedWithin(context, errorMs ?? RESET_TOLERANCE_MS) +
      (context.load === undefined ? 0 : granularityMs);
    for (const [index, refusal] of answers.entries()) {
      if (refusal.kind !== 'limited') continue;
      const { end, doubt } = endOf(refusal, context);
      const after = afterReset(index, refusal, { answers, slowest }, context);
      if (after === null) continue;
      const forgivenUntil = end + Math.max(doubt, early);
      const { next, admitted } = laterIfForgiven(answers, after, forgivenUntil, context);
      // Of concurrent requests after the reset, the first ones took the slots.
      if (next.kind !== 'limited' || admitted) {
        it.judged(next.view);
        continue;
      }
      const isNew =
        endOf(next, context).end > end + toleranceOf(context) && next.arrivedAt >= forgivenUntil;
      // Or the target still announces the old reset, beyond the tolerance for announcements.
      const isOver = next.earliest > Math.max(end, next.reset ?? end) + tolerance;
      if (!isOver && (shared || !isNew || isPooled(traffic, context))) continue;
      it.found(next.view, {
        kind: 'refused-after-reset',
        facts: { refusal: refusal.view.exchange.id },
        against: [refusal.view],
        expected: `no refusal from ${readableTime(end)} on`,
        actual: `status 429 at about ${readableTime(next.arrivedAt)}, ${Math.round(next.arrivedAt - end)} ms after the reset`,
        header: STATUS,
      });
    }
  }
});

/**
 * The first request after the announced wait, and whether any concurrent one was admitted. None if a later refusal
 * extended the wait, or if a concurrent refusal announced a later end, since their order is unknown.
 */
function afterReset(
  index: number,
  refusal: RateAnswer,
  { answers, slowest }: { readonly answers: readonly RateAnswer[]; readonly slowest: number },
  context: Context,
): AfterReset | null {
  const { end, doubt } = endOf(refusal, context);
  const isOver = (answer: RateAnswer): boolean => answer.arrivedAt >= end - doubt;
  const later = Math.max(index + 1, firstAt(answers, done(refusal), sent));
  let next: RateAnswer | undefined;
  for (let at = later; ; at += 1) {
    const answer = answers[at];
    if (answer === undefined) break;
    if (isOver(answer)) next ??= answer;
    else if (answer.kind === 'limited') return null;
    if (next !== undefined && sent(answer) > done(next)) break;
  }
  if (next === undefined) return null;
  let admitted = false;
  const from = firstAt(answers, sent(refusal) - slowest, sent);
  for (let at = from; ; at += 1) {
    const answer = answers[at];
    if (answer === undefined || sent(answer) > done(next)) break;
    if (isOver(answer)) admitted ||= answer.kind === 'served';
    else if (
      answer.kind === 'limited' &&
      !isBefore(answer, refusal) &&
      endOf(answer, context).end > end
    ) {
      return null;
    }
  }
  return { next, admitted };
}

/** The first request after an announced wait. */
interface AfterReset {
  readonly next: RateAnswer;
  /** Whether a request at the same time was admitted. */
  readonly admitted: boolean;
}

/**
 * A refusal that the tolerance forgives decides nothing, but one after the tolerance does, if nothing was admitted in
 * between. Refusals that count extend the wait instead.
 */
function laterIfForgiven(
  answers: readonly RateAnswer[],
  first: AfterReset,
  forgivenUntil: number,
  { limits: { requests } }: Context,
): AfterReset {
  const { next, admitted } = first;
  if (next.kind !== 'limited' || admitted || next.arrivedAt >= forgivenUntil) return first;
  if (refusalsCount(answers, requests) !== false) return first;
  // What was sent within the tolerance may have counted within it.
  const isPast = (answer: RateAnswer): boolean =>
    answer.arrivedAt - (done(answer) - sent(answer)) >= forgivenUntil;
  let later: RateAnswer | undefined;
  for (let at = answers.indexOf(next) + 1; ; at += 1) {
    const answer = answers[at];
    if (answer === undefined || (later !== undefined && sent(answer) > done(later))) break;
    if (answer.kind !== 'limited') return { next: answer, admitted: true };
    if (isPast(answer)) later ??= answer;
  }
  return later === undefined ? first : { next: later, admitted: false };
}

/** Possible error of announced times compared with a clock, ms. Clocks of instances differ. */
function announcedWithin({ load, limits: { windowMs } }: Context, errorMs: number): number {
  return load?.clockWithinMs ?? Math.max(errorMs, Math.min(RESET_TOLERANCE_MS, windowMs / 5));
}

/** How much announcements of one reset may differ, ms; less for short test windows. */
function toleranceOf({ limits: { windowMs } }: Context): number {
  return Math.min(RESET_TOLERANCE_MS, windowMs / 2);
}

/**
 * The announced end of the wait, with its uncertainty in ms. Without a plausible announcement or a known clock, one
 * window after the refusal.
 */
function endOf(
  refusal: RateAnswer,
  { limits: { requests, windowMs } }: Context,
): { end: number; doubt: number } {
  // A weighted counter may count an exhausted window until the first slot of the next one is due.
  const latest = refusal.arrivedAt + windowMs * (1 + 1 / requests);
  const doubt = Math.min(2000, windowMs / 20);
  const { reset: announced } = refusal;
  return announced === null || announced > latest + doubt || !Number.isFinite(refusal.latest)
    ? { end: refusal.arrivedAt + windowMs, doubt }
    : { end: announced, doubt: 0 };
}
