import { RESET_TOLERANCE_MS } from '../contract/limits.ts';
import type { Context } from './context.ts';
import type { Rule } from './judgement.ts';
import {
  isBefore,
  sameWindow,
  span,
  step,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './limit-traffic.ts';

/** What the traffic of some keys says about their counts, as answers that show it. */
interface Votes {
  readonly apart: readonly RateAnswer[];
  readonly shared: readonly RateAnswer[];
}

/** Signs that keys share a count which are needed to say so: one or two may be somebody else's use of a key. */
const MIN_SHARED = 3;

/**
 * §5 rule 1, §8: keys do not influence each other. Judged by the figures of one key around the requests of others, and
 * by its being admitted or refused while another one is refused. All keys together are compared, and each two of them.
 */
const perKey: Rule = {
  name: 'limit-per-key',
  judges: ['8/per-key'],
  all(views, context, into) {
    const all = comparisons(trafficOf(views, context)).map((keys) => votesOf(keys, context));
    for (const { apart } of all) for (const { view } of apart) into.judged('8/per-key', view);
    const votes = all.find(isSharedCount);
    const [first] = votes?.shared ?? [];
    if (votes === undefined || first === undefined || context.partial === true) return;
    const { shared } = votes;
    const against = votes.apart.length;
    into.found('8/per-key', first.view, {
      message: `Requests of one key count against another: ${shared.length} answers fit a count that keys share, ${against === 0 ? 'none fits' : `${against} fit`} a count for each key`,
      expected: 'a count of its own for each key',
      actual:
        first.kind === 'limited'
          ? 'status 429 to a key that had not used up its window, right after another one had'
          : `X-RateLimit-Remaining ${first.remaining}, which counts the requests of other keys`,
    });
  },
};

/**
 * Times are whole milliseconds: of requests that follow each other within one, the order is not known, and a few votes
 * are wrong either way. Where keys have counts of their own, nearly every vote says so.
 */
const SHARED_TO_APART = 10;

function leansToShared({ apart, shared }: Votes): boolean {
  return shared.length > SHARED_TO_APART * apart.length;
}

function isSharedCount(votes: Votes): boolean {
  return votes.shared.length >= MIN_SHARED && leansToShared(votes);
}

/** True when there are signs of keys that share a count: what happens to one of them may then be the doing of another. */
export function isPooled(traffic: readonly KeyTraffic[], context: Context): boolean {
  return comparisons(traffic).some((keys) => leansToShared(votesOf(keys, context)));
}

/** More keys than this are compared all together only: pairs would take long and say no more. */
const MOST_IN_PAIRS = 8;

function comparisons(traffic: readonly KeyTraffic[]): readonly (readonly KeyTraffic[])[] {
  const pairs =
    traffic.length > MOST_IN_PAIRS
      ? []
      : traffic.flatMap((one, index) => traffic.slice(index + 1).map((other) => [one, other]));
  return traffic.length > 2 ? [traffic, ...pairs] : pairs;
}

function votesOf(traffic: readonly KeyTraffic[], context: Context): Votes {
  const apart: RateAnswer[] = [];
  const shared: RateAnswer[] = [];
  for (const { key, answers } of traffic) {
    const others = traffic
      .filter((one) => one.key !== key)
      .flatMap((one) => one.answers)
      .toSorted((a, b) => a.view.exchange.sentAt - b.view.exchange.sentAt);
    for (const [index, answer] of answers.entries()) {
      const vote = voteOf(answer, answers.slice(0, index), others, context);
      if (vote === 'apart') apart.push(answer);
      else if (vote === 'shared') shared.push(answer);
    }
  }
  return { apart, shared };
}

function voteOf(
  answer: RateAnswer,
  own: readonly RateAnswer[],
  others: readonly RateAnswer[],
  { limits: { requests, windowMs } }: Context,
): 'apart' | 'shared' | null {
  const blocked = others.some(
    (other) =>
      other.kind === 'limited' && isBefore(other, answer) && isStill(other, answer, windowMs),
  );
  if (answer.kind === 'limited') {
    const again = own.some((one) => one.kind === 'limited' && sameWindow(one, answer));
    const used = admittedBefore(own, answer, windowMs);
    const together = admittedBefore([...own, ...others], answer, windowMs);
    // Only a count that keys share ends exactly where all of them together have used it up.
    const fits = together.served <= requests && together.served + together.failed >= requests;
    const early = used.served + used.failed < requests / 2;
    return blocked && !again && fits && early ? 'shared' : null;
  }
  if (blocked) return 'apart';
  if (answer.kind !== 'served') return null;
  return voteOfWindow(answer, own, others) ?? voteOfFigure(answer, own, others, requests);
}

/** Share of a window right after a refusal in which that is taken to hold still, whatever the clocks say. */
const SOON = 1 / 20;

/** True when the window that a refusal is about was not over when the answer came. */
function isStill(refusal: RateAnswer, answer: RateAnswer, windowMs: number): boolean {
  if (span(refusal, answer) < windowMs * SOON) return true;
  return refusal.reset !== null && (sameWindow(refusal, answer) || answer.latest < refusal.reset);
}

/**
 * A key whose window another key's answers lie between has a window of its own: one count for all has one reset at a
 * time, which does not come back.
 */
function voteOfWindow(
  answer: RateAnswer,
  own: readonly RateAnswer[],
  others: readonly RateAnswer[],
): 'apart' | null {
  const { reset } = answer;
  const previous = own.findLast((one) => sameWindow(one, answer));
  if (reset === null || previous === undefined) return null;
  const differs = others.some(
    (other) =>
      other.reset !== null &&
      Math.abs(other.reset - reset) > RESET_TOLERANCE_MS &&
      isBefore(previous, other) &&
      isBefore(other, answer),
  );
  return differs ? 'apart' : null;
}

/** Whether the requests of other keys since the last one of this key show in its figure. */
function voteOfFigure(
  answer: RateAnswer,
  own: readonly RateAnswer[],
  others: readonly RateAnswer[],
  requests: number,
): 'apart' | 'shared' | null {
  if (answer.remaining === null) return null;
  const previous = own.findLast((one) => sameWindow(one, answer));
  const between = others.filter(
    (other) =>
      other.kind === 'served' &&
      sameWindow(other, answer) &&
      isBefore(other, answer) &&
      (previous === undefined || isBefore(previous, other)),
  );
  if (between.length === 0 || (previous !== undefined && previous.kind !== 'served')) return null;
  const down =
    previous === undefined ? requests - answer.remaining : (step([previous, answer]) ?? 0);
  if (down === 1) return 'apart';
  // One count goes on from key to key; that somebody else uses each key as often as we do is another matter.
  const last = between.at(-1)?.remaining ?? null;
  const goesOn = last === null || last - answer.remaining === 1;
  return goesOn && down === 1 + between.length ? 'shared' : null;
}

/** Requests that were admitted in the window of a refusal, or in the window length before it where none is announced. */
function admittedBefore(
  answers: readonly RateAnswer[],
  refusal: RateAnswer,
  windowMs: number,
): { served: number; failed: number } {
  const recent = answers.filter(
    (one) =>
      isBefore(one, refusal) &&
      (one.reset === null ? span(one, refusal) < windowMs : sameWindow(one, refusal)),
  );
  return {
    served: recent.filter(({ kind }) => kind === 'served').length,
    failed: recent.filter(({ kind }) => kind === 'failed').length,
  };
}

export const LIMIT_PER_KEY_RULES: readonly Rule[] = [perKey];
