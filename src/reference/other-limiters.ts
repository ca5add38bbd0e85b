import { slidingLog, slidingWindow } from './limiter.ts';
import type { Admission, Limiter, LimiterSettings } from './limiter.ts';

/** Other allowed algorithms: none admits more than the limit in an announced window. */

/** A sliding log of all requests including refused ones, which extend the announced wait. */
export const loggingAll = slidingLog(true);

/** A sliding window that always announces a reset one whole window from now. */
export function announcingWindow(settings: LimiterSettings): Limiter {
  const inner = slidingWindow(settings);
  const later = (admission: Admission, now: number): Admission => ({
    ...admission,
    resetAt: now + settings.windowMs,
  });
  return {
    take: (bucket, now) => later(inner.take(bucket, now), now),
    refund: (bucket, now, admission) => later(inner.refund(bucket, now, admission), now),
  };
}

/** A token bucket, refilled evenly. The reset is when it will be full. */
export function tokenBucket({ limit, windowMs }: LimiterSettings): Limiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const filled = (bucket: string, now: number): { tokens: number; at: number } => {
    const known = buckets.get(bucket) ?? { tokens: limit, at: now };
    const since = Math.max(0, now - known.at);
    const state = { tokens: Math.min(limit, known.tokens + (since * limit) / windowMs), at: now };
    buckets.set(bucket, state);
    return state;
  };
  const announced = (admitted: boolean, tokens: number, now: number): Admission => ({
    admitted,
    limit,
    remaining: Math.floor(tokens),
    resetAt: now + Math.ceil(((limit - tokens) * windowMs) / limit),
  });
  return {
    take(bucket, now) {
      const state = filled(bucket, now);
      const admitted = state.tokens >= 1;
      if (admitted) state.tokens -= 1;
      return announced(admitted, state.tokens, now);
    },
    refund(bucket, now, { admitted }) {
      const state = filled(bucket, now);
      state.tokens = Math.min(limit, state.tokens + 1);
      return announced(admitted, state.tokens, now);
    },
  };
}

/**
 * Counts in clock windows, plus the previous window in proportion to its overlap. The reset of a refusal is the first time
 * after the window at which a request will be admitted.
 */
export function weightedCounter({ limit, windowMs }: LimiterSettings): Limiter {
  const counts = new Map<string, { window: number; before: number; count: number }>();
  const countOf = (bucket: string, now: number): { before: number; count: number } => {
    const window = Math.floor(now / windowMs);
    const known = counts.get(bucket);
    if (known?.window === window) return known;
    const before = known?.window === window - 1 ? known.count : 0;
    const started = { window, before, count: 0 };
    counts.set(bucket, started);
    return started;
  };
  const used = ({ before, count }: { before: number; count: number }, now: number): number =>
    before * (1 - (now % windowMs) / windowMs) + count;
  // An exhausted window still weighs too much when the next one begins.
  const nextAt = ({ count }: { count: number }, now: number): number =>
    now -
    (now % windowMs) +
    Math.ceil(windowMs * (1 + Math.max(0, 1 - (limit - 1) / Math.max(1, count))));
  return {
    take(bucket, now) {
      const state = countOf(bucket, now);
      const admitted = used(state, now) <= limit - 1;
      if (admitted) state.count += 1;
      const remaining = admitted ? Math.floor(limit - used(state, now)) : 0;
      const resetAt = admitted ? now - (now % windowMs) + windowMs : nextAt(state, now);
      return { admitted, limit, remaining, resetAt };
    },
    refund(bucket, now, admission) {
      const state = countOf(bucket, now);
      state.count = Math.max(0, state.count - 1);
      return { ...admission, remaining: Math.floor(limit - used(state, now)) };
    },
  };
}
