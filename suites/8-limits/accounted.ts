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

/** What explains a refusal where every request of every key is known: how many requests came before it, and of whom. */
export interface Accounted {
  readonly refusal: RateAnswer;
  /** Requests of its key that may have been counted within one window length before it. */
  readonly number: number;
  /** `together`: only one count for all keys explains it. Null when no honest limiter does. */
  readonly by: 'own' | 'weighted' | 'together' | null;
}

/**
 * An honest limiter refuses only what as many requests as the limit came before, within one window length; a weighted counter
 * may seem to be off a little. Requests that were refused stand beside the admitted ones unless it is seen that they do not
 * count (ruling 13); but of refusals that were under way together, one came first, and nothing but what was not among them
 * came before it.
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
  return together(answers, refusedCount).flatMap((group): readonly Accounted[] => {
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
    return [{ refusal: first, number: most, by: isShared ? 'together' : null }];
  });
}

/** Refusals in groups of those that may have been under way together; each by itself where they do not count. */
function together(
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

/** Only a count that keys share ends exactly where all of them together have used it up. */
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
