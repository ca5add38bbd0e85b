import { RESET_TOLERANCE_MS } from '../contract/limits.ts';
import type { Context } from './context.ts';
import { codeOf } from './errors.ts';
import type { Judgement, Rule } from './judgement.ts';
import {
  failuresCount,
  gap,
  isBefore,
  sameWindow,
  span,
  trafficOf,
  type RateAnswer,
} from './limit-traffic.ts';
import { isDisguisedRefusal } from './limit-answers.ts';
import { isPooled } from './limit-per-key.ts';
import { NEXT_WINDOW } from './limit-window-kind.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { moment } from '../text/moment.ts';

/** Target's time at which the answer arrived, epoch ms, as well as it is known. */
const arrived = ({ view }: RateAnswer): number => view.now;

/**
 * §8, ruling 13: in one window no more than the limit is admitted. Counted from each answer that announces a reset: what
 * is admitted before that reset, and within one window length, is too much in fixed and in sliding windows alike. A
 * target that announces nothing may have fixed windows of which we do not know the start, so only more than twice the
 * limit within one window length proves something.
 */
const limitEnforced: Rule = {
  name: 'limit-enforced',
  judges: ['8/limit-enforced'],
  each(view, _context, into) {
    if (!isDisguisedRefusal(view)) return;
    into.found('8/limit-enforced', view, {
      message: `${place(view)} was refused by the limiter with another status`,
      expected: 'status 429',
      actual: `status ${view.status} with ${describeCode(view)}`,
      pointer: '/code',
    });
  },
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const failures = failuresCount(traffic) === true;
    for (const { answers } of traffic) {
      const admitted = answers.filter(
        ({ kind, remaining }) =>
          kind === 'served' || (kind === 'failed' && failures && remaining !== null),
      );
      if (!judgeExcess(admitted, context, into)) judgeEnforced(answers, failures, context, into);
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
    const announced = admitted
      .slice(index)
      .filter(
        (answer) => isOneWindow(first, answer, windowMs) || isWithin(first, answer, windowMs),
      );
    const extra = announced[requests];
    if (extra === undefined) continue;
    into.found('8/limit-enforced', extra.view, {
      message: `${announced.length} requests of one key were admitted in one window, counted from ${first.view.exchange.id}`,
      expected: `429 for the request after the ${requests} that the window admits`,
      actual: `status ${extra.view.status} on request ${requests + 1}; announced reset ${moment(first.reset)}`,
    });
    until = announced.at(-1);
  }
  return until !== undefined || judgeDense(admitted, requests, windowMs, into);
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
    into.found('8/limit-enforced', late.view, {
      message: `More than ${most} requests of one key were admitted within ${windowMs} ms, counted from ${first.view.exchange.id}`,
      expected: `at most ${requests} in any window, so at most ${most} where two windows meet`,
      actual: `status ${late.view.status} on request ${most + 1}`,
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

/** A refusal shows that the limit is kept when the window was used up: by the figures, or by our own count. */
function judgeEnforced(
  answers: readonly RateAnswer[],
  failures: boolean,
  { limits: { requests, windowMs } }: Context,
  into: Judgement,
): void {
  for (const [index, refusal] of answers.entries()) {
    if (refusal.kind !== 'limited') continue;
    const before = answers.slice(0, index).filter((answer) => isBefore(answer, refusal));
    const announced = before.some(
      (answer) =>
        answer.remaining === 0 && answer.kind !== 'limited' && sameWindow(answer, refusal),
    );
    const recent = before.filter(
      (answer) =>
        (answer.kind === 'served' || (answer.kind === 'failed' && failures)) &&
        span(answer, refusal) < windowMs,
    );
    if (announced || recent.length >= requests) into.judged('8/limit-enforced', refusal.view);
  }
}

/**
 * §8: a refused request is admitted after the reset. A refusal after it counts when the target itself announces a new
 * window by then, and the key shows no use by others; a limiter whose clock is a moment behind announces the old one.
 */
const reset: Rule = {
  name: 'limit-reset',
  judges: ['8/reset'],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const pooled = isPooled(traffic, context);
    for (const { answers, shared } of traffic) {
      for (const [index, refusal] of answers.entries()) {
        if (refusal.kind !== 'limited') continue;
        const { end, doubt } = endOf(refusal, context);
        const later = answers.slice(index + 1).filter((answer) => isBefore(refusal, answer));
        const next = later.find((answer) => arrived(answer) >= end - doubt);
        // A later refusal before the reset has the last word on when the wait ends. Of refusals at the same moment nobody
        // knows which was later: one that announces a later end may have been.
        const again = answers.some(
          (answer) =>
            answer !== refusal &&
            answer.kind === 'limited' &&
            arrived(answer) < end - doubt &&
            !isBefore(answer, refusal) &&
            (isBefore(refusal, answer) || endOf(answer, context).end > end),
        );
        if (next === undefined || again) continue;
        if (next.kind !== 'limited') {
          into.judged('8/reset', next.view);
          continue;
        }
        const isNew =
          endOf(next, context).end > end + toleranceOf(context) && arrived(next) >= end + doubt;
        // Or the target still announces the reset that is over, by more than announcements may differ.
        const isOver = next.earliest > Math.max(end, next.reset ?? end) + RESET_TOLERANCE_MS;
        if (!isOver && (shared || pooled || !isNew)) continue;
        into.found('8/reset', next.view, {
          message: `${place(next.view)} was refused after the reset that ${refusal.view.exchange.id} announced`,
          expected: `an answer from ${moment(end)} on`,
          actual: `status 429 at about ${moment(arrived(next))}, ${arrived(next) - end} ms after the reset`,
        });
      }
    }
  },
};

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
  const latest = arrived(refusal) + windowMs * (1 + 1 / requests);
  const doubt = Math.min(2000, windowMs / 20);
  const { reset: announced } = refusal;
  return announced === null || announced > latest + doubt || !Number.isFinite(refusal.latest)
    ? { end: arrived(refusal) + windowMs, doubt }
    : { end: announced, doubt: 0 };
}

export const LIMIT_ADMISSION_RULES: readonly Rule[] = [limitEnforced, reset];
