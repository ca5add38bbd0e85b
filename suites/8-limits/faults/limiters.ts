import type { Admission, Limiter, LimiterSettings } from '../../../src/reference/limiter.ts';

/** When the clock-aligned window of a time ends. */
export const endOf = (now: number, windowMs: number): number =>
  (Math.floor(now / windowMs) + 1) * windowMs;

/** Announces something else than what a limiter decides. */
export const announcing = (
  inner: Limiter,
  change: (admission: Admission) => Admission,
): Limiter => ({
  take: (bucket, now) => change(inner.take(bucket, now)),
  refund: (bucket, now, admission) => change(inner.refund(bucket, now, admission)),
});

/** Chooses a limiter for each request. */
export const choosing = (of: (bucket: string, now: number) => Limiter): Limiter => ({
  take: (bucket, now) => of(bucket, now).take(bucket, now),
  refund: (bucket, now, admission) => of(bucket, now).refund(bucket, now, admission),
});

/** A limiter that never releases a slot. */
export const keeping = (take: Limiter['take']): Limiter => ({
  take,
  refund: (_bucket, _now, admission) => admission,
});

/** Round trip to a data store, between reading a count and raising it, ms. */
export const ROUND_TRIP_MS = 3;

/** Reads the count and raises it a round trip later, so that requests in between see the old count. */
export function checkThenCount({ limit, windowMs }: LimiterSettings): Limiter {
  const counts = new Map<string, number>();
  return keeping((bucket, now) => {
    const resetAt = endOf(now, windowMs);
    const windowKey = `${resetAt} ${bucket}`;
    const count = counts.get(windowKey) ?? 0;
    if (count >= limit) return { admitted: false, limit, remaining: 0, resetAt };
    const raise = (): void => void counts.set(windowKey, (counts.get(windowKey) ?? 0) + 1);
    setTimeout(raise, ROUND_TRIP_MS).unref();
    return { admitted: true, limit, remaining: limit - count - 1, resetAt };
  });
}
