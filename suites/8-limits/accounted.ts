import type { Context } from '../../src/judge/context.ts';
import { weighted } from './models.ts';
import {
  done,
  firstAt,
  refusalsCount,
  sent,
  span,
  sameWindow,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';

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
