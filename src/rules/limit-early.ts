import type { Judgement, Rule } from './judgement.ts';
import { isPooled } from './limit-per-key.ts';
import {
  isBefore,
  sameWindow,
  span,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './limit-traffic.ts';
import { place } from './transport.ts';

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
  for (const [index, answer] of answers.entries()) {
    const isFigure = answer.kind === 'served' && answer.remaining === start;
    if (isFigure && !repeats(chain, answer) && !isUnderWay(answer, answers.slice(0, index))) {
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

/** A window in which something was served before did not start here, whatever its figure says. */
const isUnderWay = (answer: RateAnswer, before: readonly RateAnswer[]): boolean =>
  before.some((one) => one.kind === 'served' && sameWindow(one, answer));

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
export const limitNotEarly: Rule = {
  name: 'limit-not-early',
  judges: ['8/limit-not-early', '8/limit-enforced'],
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
    const [first] = early;
    // That all windows of several keys begin with the lower figure says it already; one refusal confirms it.
    const lower = start < requests - 1;
    const enough = early.length >= (lower ? 1 : 2);
    if (kept || first === undefined || !enough || isPooled(traffic, context)) return;
    if (early.some(({ counted }) => counted !== first.counted)) return;
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
