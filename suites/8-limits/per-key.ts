import { RESET_TOLERANCE_MS } from '../../src/contract/limits.ts';
import type { Context } from '../../src/rules/context.ts';
import type { Rule } from '../../src/rules/judgement.ts';
import {
  done,
  firstAt,
  gap,
  isBefore,
  jitterOf,
  sameWindow,
  sent,
  span,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const LIMIT_PER_KEY = criteria('perKey');

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
  judges: [LIMIT_PER_KEY.perKey],
  all(views, context, into) {
    const all = allVotes(trafficOf(views, context), context);
    for (const { apart } of all)
      for (const { view } of apart) into.judged(LIMIT_PER_KEY.perKey, view);
    const votes = all.find(isSharedCount);
    const [first] = votes?.shared ?? [];
    if (votes === undefined || first === undefined || context.partial === true) return;
    const { shared } = votes;
    const against = votes.apart.length;
    into.found(LIMIT_PER_KEY.perKey, first.view, {
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
  return allVotes(traffic, context).some(leansToShared);
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

const votesKnown = new WeakMap<readonly KeyTraffic[], readonly Votes[]>();

/** The votes of all keys together and of each two of them. */
function allVotes(traffic: readonly KeyTraffic[], context: Context): readonly Votes[] {
  const before = votesKnown.get(traffic);
  if (before !== undefined) return before;
  const votes = comparisons(traffic).map((keys) => votesOf(keys, context));
  votesKnown.set(traffic, votes);
  return votes;
}

function votesOf(traffic: readonly KeyTraffic[], context: Context): Votes {
  const all = traffic.flatMap(({ answers }) => answers);
  const voters = new Voters(
    all.toSorted((a, b) => sent(a) - sent(b)),
    context.limits,
  );
  const votes = voters.votes();
  return {
    apart: all.filter((answer) => votes.get(answer) === 'apart'),
    shared: all.filter((answer) => votes.get(answer) === 'shared'),
  };
}

type Vote = 'apart' | 'shared' | null;

/** Share of a window right after a refusal in which that is taken to hold still, whatever the clocks say. */
const SOON = 1 / 20;

const NEVER = { sentAt: Number.NEGATIVE_INFINITY, reset: Number.NEGATIVE_INFINITY } as const;

/** What the refusals of a key so far say: when the last one was sent, the last reset, and the windows they were in. */
interface Refused {
  sentAt: number;
  reset: number;
  readonly windows: Set<number | null>;
}

/** Asks the answers of several keys, one after the other in the order sent, what they say about their counts. */
class Voters {
  readonly #limits: Context['limits'];
  readonly #all: readonly RateAnswer[];
  /** Refusals, and what was not refused, in the order in which they were done. */
  readonly #refusals: readonly RateAnswer[];
  readonly #others: readonly RateAnswer[];
  /** What was served in each announced window, in the order sent. */
  readonly #served = new Map<number, RateAnswer[]>();
  /** Keys that show a figure in a window. */
  readonly #showing = new Map<string, Set<string>>();
  #refusalsDone = 0;
  /** What the refusals done so far say, by key. */
  readonly #refused = new Map<string, Refused>();
  /** The longest that an answer took, ms: what is sent earlier than that before another one has surely ended. */
  readonly #slowest: number;
  /** Keys with the windows in which they were refused. */
  readonly #refusedIn = new Set<string>();
  /**
   * By how much the resets of successes of one window may differ between keys, ms. Where no key announces one window in two
   * ways, keys that begin theirs at almost the same moment are told apart by the millisecond.
   */
  readonly #tolerance: number;

  constructor(all: readonly RateAnswer[], limits: Context['limits']) {
    const byEnd = all.toSorted((a, b) => done(a) - done(b));
    this.#limits = limits;
    this.#all = all;
    this.#tolerance = jitterOf(all) === 0 ? 0 : RESET_TOLERANCE_MS;
    this.#slowest = all.reduce((most, one) => Math.max(most, done(one) - sent(one)), 0);
    this.#refusals = byEnd.filter(({ kind }) => kind === 'limited');
    this.#others = byEnd.filter(({ kind }) => kind !== 'limited');
    for (const answer of all) {
      const { key, kind, remaining, window } = answer;
      if (kind !== 'served' || window === null) continue;
      const figure = `${window} ${remaining}`;
      const showing = this.#showing.get(figure) ?? new Set();
      if (remaining !== null) this.#showing.set(figure, showing.add(key));
      const own = this.#served.get(window) ?? [];
      this.#served.set(window, own);
      own.push(answer);
    }
  }

  votes(): ReadonlyMap<RateAnswer, Vote> {
    return new Map(this.#all.map((answer) => [answer, this.#voteOf(answer)]));
  }

  #voteOf(answer: RateAnswer): Vote {
    const { key, kind, window } = answer;
    const place = `${key} ${window}`;
    const blocked = this.#isBlocked(answer);
    if (kind === 'limited') {
      // A window of its own that was refused before is used up, whatever others do.
      const again = window !== null && this.#refusedIn.has(place);
      this.#refusedIn.add(place);
      return blocked && !again && this.#isPooled(answer) ? 'shared' : null;
    }
    if (blocked) return 'apart';
    if (kind !== 'served') return null;
    // One count shows each figure once.
    if ((this.#showing.get(`${window} ${answer.remaining}`)?.size ?? 0) > 1) return 'apart';
    const previous = this.#previous(answer);
    return this.#voteOfWindow(answer, previous) ?? this.#voteOfFigure(answer, previous);
  }

  /** What was served last to a key in the window of an answer, before that was sent. */
  #previous(answer: RateAnswer): RateAnswer | undefined {
    const served = this.#served.get(answer.window ?? Number.NaN) ?? [];
    for (let at = firstAt(served, sent(answer), sent) - 1; at >= 0; at -= 1) {
      const one = served[at];
      if (one?.key === answer.key && isBefore(one, answer)) return one;
    }
    return undefined;
  }

  /** True when another key was refused before, and its window was not over when the answer came. */
  #isBlocked(answer: RateAnswer): boolean {
    const { key, window, receivedAt, latest } = answer;
    for (let at = this.#refusalsDone; ; at += 1) {
      const refusal = this.#refusals[at];
      this.#refusalsDone = at;
      if (refusal === undefined || !isBefore(refusal, answer)) break;
      const own = this.#refused.get(refusal.key) ?? { ...NEVER, windows: new Set() };
      this.#refused.set(refusal.key, own);
      own.sentAt = Math.max(own.sentAt, refusal.sentAt);
      own.reset = Math.max(own.reset, refusal.reset ?? own.reset);
      if (refusal.window !== null) own.windows.add(refusal.window);
    }
    const soon = this.#limits.windowMs * SOON;
    for (const [other, { sentAt, reset, windows }] of this.#refused) {
      if (other === key) continue;
      if (receivedAt - sentAt < soon || latest < reset || windows.has(window)) return true;
    }
    return false;
  }

  /** Only a count that keys share ends exactly where all of them together have used it up. */
  #isPooled(refusal: RateAnswer): boolean {
    const { requests, windowMs } = this.#limits;
    let [own, served, failed] = [0, 0, 0];
    for (let at = firstAt(this.#others, sent(refusal) + 1, done) - 1; at >= 0; at -= 1) {
      const answer = this.#others[at];
      if (answer === undefined || gap(answer, refusal) > 2 * windowMs) break;
      const isIn =
        answer.reset === null ? span(answer, refusal) < windowMs : sameWindow(answer, refusal);
      if (!isIn) continue;
      if (answer.key === refusal.key) own += 1;
      if (answer.kind === 'served') served += 1;
      else failed += 1;
    }
    return served <= requests && served + failed >= requests && own < requests / 2;
  }

  /**
   * A key whose window another key's answers lie between has a window of its own: one count for all has one reset at a
   * time, which does not come back.
   */
  #voteOfWindow(answer: RateAnswer, previous: RateAnswer | undefined): Vote {
    const { reset } = answer;
    if (reset === null || previous === undefined) return null;
    const differs = between(this.#all, previous, answer).some((other) => {
      if (other.reset === null) return false;
      // Errors may be announced by other code, which rounds.
      const tolerance = other.kind === 'served' ? this.#tolerance : RESET_TOLERANCE_MS;
      return Math.abs(other.reset - reset) > tolerance;
    });
    return differs ? 'apart' : null;
  }

  /**
   * Whether the requests of other keys since the last one of this key show in its figure. Of requests under way together
   * the order is not known, so there is a least and a most that a count can have gone down by: for a count of the key's
   * own, and for one that it shares. What both explain says nothing.
   */
  #voteOfFigure(answer: RateAnswer, previous: RateAnswer | undefined): Vote {
    const { key, remaining, window } = answer;
    const before = previous === undefined ? this.#limits.requests : previous.remaining;
    if (remaining === null || window === null || before === null || before <= remaining)
      return null;
    const down = before - remaining;
    const maybe = this.#maybeBetween(previous, answer);
    const others = maybe.filter((one) => one.key !== key);
    const mostOwn = 1 + maybe.length - others.length;
    const leastShared = 1 + between(this.#served.get(window) ?? [], previous, answer).length;
    if (down <= mostOwn) return down < leastShared ? 'apart' : null;
    // One count goes on from key to key; that somebody else uses each key as often as we do is another matter.
    const goesOn = others.some(
      (one) =>
        one.kind === 'served' &&
        Math.abs((one.window ?? window) - window) <= this.#tolerance &&
        (one.remaining ?? remaining + 1) === remaining + 1,
    );
    return goesOn && down >= leastShared && down <= 1 + maybe.length ? 'shared' : null;
  }

  /**
   * All that the target may have counted between two answers, or in the window of the second one until then: what did not
   * surely end before, begin after, or belong to another window.
   */
  #maybeBetween(from: RateAnswer | undefined, to: RateAnswer): readonly RateAnswer[] {
    const start =
      (from === undefined ? sent(to) - this.#limits.windowMs : sent(from)) - this.#slowest;
    const isSince = (one: RateAnswer): boolean =>
      from === undefined
        ? (one.window ?? to.window) === to.window
        : one !== from && !isBefore(one, from);
    return this.#all
      .slice(firstAt(this.#all, start, sent), firstAt(this.#all, done(to), sent))
      .filter((one) => one !== to && isSince(one));
  }
}

/** Answers of other keys that lie surely between an earlier answer of a key, if there is one, and this one. */
function between(
  inOrder: readonly RateAnswer[],
  from: RateAnswer | undefined,
  to: RateAnswer,
): readonly RateAnswer[] {
  const start = from === undefined ? 0 : firstAt(inOrder, done(from), sent);
  const found: RateAnswer[] = [];
  for (let at = start; ; at += 1) {
    const other = inOrder[at];
    if (other === undefined || other === to || sent(other) > sent(to)) return found;
    const isSince = from === undefined || isBefore(from, other);
    if (other.key !== to.key && isSince && isBefore(other, to)) found.push(other);
  }
}

export const LIMIT_PER_KEY_RULES: readonly Rule[] = [perKey];
