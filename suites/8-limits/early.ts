import { STATUS } from '../../src/contract/finding.ts';
import type { Context } from '../../src/rules/context.ts';
import type { Judgement, Rule } from '../../src/rules/judgement.ts';
import { isPooled } from './per-key.ts';
import {
  done,
  firstAt,
  isBefore,
  isContiguous,
  refusalsCount,
  sameWindow,
  sent,
  span,
  step,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';
import { place } from '../../src/rules/transport.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const LIMIT_EARLY = criteria('limitNotEarly', 'limitEnforced');

/**
 * A run of requests of one key that starts a window (Remaining is the limit less one) and that leaves nothing out:
 * Remaining goes down by one each time, so nobody else used the key meanwhile.
 */
interface Chain {
  readonly first: RateAnswer;
  /** Requests that were counted. */
  counted: number;
  last: RateAnswer;
  /** When the last of its answers arrived, by the clock of this machine, ms. */
  doneAt: number;
  /** The refusal that ended it; null while it goes on. */
  refusal: RateAnswer | null;
}

/**
 * Answers in the order in which they were counted. Requests under way together have no order by time; within one window
 * their figures tell it.
 */
function inOrderCounted(answers: readonly RateAnswer[]): readonly RateAnswer[] {
  const ordered: RateAnswer[] = [];
  for (const answer of answers) {
    let at = ordered.length;
    for (; at > 0; at -= 1) {
      const before = ordered[at - 1];
      if (before === undefined || isBefore(before, answer)) break;
      const down = step([before, answer]);
      if (down === null || down >= 0 || before.kind === 'limited') break;
    }
    ordered.splice(at, 0, answer);
  }
  return ordered;
}

/** True when something that was not refused was under way together with a refusal: which came first is not known. */
function isMixed(
  refusal: RateAnswer,
  at: number,
  answers: readonly RateAnswer[],
  doneAt: number,
): boolean {
  if (doneAt > sent(refusal)) return true;
  for (let later = at + 1; ; later += 1) {
    const answer = answers[later];
    if (answer === undefined || isBefore(refusal, answer)) return false;
    if (answer.kind !== 'limited') return true;
  }
}

function chainsOf(
  answersSent: readonly RateAnswer[],
  start: number,
  recorded: ReadonlySet<string>,
  { limits: { requests, windowMs }, load }: Context,
): Chain[] {
  // Under load somebody is always under way: there only requests that follow each other tell.
  const isLoad = load !== undefined;
  const answers = isLoad ? answersSent : inOrderCounted(answersSent);
  const chains: Chain[] = [];
  let chain: Chain | undefined;
  // A window in which something was served before did not start here, whatever its figure says.
  const underWay = new Set<number | null>();
  for (const [at, answer] of answers.entries()) {
    const { kind, remaining, window } = answer;
    const isFigure = kind === 'served' && remaining === start;
    const isStart = isFigure && !repeats(chain, answer) && !underWay.has(window);
    if (kind === 'served' && window !== null) underWay.add(window);
    if (isStart) {
      chain = { first: answer, counted: 1, last: answer, doneAt: done(answer), refusal: null };
      chains.push(chain);
      continue;
    }
    if (chain === undefined) continue;
    const together = sameWindow(chain.first, answer) || span(chain.first, answer) < windowMs;
    const down =
      chain.last.remaining === null || answer.remaining === null
        ? null
        : chain.last.remaining - answer.remaining;
    const isBroken = isLoad ? !isBefore(chain.last, answer) : isBefore(answer, chain.last);
    if (!together || isBroken) chain = undefined;
    else if (answer.kind === 'limited') {
      // A request that got no answer may have been counted.
      const isWhole =
        isLoad || isContiguous(chain.last.view.exchange.id, answer.view.exchange.id, recorded);
      // What was admitted beside a refusal came before it: that shows a window that is whole, not one that is too short.
      const isFull = chain.counted >= requests;
      if (isWhole && (isFull || !isMixed(answer, at, answers, chain.doneAt)))
        chain.refusal = answer;
      chain = undefined;
    } else if (down === 1 || (down === 0 && answer.kind === 'failed')) {
      chain.counted += down;
      chain.last = answer;
      chain.doneAt = Math.max(chain.doneAt, done(answer));
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
export const limitNotEarly: Rule = {
  name: 'limit-not-early',
  judges: [LIMIT_EARLY.limitNotEarly, LIMIT_EARLY.limitEnforced],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const { requests, windowMs } = context.limits;
    const start = commonStart(traffic, requests);
    const recorded = new Set(views.map(({ exchange }) => exchange.id));
    const early: (Chain & { readonly refusal: RateAnswer })[] = [];
    let kept = false;
    for (const { answers, shared, complete } of traffic) {
      if (complete) {
        judgeAccounted(answers, context, into);
        continue;
      }
      for (const chain of chainsOf(answers, start, recorded, context)) {
        const { refusal, counted } = chain;
        if (refusal === null) continue;
        if (counted >= requests) {
          kept = true;
          into.judged(LIMIT_EARLY.limitNotEarly, refusal.view);
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
      into.judged(LIMIT_EARLY.limitEnforced, refusal.view);
      into.found(LIMIT_EARLY.limitNotEarly, refusal.view, {
        message: `${place(refusal.view)} was refused after ${counted} requests of its window, counted from ${begin.view.exchange.id}, and so it went in all ${early.length} windows that ended with a refusal${lower ? '; every window of the run begins with a lower figure' : ''}`,
        expected: `${requests} requests of a key are admitted before the first 429`,
        actual: `status 429 on request ${counted + 1}`,
        header: STATUS,
      });
    }
  },
};

/** The limit less one, or the lower figure with which every window of the run begins. */
function commonStart(traffic: readonly KeyTraffic[], requests: number): number {
  const starts = traffic.flatMap(({ answers }) => {
    const seen = new Set<number | null>([null]);
    return answers.filter(({ kind, reset, window }) => {
      const isFirst = window === null || !seen.has(window);
      seen.add(window);
      return isFirst && kind === 'served' && reset !== null;
    });
  });
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
  const served: RateAnswer[] = [];
  for (const answer of answers) {
    if (answer.kind === 'served') served.push(answer);
    if (answer.kind !== 'limited') continue;
    const first = served.at(-requests);
    if (first !== undefined && span(first, answer) < windowMs) {
      into.judged(LIMIT_EARLY.limitNotEarly, answer.view);
    }
  }
}

/**
 * Where every request of a key is here and nobody else uses it, each refusal must be accounted for: as many requests as
 * the limit in the window length before it. Those that were refused stand beside the admitted ones unless it is seen that
 * they do not count (ruling 13).
 */
function judgeAccounted(answers: readonly RateAnswer[], context: Context, into: Judgement): void {
  const { requests, windowMs } = context.limits;
  const [first] = answers;
  const within = context.load?.clockWithinMs ?? 0;
  const refusedCount = refusalsCount(answers, requests) !== false;
  const counted = answers.filter(({ kind }) => kind !== 'limited' || refusedCount);
  const admitted = answers.filter(({ kind }) => kind !== 'limited');
  const byEnd = counted.toSorted((a, b) => a.receivedAt - b.receivedAt);
  for (const refusal of answers) {
    // At the very beginning the key may have been used before.
    if (refusal.kind !== 'limited' || first === undefined) continue;
    if (refusal.sentAt - within < first.sentAt) continue;
    const from = refusal.sentAt - windowMs - within;
    const number =
      firstAt(counted, refusal.receivedAt + 1, (one) => one.sentAt) -
      firstAt(byEnd, from, (one) => one.receivedAt);
    if (number < requests && isWeighed(refusal, admitted, context)) continue;
    into.expect(LIMIT_EARLY.limitNotEarly, refusal.view, number >= requests, () => ({
      message: `${place(refusal.view)} was refused before the limit of its key was spent`,
      expected: `${requests} requests in the window before a refusal`,
      actual: `${number} requests`,
    }));
  }
}

/** How far a weighted counter may seem to be off, since requests take their time, in requests. */
const WEIGHED_WITHIN = 2;

/**
 * Whether a weighted counter refuses just here (ruling 13). Where it would have refused before, the refusal is not its
 * doing.
 */
function isWeighed(
  refusal: RateAnswer,
  admitted: readonly RateAnswer[],
  { limits, load }: Context,
): boolean {
  const { skewMs } = refusal.view.exchange;
  const recent = admitted.slice(
    firstAt(admitted, refusal.sentAt - 3 * limits.windowMs, (one) => one.sentAt),
    firstAt(admitted, refusal.sentAt + 1, (one) => one.sentAt),
  );
  const taken = recent.map(({ sentAt, receivedAt, reset }) => ({
    from: sentAt,
    to: receivedAt,
    reset: reset === null ? null : reset - skewMs,
  }));
  const left = leftByWeight(taken, refusal.sentAt, limits, load?.clockWithinMs ?? 0);
  return left < 1 && left > -WEIGHED_WITHIN;
}

/** A request that took a place: when, and the reset that its answer announces, by one clock, ms. */
interface Taken {
  readonly from: number;
  readonly to: number;
  readonly reset: number | null;
}

/**
 * What a weighted counter leaves at a moment (ruling 13): it counts the announced window before the present one by the
 * share of it that is not over one window length yet. Where nothing is announced, the older requests may weigh as much as
 * the others.
 */
export function leftByWeight(
  taken: readonly Taken[],
  at: number,
  { requests, windowMs }: Pick<Context['limits'], 'requests' | 'windowMs'>,
  withinMs: number,
): number {
  const end = taken.findLast(({ reset }) => reset !== null)?.reset ?? null;
  const since = end === null ? at - windowMs : at < end ? end - windowMs : end;
  const before = taken.filter(({ from, to }) => from < since && to >= since - windowMs - withinMs);
  const now = taken.filter(({ from }) => from >= since).length;
  const over = end === null ? 0 : Math.min(1, Math.max(0, at - withinMs - since) / windowMs);
  return requests - now - before.length * (1 - over);
}
