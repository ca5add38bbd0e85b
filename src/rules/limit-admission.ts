import { RESET_TOLERANCE_MS } from '../contract/limits.ts';
import type { Context } from './context.ts';
import { codeOf } from './errors.ts';
import type { Judgement, Rule } from './judgement.ts';
import {
  failuresCount,
  isBefore,
  sameWindow,
  span,
  trafficOf,
  type KeyTraffic,
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
  requirements: ['8/limit-enforced'],
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
      .filter((answer) => sameWindow(first, answer) || isWithin(first, answer, windowMs));
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
 * A run of requests of one key that starts a window (Remaining is the limit less one) and that leaves nothing out:
 * Remaining goes down by one each time, so nobody else used the key meanwhile.
 */
interface Chain {
  readonly first: RateAnswer;
  /** Requests that were counted. */
  counted: number;
  last: RateAnswer;
  /** The refusal that ended it; null while it goes on. */
  refusal: RateAnswer | null;
}

function chainsOf(answers: readonly RateAnswer[], start: number, windowMs: number): Chain[] {
  const chains: Chain[] = [];
  let chain: Chain | undefined;
  for (const answer of answers) {
    if (answer.kind === 'served' && answer.remaining === start && !repeats(chain, answer)) {
      chain = { first: answer, counted: 1, last: answer, refusal: null };
      chains.push(chain);
      continue;
    }
    if (chain === undefined) continue;
    const together = sameWindow(chain.first, answer) || span(chain.first, answer) < windowMs;
    const down =
      chain.last.remaining === null || answer.remaining === null
        ? null
        : chain.last.remaining - answer.remaining;
    if (!together || !isBefore(chain.last, answer)) chain = undefined;
    else if (answer.kind === 'limited') {
      chain.refusal = answer;
      chain = undefined;
    } else if (down === 1 || (down === 0 && answer.kind === 'failed')) {
      chain.counted += down;
      chain.last = answer;
    } else chain = undefined;
  }
  return chains;
}

/** The same figure twice in one window is no new start. */
function repeats(chain: Chain | undefined, answer: RateAnswer): boolean {
  return chain !== undefined && sameWindow(chain.first, answer);
}

/**
 * §8, ruling 13: every request within the limit is admitted. Judged on windows that we saw from their beginning to a
 * refusal. Requests of somebody else look like a limit that is too low: so a finding takes keys that show no use by
 * others, and two windows that ended after the same number of requests, with none that ended as it should. Where all
 * windows of several keys begin with the same lower figure, it is the target that counts from there; on a single key it
 * may be a monitor that asks once a minute.
 */
const limitNotEarly: Rule = {
  name: 'limit-not-early',
  requirements: ['8/limit-not-early', '8/limit-enforced'],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const { requests, windowMs } = context.limits;
    const start = commonStart(traffic, requests);
    const early: (Chain & { readonly refusal: RateAnswer })[] = [];
    let kept = false;
    for (const { answers, shared } of traffic) {
      for (const chain of chainsOf(answers, start, windowMs)) {
        const { refusal, counted } = chain;
        if (refusal === null) continue;
        if (counted >= requests) {
          kept = true;
          into.judged('8/limit-not-early', refusal.view);
        } else if (!shared) early.push({ ...chain, refusal });
      }
      judgeUnannounced(answers, requests, windowMs, into);
    }
    const [first, second] = early;
    if (kept || first === undefined || second === undefined || isPooled(traffic, context)) return;
    if (early.some(({ counted }) => counted !== first.counted)) return;
    const lower = start < requests - 1;
    for (const { counted, first: begin, refusal } of early) {
      // The limiter refuses, if too soon: what lies beyond the limit is refused all the more.
      into.judged('8/limit-enforced', refusal.view);
      into.found('8/limit-not-early', refusal.view, {
        message: `${place(refusal.view)} was refused after ${counted} requests of its window, counted from ${begin.view.exchange.id}, and so it went in all ${early.length} windows that ended with a refusal${lower ? '; every window of the run begins with a lower figure' : ''}`,
        expected: `${requests} requests of a key are admitted before the first 429`,
        actual: `status 429 on request ${counted + 1}`,
      });
    }
  },
};

/** The limit less one, or the lower figure with which every window of the run begins. */
function commonStart(traffic: readonly KeyTraffic[], requests: number): number {
  const starts = traffic.flatMap(({ answers }) =>
    answers.filter(
      (answer, index) =>
        answer.kind === 'served' &&
        answer.reset !== null &&
        !answers.slice(0, index).some((earlier) => sameWindow(earlier, answer)),
    ),
  );
  const figure = starts[0]?.remaining ?? requests;
  const same =
    starts.length >= 3 &&
    starts.every(({ remaining }) => remaining === figure) &&
    new Set(starts.map(({ key }) => key)).size > 1;
  return same && figure < requests - 1 ? figure : requests - 1;
}

/** Without figures, as many admitted requests as the limit in the window length before a refusal show that it was in time. */
function judgeUnannounced(
  answers: readonly RateAnswer[],
  requests: number,
  windowMs: number,
  into: Judgement,
): void {
  for (const [index, refusal] of answers.entries()) {
    if (refusal.kind !== 'limited') continue;
    const recent = answers
      .slice(0, index)
      .filter((answer) => answer.kind === 'served' && span(answer, refusal) < windowMs);
    if (recent.length >= requests) into.judged('8/limit-not-early', refusal.view);
  }
}

/**
 * §8: a refused request is admitted after the reset. A refusal after it counts when the target itself announces a new
 * window by then, and the key shows no use by others; a limiter whose clock is a moment behind announces the old one.
 */
const reset: Rule = {
  name: 'limit-reset',
  requirements: ['8/reset'],
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
        if (shared || pooled || !isNew) continue;
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
  { limits: { windowMs } }: Context,
): { end: number; doubt: number } {
  const latest = arrived(refusal) + windowMs;
  const doubt = Math.min(2000, windowMs / 20);
  const { reset: announced } = refusal;
  return announced === null || announced > latest + doubt || !Number.isFinite(refusal.latest)
    ? { end: latest, doubt }
    : { end: announced, doubt: 0 };
}

export const LIMIT_ADMISSION_RULES: readonly Rule[] = [limitEnforced, limitNotEarly, reset];
