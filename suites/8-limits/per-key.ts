import { RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { accounted, isSpentBy } from './accounted.ts';
import {
  done,
  firstAt,
  isBefore,
  jitterOf,
  sameWindow,
  sent,
  span,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';

/** Answers that only a count for each key explains, and those that only one count for all of them does. */
interface Votes {
  readonly apart: readonly RateAnswer[];
  readonly shared: readonly RateAnswer[];
}

/** Signs that keys share a count which are needed to say so: one or two may be somebody else's use of a key. */
const MIN_SHARED = 3;

/**
 * Of requests that follow each other within one millisecond the order is not known, and a few votes are wrong either way.
 * Where keys have counts of their own, nearly every vote says so.
 */
const SHARED_TO_APART = 10;

const leansToShared = ({ apart, shared }: Votes): boolean =>
  shared.length > SHARED_TO_APART * apart.length;

/**
 * `8/per-key`, §5 rule 1: keys do not influence each other. Judged by the figures of one key around the requests of others,
 * and by its being admitted or refused while another one is refused. All keys together are compared, and each two of them.
 */
export const perKey = judgeAll((views, context, it) => {
  const traffic = trafficOf(views, context);
  for (const ofKey of traffic.length > 1 ? traffic.filter(({ complete }) => complete) : []) {
    for (const { refusal, number, by } of accounted(ofKey, traffic, context)) {
      if (by !== 'own' && by !== 'together') continue;
      it.expect(refusal.view, by === 'own', () => ({
        kind: 'refused-for-all-keys',
        expected: `${context.limits.requests} requests of the key in the window before a refusal`,
        actual: `${number} requests`,
      }));
    }
  }
  const all = allVotes(traffic, context);
  for (const { apart } of all) for (const { view } of apart) it.judged(view);
  const votes = all.find((one) => one.shared.length >= MIN_SHARED && leansToShared(one));
  const [first] = votes?.shared ?? [];
  if (votes === undefined || first === undefined) return;
  // The requests that are missing may have lowered the figure.
  if (traffic.some(({ partial }) => partial)) return;
  it.found(first.view, {
    kind: 'keys-share-a-count',
    facts: {
      shared: votes.shared.length,
      apart: votes.apart.length === 0 ? 'none fits' : `${votes.apart.length} fit`,
    },
    expected: 'a count of its own for each key',
    actual:
      first.kind === 'limited'
        ? 'status 429 to a key that had not used up its window, right after another one had'
        : `X-RateLimit-Remaining ${first.remaining}, which counts the requests of other keys`,
  });
});

/** True when there are signs of keys that share a count: what happens to one of them may then be the doing of another. */
export const isPooled = (traffic: readonly KeyTraffic[], context: Context): boolean =>
  allVotes(traffic, context).some(leansToShared);

/** More keys than this are compared all together only: pairs would take long and say no more. */
const MOST_IN_PAIRS = 8;

const known = new WeakMap<readonly KeyTraffic[], readonly Votes[]>();

/** The votes of all keys together and of each two of them. */
function allVotes(traffic: readonly KeyTraffic[], context: Context): readonly Votes[] {
  const before = known.get(traffic);
  if (before !== undefined) return before;
  // Where every request is known, refusals are accounted for.
  if (traffic.every(({ complete }) => complete)) return [];
  const pairs =
    traffic.length > MOST_IN_PAIRS
      ? []
      : traffic.flatMap((one, index) => traffic.slice(index + 1).map((other) => [one, other]));
  const votes = (traffic.length > 2 ? [traffic, ...pairs] : pairs).map((keys) =>
    votesOf(keys, context),
  );
  known.set(traffic, votes);
  return votes;
}

function votesOf(traffic: readonly KeyTraffic[], context: Context): Votes {
  const all = traffic.flatMap(({ answers }) => answers).toSorted((a, b) => sent(a) - sent(b));
  const votes: Votes & Record<'apart' | 'shared', RateAnswer[]> = { apart: [], shared: [] };
  // Where every key announces its window in one way, windows that begin at almost the same moment can be distinguished.
  const tolerance = jitterOf(all) === 0 ? 0 : RESET_TOLERANCE_MS;
  for (const answer of all) {
    // What was sent or answered long before says nothing more.
    const from = sent(answer) - 2 * context.limits.windowMs;
    const recent = all.slice(firstAt(all, from, sent), firstAt(all, done(answer), sent));
    const vote = voteOf(answer, recent.slice(-MOST_RECENT), tolerance, context);
    if (vote !== null) votes[vote].push(answer);
  }
  return votes;
}

/** Requests before one that are looked at: more than two windows of a few keys hold. */
const MOST_RECENT = 400;

/** Share of a window right after a refusal in which that is taken to hold still, whatever the clocks say. */
const SOON = 1 / 20;

function voteOf(
  answer: RateAnswer,
  recent: readonly RateAnswer[],
  tolerance: number,
  context: Context,
): keyof Votes | null {
  const { key, kind, remaining, window, latest, receivedAt } = answer;
  const others = recent.filter((one) => one.key !== key);
  const isBlocked = others.some(
    (one) =>
      one.kind === 'limited' &&
      isBefore(one, answer) &&
      (receivedAt - one.sentAt < context.limits.windowMs * SOON ||
        latest < (one.reset ?? Number.NEGATIVE_INFINITY) ||
        sameWindow(one, answer)),
  );
  const own = recent.filter((one) => one.key === key && one !== answer);
  if (kind === 'limited') {
    // A window of its own that was refused before is used up, whatever others do.
    const isAgain = own.some((one) => one.kind === 'limited' && sameWindow(one, answer));
    return isBlocked && !isAgain && isSpentBy(answer, recent, context) ? 'shared' : null;
  }
  if (isBlocked) return 'apart';
  if (kind !== 'served' || window === null || remaining === null) return null;
  // One count shows each figure once.
  if (others.some((one) => isFigure(one, answer))) return 'apart';
  const before = own.findLast(
    (one) => one.kind === 'served' && sameWindow(one, answer) && isBefore(one, answer),
  );
  // Where a log announces whole seconds, what the key sent under an earlier one still counts.
  if (before === undefined && own.some((one) => span(one, answer) < context.limits.windowMs))
    return null;
  const isBetween = (one: RateAnswer): boolean =>
    isBefore(one, answer) && (before === undefined || isBefore(before, one));
  const between = others.filter(isBetween);
  // One count for all has one reset at a time, which does not come back. Errors may be announced by other code, which rounds.
  const isOther = ({ kind: is, reset }: RateAnswer): boolean =>
    reset !== null &&
    Math.abs(reset - (answer.reset ?? reset)) > (is === 'served' ? tolerance : RESET_TOLERANCE_MS);
  if (before !== undefined && between.some(isOther)) return 'apart';
  const down = (before?.remaining ?? context.limits.requests) - remaining;
  if (down <= 0) return null;
  // Of requests under way together the order is not known: what both counts explain says nothing.
  const maybe = recent.filter(
    (one) =>
      one !== answer &&
      (before === undefined
        ? (one.window ?? window) === window
        : one !== before && !isBefore(one, before)),
  );
  const leastShared =
    1 + between.filter((one) => one.kind === 'served' && sameWindow(one, answer)).length;
  if (down <= 1 + maybe.filter((one) => one.key === key).length) {
    return down < leastShared ? 'apart' : null;
  }
  // One count goes on from key to key; that somebody else uses each key as often as we do is another matter.
  const goesOn = maybe.some(
    (one) =>
      one.key !== key &&
      one.kind === 'served' &&
      Math.abs((one.window ?? window) - window) <= tolerance &&
      (one.remaining ?? remaining + 1) === remaining + 1,
  );
  return goesOn && down >= leastShared && down <= 1 + maybe.length ? 'shared' : null;
}

const isFigure = (one: RateAnswer, answer: RateAnswer): boolean =>
  one.kind === 'served' && sameWindow(one, answer) && one.remaining === answer.remaining;
