import { STATUS } from '../../src/spec/finding.ts';
import { RATE_HEADERS, RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';
import { groupBy } from '../../src/text/group-by.ts';
import { perObject } from '../../src/text/remembered.ts';
import {
  done,
  firstAt,
  isBefore,
  jitterMs,
  sameWindow,
  sent,
  span,
  refusalsCount,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';
import { weighted } from './models.ts';

/** Answers that imply separate counts, and answers that imply a shared one. */
interface Votes {
  readonly apart: readonly RateAnswer[];
  readonly shared: readonly RateAnswer[];
}

/** Signs of a shared count needed for a finding: one or two may come from another client. */
const MIN_SHARED = 3;

/**
 * The order of requests within a millisecond is unknown, so a few votes are wrong. With separate counts, nearly all
 * votes agree.
 */
const SHARED_TO_APART = 10;

const leansToShared = ({ apart, shared }: Votes): boolean =>
  shared.length > SHARED_TO_APART * apart.length;

/**
 * `8/per-key`, §5 rule 1: keys do not affect each other. Judged by a key's figures around requests of other keys, and
 * by whether it is admitted while another is refused. Compares all keys together, those of each role, and each pair.
 */
export const perKey = judgeAll(judgeKeys);

/** `perKey` among the given keys only: all others may be counted separately all the same. */
export const perKeyOf = (keys: readonly string[]): Judge =>
  judgeAll((views, context, it) => {
    const ofKeys = views.filter(({ exchange: { key } }) => key !== null && keys.includes(key));
    judgeKeys(ofKeys, context, it);
  });

function judgeKeys(views: readonly View[], context: Context, it: OwnJudgement): void {
  const traffic = trafficOf(views, context);
  for (const ofKey of traffic.length > 1 ? traffic.filter(({ complete }) => complete) : []) {
    for (const { refusal, number, by } of accounted(ofKey, traffic, context)) {
      if (by !== 'own' && by !== 'together') continue;
      it.expect(refusal.view, by === 'own', () => ({
        kind: 'refused-for-all-keys',
        header: STATUS,
        expected: `${context.limits.requests} requests with the key in the window before a refusal`,
        actual: `${number} requests`,
      }));
    }
  }
  const all = allVotes(traffic, context);
  for (const { apart } of all) for (const { view } of apart) it.judged(view);
  const votes = all.find((one) => one.shared.length >= MIN_SHARED && leansToShared(one));
  const [first] = votes?.shared ?? [];
  if (votes === undefined || first === undefined) return;
  // Missing requests may have lowered the figure.
  if (traffic.some(({ partial }) => partial)) return;
  it.found(first.view, {
    kind: 'keys-share-a-count',
    facts: {
      shared: votes.shared.length,
      apart: votes.apart.length === 0 ? 'none fits' : `${votes.apart.length} fit`,
    },
    header: first.kind === 'limited' ? STATUS : RATE_HEADERS.remaining,
    expected: 'a separate count for each key',
    actual:
      first.kind === 'limited'
        ? 'status 429 to a key that had not used up its window, right after another key had'
        : `X-RateLimit-Remaining ${first.remaining}, which counts the requests of other keys`,
  });
}

/** Whether keys may share a count, so that one may affect another. */
export const isPooled = (traffic: readonly KeyTraffic[], context: Context): boolean =>
  allVotes(traffic, context).some(leansToShared);

/** With more keys, pairs would take long and add nothing. */
const MAX_KEYS_IN_PAIRS = 8;

/** Votes of all keys together, of those of each role, and of each pair. */
const allVotes = perObject((traffic: readonly KeyTraffic[], context: Context): readonly Votes[] => {
  // If every request is known, `accounted` explains the refusals.
  if (traffic.every(({ complete }) => complete)) return [];
  const pairs =
    traffic.length > MAX_KEYS_IN_PAIRS
      ? []
      : traffic.flatMap((one, index) => traffic.slice(index + 1).map((other) => [one, other]));
  const byRole = groupBy(traffic, ({ answers: [first] }) => first?.view.exchange.role);
  // Pairs of them show too large steps where all keys of a role share a count.
  const groups = byRole.size > 1 ? [traffic, ...byRole.values()] : [traffic];
  return [...groups.filter(({ length }) => length > 2), ...pairs].map((keys) =>
    votesOf(keys, context),
  );
});

function votesOf(traffic: readonly KeyTraffic[], context: Context): Votes {
  const all = traffic.flatMap(({ answers }) => answers).toSorted((a, b) => sent(a) - sent(b));
  const votes: Votes & Record<'apart' | 'shared', RateAnswer[]> = { apart: [], shared: [] };
  // With exact resets, windows that start almost together can be distinguished.
  const tolerance = jitterMs(all) === 0 ? 0 : RESET_TOLERANCE_MS;
  for (const answer of all) {
    // Older requests say nothing.
    const from = sent(answer) - 2 * context.limits.windowMs;
    const recent = all.slice(firstAt(all, from, sent), firstAt(all, done(answer), sent));
    const vote = voteOf(answer, recent.slice(-MAX_RECENT), tolerance, context);
    if (vote !== null) votes[vote].push(answer);
  }
  return votes;
}

/** How many earlier requests to consider: more than two windows of a few keys hold. */
const MAX_RECENT = 400;

/**
 * Right after a refusal, for this share of a window, the window is assumed to be unchanged, whatever the clocks say.
 */
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
    // A window refused before is used up, whatever others do.
    const isAgain = own.some((one) => one.kind === 'limited' && sameWindow(one, answer));
    return isBlocked && !isAgain && isSpentBy(answer, recent, context) ? 'shared' : null;
  }
  if (isBlocked) return 'apart';
  if (kind !== 'served' || window === null || remaining === null) return null;
  // A shared count shows each figure once.
  const served = others.filter((one) => one.kind === 'served' && sameWindow(one, answer));
  if (served.some((one) => one.remaining === remaining)) return 'apart';
  const before = own.findLast(
    (one) => one.kind === 'served' && sameWindow(one, answer) && isBefore(one, answer),
  );
  // In a log with rounded resets, requests under an earlier reset still count.
  if (before === undefined && own.some((one) => span(one, answer) < context.limits.windowMs))
    return null;
  const isBetween = (one: RateAnswer): boolean =>
    isBefore(one, answer) && (before === undefined || isBefore(before, one));
  const between = others.filter(isBetween);
  // A shared count has one reset at a time. Errors may be announced by other code, with rounding.
  const isOther = ({ kind: is, reset }: RateAnswer): boolean =>
    reset !== null &&
    Math.abs(reset - (answer.reset ?? reset)) > (is === 'served' ? tolerance : RESET_TOLERANCE_MS);
  if (before !== undefined && between.some(isOther)) return 'apart';
  const down = (before?.remaining ?? context.limits.requests) - remaining;
  if (down <= 0) return null;
  // Concurrent requests have no order: ignore what both kinds of count explain.
  const maybe = recent.filter(
    (one) =>
      one !== answer &&
      (before === undefined
        ? (one.window ?? window) === window
        : one !== before && !isBefore(one, before)),
  );
  const leastShared = 1 + served.filter(isBetween).length;
  if (down <= 1 + maybe.filter((one) => one.key === key).length) {
    return down < leastShared ? 'apart' : null;
  }
  // A shared count continues from key to key; another client that uses each key as often does not cause that.
  const goesOn = maybe.some(
    (one) =>
      one.key !== key &&
      one.kind === 'served' &&
      Math.abs((one.window ?? window) - window) <= tolerance &&
      (one.remaining ?? remaining + 1) === remaining + 1,
  );
  return goesOn && down >= leastShared && down <= 1 + maybe.length ? 'shared' : null;
}

/** How a refusal is explained if every request of every key is known. */
interface Accounted {
  readonly refusal: RateAnswer;
  /** Requests of the key that may have counted, within one window length before the refusal. */
  readonly number: number;
  /** `together`: only a count shared by all keys explains it. Null if no honest limiter does. */
  readonly by: 'own' | 'weighted' | 'together' | null;
}

/**
 * An honest limiter refuses only after as many requests as the limit within one window length; a weighted counter may
 * appear slightly off. Refused requests count as well unless they are shown not to (ruling 13). But of several
 * concurrent refusals one came first, and only requests outside the group preceded it.
 */
export function accounted(
  { answers }: KeyTraffic,
  traffic: readonly KeyTraffic[],
  context: Context,
): readonly Accounted[] {
  const { requests, windowMs } = context.limits;
  const within = context.load?.clockWithinMs ?? 0;
  const refusedCount = refusalsCount(answers, requests) !== false;
  const counted = answers.filter(({ kind }) => kind !== 'limited' || refusedCount);
  const byEnd = counted.toSorted((a, b) => done(a) - done(b));
  const admitted = answers.filter(({ kind }) => kind !== 'limited');
  const all = traffic.flatMap((one) => one.answers);
  return concurrentGroups(answers, refusedCount).flatMap((group): readonly Accounted[] => {
    const explained: Accounted[] = [];
    let most = 0;
    for (const refusal of group) {
      const since = firstAt(byEnd, sent(refusal) - windowMs - within, done);
      const until = firstAt(counted, done(refusal) + 1, sent);
      const among = refusedCount ? firstAt(group, done(refusal) + 1, sent) : 0;
      const number = until - since - among;
      most = Math.max(most, number);
      if (number >= requests) explained.push({ refusal, number, by: 'own' });
      else if (weighted(admitted, refusal, context.limits, within))
        explained.push({ refusal, number, by: 'weighted' });
    }
    const [first] = group;
    if (explained.length > 0 || first === undefined) return explained;
    const isShared = traffic.length > 1 && isSpentBy(first, all, context);
    // Where a refusal goes on after its announced reset, `8/reset` judges it: what was used before that reset is no longer
    // the count. That nothing was used is early by any count.
    const before = answers[answers.indexOf(first) - 1];
    const goesOn = before?.kind === 'limited' && before.reset !== null;
    if (!isShared && goesOn && most > 0) return [];
    return [{ refusal: first, number: most, by: isShared ? 'together' : null }];
  });
}

/** Groups refusals that may have been concurrent; singles if refusals do not count. */
function concurrentGroups(
  answers: readonly RateAnswer[],
  refusedCount: boolean,
): readonly (readonly RateAnswer[])[] {
  const groups: RateAnswer[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const refusal of answers) {
    if (refusal.kind !== 'limited') continue;
    if (!refusedCount || sent(refusal) >= until) groups.push([]);
    groups.at(-1)?.push(refusal);
    until = Math.max(until, done(refusal));
  }
  return groups;
}

/** Only a shared count ends exactly when all keys together have used it up. */
export function isSpentBy(
  refusal: RateAnswer,
  answers: readonly RateAnswer[],
  { limits: { requests, windowMs } }: Context,
): boolean {
  const inWindow = answers.filter(
    (one) =>
      one.kind !== 'limited' &&
      sent(one) <= done(refusal) &&
      (one.reset === null ? span(one, refusal) < windowMs : sameWindow(one, refusal)),
  );
  const served = inWindow.filter(({ kind }) => kind === 'served').length;
  const own = inWindow.filter(({ key }) => key === refusal.key).length;
  return served <= requests && inWindow.length >= requests && own < requests / 2;
}
