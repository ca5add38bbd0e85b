import { STATUS } from '../../src/contract/finding.ts';
import { RESET_TOLERANCE_MS } from '../../src/contract/limits.ts';
import type { Context } from '../../src/rules/context.ts';
import { codeOf } from '../../src/rules/errors.ts';
import type { Judgement, Rule } from '../../src/rules/judgement.ts';
import {
  done,
  failuresCount,
  firstAt,
  gap,
  isBefore,
  sameWindow,
  sent,
  span,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';
import { isDisguisedRefusal } from './answers.ts';
import { judgeBetweenRefusals } from './between.ts';
import { isPooled } from './per-key.ts';
import { NEXT_WINDOW } from './window-kind.ts';
import { wobbleOf } from './wobble.ts';
import { place } from '../../src/rules/transport.ts';
import type { View } from '../../src/rules/view.ts';
import { moment } from '../../src/text/moment.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const LIMIT_ADMISSION = criteria('limitEnforced', 'reset');

/**
 * §8, ruling 13: in one window no more than the limit is admitted. Counted from each answer that announces a reset: what
 * is admitted before that reset, and within one window length, is too much in fixed and in sliding windows alike. A
 * target that announces nothing may have fixed windows of which we do not know the start, so only more than twice the
 * limit within one window length proves something.
 */
const limitEnforced: Rule = {
  name: 'limit-enforced',
  judges: [LIMIT_ADMISSION.limitEnforced],
  each(view, _context, into) {
    if (!isDisguisedRefusal(view)) return;
    into.found(LIMIT_ADMISSION.limitEnforced, view, {
      message: `${place(view)} was refused by the limiter with another status`,
      expected: 'status 429',
      actual: `status ${view.status} with ${describeCode(view)}`,
      pointer: '/code',
    });
  },
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const failures = failuresCount(traffic) === true;
    const announced = {
      wobbleMs: wobbleOf(traffic, context.limits) ?? RESET_TOLERANCE_MS,
      clockTold: context.clockTold === true,
    };
    const where = LIMIT_ADMISSION.limitEnforced;
    for (const ofKey of traffic) {
      const { answers } = ofKey;
      const admitted = answers.filter(
        ({ kind, remaining }) =>
          kind === 'served' || (kind === 'failed' && failures && remaining !== null),
      );
      if (judgeExcess(admitted, context, into)) continue;
      if (context.load !== undefined) judgeBeforeReset(ofKey, admitted, context, into);
      else if (judgeBetweenRefusals(ofKey, announced, context, where, into)) continue;
      judgeEnforced(answers, failures, context, into);
    }
  },
};

function describeCode(view: View): string {
  return `code ${codeOf(view) ?? 'none'}`;
}

function judgeExcess(admitted: readonly RateAnswer[], context: Context, into: Judgement): boolean {
  const { requests, windowMs } = context.limits;
  let until: RateAnswer | undefined;
  for (const [index, first] of admitted.entries()) {
    // One finding a window: the next one starts behind what was found.
    if (first.kind !== 'served' || (until !== undefined && isBefore(first, until))) continue;
    const announced = inWindowOf(first, admitted, index, context.limits);
    const extra = announced[requests];
    if (extra === undefined) continue;
    into.found(LIMIT_ADMISSION.limitEnforced, extra.view, {
      message: `${announced.length} requests of one key were admitted in one window, counted from ${first.view.exchange.id}`,
      expected: `429 for the request after the ${requests} that the window admits`,
      actual: `status ${extra.view.status} on request ${requests + 1}; announced reset ${moment(first.reset)}`,
      header: STATUS,
    });
    until = announced.at(-1);
  }
  return until !== undefined || judgeDense(admitted, requests, windowMs, into);
}

/** What was admitted in the window of an answer, from it on. Nothing that is sent a window length later belongs to it. */
function inWindowOf(
  first: RateAnswer,
  admitted: readonly RateAnswer[],
  index: number,
  { requests, windowMs }: Context['limits'],
): readonly RateAnswer[] {
  const announced: RateAnswer[] = [];
  const most = 4 * requests;
  if (first.reset === null) return announced;
  for (let at = index; at < admitted.length; at += 1) {
    const answer = admitted[at];
    if (answer === undefined || gap(first, answer) >= windowMs) break;
    // So many in a window length are too many whatever is announced.
    if (at - index > most && announced.length <= requests) break;
    if (isOneWindow(first, answer, windowMs) || isWithin(first, answer, windowMs)) {
      announced.push(answer);
    }
  }
  return announced;
}

function judgeDense(
  admitted: readonly RateAnswer[],
  requests: number,
  windowMs: number,
  into: Judgement,
): boolean {
  const most = 2 * requests;
  for (const [index, first] of admitted.entries()) {
    const late = admitted[index + most];
    if (late === undefined || span(first, late) >= windowMs) continue;
    into.found(LIMIT_ADMISSION.limitEnforced, late.view, {
      message: `More than ${most} requests of one key were admitted within ${windowMs} ms, counted from ${first.view.exchange.id}`,
      expected: `at most ${requests} in any window, so at most ${most} where two windows meet`,
      actual: `status ${late.view.status} on request ${most + 1}`,
      header: STATUS,
    });
    return true;
  }
  return false;
}

/**
 * True when both announce one window and lie close enough for one. In a log that slides, the reset moves on by no more than
 * what an announcement may be off when its first requests leave it together.
 */
function isOneWindow(first: RateAnswer, answer: RateAnswer, windowMs: number): boolean {
  const tolerance = Math.min(RESET_TOLERANCE_MS, windowMs / 10);
  return sameWindow(first, answer) && gap(first, answer) < windowMs - tolerance;
}

/**
 * True when both lie in one window of any kind: before the announced end, and closer than one window length. An answer
 * that announces the next fixed window lies in that one, whatever the clocks say.
 */
function isWithin(first: RateAnswer, answer: RateAnswer, windowMs: number): boolean {
  if (first.reset === null || first.reset > first.latest + windowMs) return false;
  if (answer.reset !== null && answer.reset >= first.reset + windowMs * NEXT_WINDOW) return false;
  return (
    isBefore(first, answer) && answer.latest < Math.min(first.reset, first.earliest + windowMs)
  );
}

/**
 * A refusal shows that the limit is kept when the window was used up: by the figures, or by our own count. What was
 * admitted while the refusal was under way came before it, since nothing is admitted after it. More than the limit within
 * one window length may be two windows that meet, or a limit that is too high: that says nothing.
 */
function judgeEnforced(
  answers: readonly RateAnswer[],
  failures: boolean,
  { limits: { requests, windowMs } }: Context,
  into: Judgement,
): void {
  const usedUp = new Map<number, number>();
  for (const answer of answers) {
    const { kind, remaining, window } = answer;
    if (kind === 'limited' || remaining !== 0 || window === null) continue;
    usedUp.set(window, Math.min(usedUp.get(window) ?? Number.POSITIVE_INFINITY, sent(answer)));
  }
  const counted = answers.filter(
    ({ kind }) => kind === 'served' || (kind === 'failed' && failures),
  );
  for (const refusal of answers) {
    if (refusal.kind !== 'limited') continue;
    const announced =
      (usedUp.get(refusal.window ?? 0) ?? Number.POSITIVE_INFINITY) <= done(refusal);
    let recent = 0;
    for (let at = firstAt(counted, done(refusal), sent) - 1; at >= 0; at -= 1) {
      const answer = counted[at];
      if (answer === undefined || span(answer, refusal) >= windowMs) break;
      recent += 1;
    }
    if (announced || recent === requests) into.judged(LIMIT_ADMISSION.limitEnforced, refusal.view);
  }
}

/** A sliding window announces a reset of its own with each refusal; more of them show nothing new. */
const RESETS_JUDGED = 200;

/**
 * What is surely admitted within the window length before the reset that a refusal announces, whether or not admitted
 * answers carry figures. Needs a clock that is known well.
 */
function judgeBeforeReset(
  { answers }: KeyTraffic,
  admitted: readonly RateAnswer[],
  context: Context,
  into: Judgement,
): void {
  const { requests, windowMs } = context.limits;
  const resets = new Map<number, RateAnswer>();
  for (const answer of answers) {
    if (answer.kind === 'limited' && answer.reset !== null) resets.set(answer.reset, answer);
  }
  for (const [reset, { view }] of [...resets].slice(0, RESETS_JUDGED)) {
    // The reset may be announced a little too early (ruling 12), and then the window begins later.
    const from = reset - windowMs + toleranceOf(context);
    let inside = 0;
    for (let at = firstAt(admitted, from, (one) => one.earliest); ; at += 1) {
      const answer = admitted[at];
      if (answer === undefined || answer.earliest > reset) break;
      if (answer.latest <= reset) inside += 1;
    }
    into.expect(LIMIT_ADMISSION.limitEnforced, view, inside <= requests, () => ({
      message: `More requests of one key were admitted in the window before an announced reset than the limit`,
      expected: `at most ${requests} in the ${windowMs} ms before ${moment(reset)}`,
      actual: String(inside),
    }));
  }
}

/**
 * §8: a refused request is admitted after the reset. A refusal after it counts when the target itself announces a new
 * window by then, and the key shows no use by others; a limiter whose clock is a moment behind announces the old one.
 */
const reset: Rule = {
  name: 'limit-reset',
  judges: [LIMIT_ADMISSION.reset],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const pooled = isPooled(traffic, context);
    // A reset that is made of a rest in whole seconds is announced too early by up to one.
    const wobbleMs = wobbleOf(traffic, context.limits);
    const early = Math.min(wobbleMs ?? 0, toleranceOf(context));
    for (const ofKey of traffic) {
      const { answers, shared, grain } = ofKey;
      const slowest = answers.reduce((most, one) => Math.max(most, done(one) - sent(one)), 0);
      const tolerance =
        announcedWithin(context, wobbleMs ?? RESET_TOLERANCE_MS) +
        (context.load === undefined ? 0 : grain);
      for (const [index, refusal] of answers.entries()) {
        if (refusal.kind !== 'limited') continue;
        const { end, doubt } = endOf(refusal, context);
        const { next, admitted } = afterReset(index, refusal, { answers, slowest }, context);
        if (next === undefined) continue;
        // Of requests under way together after the reset, those that came first took the places.
        if (next.kind !== 'limited' || admitted) {
          into.judged(LIMIT_ADMISSION.reset, next.view);
          continue;
        }
        const isNew =
          endOf(next, context).end > end + toleranceOf(context) &&
          next.arrivedAt >= end + Math.max(doubt, early);
        // Or the target still announces the reset that is over, by more than announcements may differ.
        const isOver = next.earliest > Math.max(end, next.reset ?? end) + tolerance;
        if (!isOver && (shared || pooled || !isNew)) continue;
        into.found(LIMIT_ADMISSION.reset, next.view, {
          message: `${place(next.view)} was refused after the reset that ${refusal.view.exchange.id} announced`,
          expected: `an answer from ${moment(end)} on`,
          actual: `status 429 at about ${moment(next.arrivedAt)}, ${next.arrivedAt - end} ms after the reset`,
          header: STATUS,
        });
      }
    }
  },
};

/**
 * The first request after the wait that a refusal announces, and whether any of those under way with it was admitted.
 * Nothing when another refusal has the last word on when the wait ends: a later one before the reset, or one at the same
 * moment that announces a later end, for of those nobody knows which was later.
 */
function afterReset(
  index: number,
  refusal: RateAnswer,
  { answers, slowest }: { readonly answers: readonly RateAnswer[]; readonly slowest: number },
  context: Context,
): { readonly next?: RateAnswer; readonly admitted: boolean } {
  const { end, doubt } = endOf(refusal, context);
  const isOver = (answer: RateAnswer): boolean => answer.arrivedAt >= end - doubt;
  const later = Math.max(index + 1, firstAt(answers, done(refusal), sent));
  let next: RateAnswer | undefined;
  for (let at = later; ; at += 1) {
    const answer = answers[at];
    if (answer === undefined) break;
    if (isOver(answer)) next ??= answer;
    else if (answer.kind === 'limited') return { admitted: false };
    if (next !== undefined && sent(answer) > done(next)) break;
  }
  if (next === undefined) return { admitted: false };
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
      return { admitted: false };
    }
  }
  return { next, admitted };
}

/** By how much the announced times may be off where they are compared with a clock, ms. Clocks of instances differ. */
function announcedWithin({ load, limits: { windowMs } }: Context, wobbleMs: number): number {
  return load?.clockWithinMs ?? Math.max(wobbleMs, Math.min(RESET_TOLERANCE_MS, windowMs / 5));
}

/** By how much announcements of one reset may differ; less where the windows of a test target are short, ms. */
function toleranceOf({ limits: { windowMs } }: Context): number {
  return Math.min(RESET_TOLERANCE_MS, windowMs / 2);
}

/**
 * The announced end of the wait; one window from the refusal on where none is announced that can be one, or where no clock
 * tells when it comes, and then the doubt about it, ms.
 */
function endOf(
  refusal: RateAnswer,
  { limits: { requests, windowMs } }: Context,
): { end: number; doubt: number } {
  // A weighted counter knows that a window which was used up weighs too much until the first place of the next is due.
  const latest = refusal.arrivedAt + windowMs * (1 + 1 / requests);
  const doubt = Math.min(2000, windowMs / 20);
  const { reset: announced } = refusal;
  return announced === null || announced > latest + doubt || !Number.isFinite(refusal.latest)
    ? { end: refusal.arrivedAt + windowMs, doubt }
    : { end: announced, doubt: 0 };
}

export const LIMIT_ADMISSION_RULES: readonly Rule[] = [limitEnforced, reset];
