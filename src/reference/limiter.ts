/** The decision of the limiter about one request. */
export interface Admission {
  readonly admitted: boolean;
  /** Requests per window. */
  readonly limit: number;
  /** Requests left in the window after this one. */
  readonly remaining: number;
  /** When the window ends, epoch ms. */
  readonly resetAt: number;
}

/**
 * Counts requests per bucket (normally a key, §8). Check and count are one synchronous step, so that no two requests can
 * take the same slot.
 */
export interface Limiter {
  take(bucket: string, now: number): Admission;
  /** Releases the slot of an admitted request, and returns the resulting admission. */
  refund(bucket: string, now: number, admission: Admission): Admission;
}

export interface LimiterSettings {
  readonly limit: number;
  readonly windowMs: number;
}

/** The algorithm of the limiter; the specification only states the minute window (§8, ruling 13). */
export type LimiterKind = 'fixed' | 'anchored' | 'sliding';

export function createLimiter(kind: LimiterKind, settings: LimiterSettings): Limiter {
  return LIMITERS[kind](settings);
}

/** Windows that start at multiples of their length, the same for every bucket. */
export function fixedWindow({ limit, windowMs }: LimiterSettings): Limiter {
  const counts = new Map<string, number>();
  let current = Number.NaN;
  const rollOver = (now: number): number => {
    const window = Math.floor(now / windowMs);
    if (window !== current) {
      counts.clear();
      current = window;
    }
    return (window + 1) * windowMs;
  };
  return {
    take(bucket, now) {
      const resetAt = rollOver(now);
      const count = counts.get(bucket) ?? 0;
      if (count >= limit) return { admitted: false, limit, remaining: 0, resetAt };
      counts.set(bucket, count + 1);
      return { admitted: true, limit, remaining: limit - count - 1, resetAt };
    },
    refund(bucket, now, admission) {
      const resetAt = rollOver(now);
      if (resetAt !== admission.resetAt) return admission;
      const count = Math.max(0, (counts.get(bucket) ?? 0) - 1);
      counts.set(bucket, count);
      return { ...admission, remaining: limit - count };
    },
  };
}

/** Windows that start with the first request of a bucket. */
export function anchoredWindow({ limit, windowMs }: LimiterSettings): Limiter {
  const windows = new Map<string, { start: number; count: number }>();
  const windowOf = (bucket: string, now: number): { start: number; count: number } => {
    const known = windows.get(bucket);
    if (known !== undefined && now >= known.start && now < known.start + windowMs) return known;
    const started = { start: now, count: 0 };
    windows.set(bucket, started);
    return started;
  };
  return {
    take(bucket, now) {
      const window = windowOf(bucket, now);
      const resetAt = window.start + windowMs;
      if (window.count >= limit) return { admitted: false, limit, remaining: 0, resetAt };
      window.count += 1;
      return { admitted: true, limit, remaining: limit - window.count, resetAt };
    },
    refund(bucket, now, admission) {
      const window = windowOf(bucket, now);
      if (window.start + windowMs !== admission.resetAt) return admission;
      window.count = Math.max(0, window.count - 1);
      return { ...admission, remaining: limit - window.count };
    },
  };
}

/** A log of admitted requests: at most `limit` of them are younger than one window. */
export function slidingWindow({ limit, windowMs }: LimiterSettings): Limiter {
  const logs = new Map<string, number[]>();
  const logOf = (bucket: string, now: number): number[] => {
    let log = logs.get(bucket);
    if (log === undefined) {
      log = [];
      logs.set(bucket, log);
    }
    while (log.length > 0 && (log[0] ?? now) <= now - windowMs) log.shift();
    return log;
  };
  return {
    take(bucket, now) {
      const log = logOf(bucket, now);
      const admitted = log.length < limit;
      if (admitted) log.push(now);
      return {
        admitted,
        limit,
        remaining: limit - log.length,
        resetAt: (log[0] ?? now) + windowMs,
      };
    },
    refund(bucket, now, admission) {
      const log = logOf(bucket, now);
      log.pop();
      return {
        ...admission,
        remaining: limit - log.length,
        resetAt: (log[0] ?? now) + windowMs,
      };
    },
  };
}

const LIMITERS: Readonly<Record<LimiterKind, (settings: LimiterSettings) => Limiter>> = {
  fixed: fixedWindow,
  anchored: anchoredWindow,
  sliding: slidingWindow,
};

/** Monthly quota per key (§8): calendar months in UTC. */
export interface Quota {
  readonly quota: number;
  /** Counts one request; false when the monthly quota is exhausted. */
  take(key: string, now: number): boolean;
  refund(key: string, now: number): void;
  remaining(key: string, now: number): number;
  /** First moment of the next month, epoch ms. */
  resetAt(now: number): number;
}

/** `left`: requests that individual keys have left in the month of `start`. */
export function monthlyQuota(
  quota: number,
  left: ReadonlyMap<string, number>,
  start: number,
): Quota {
  const used = new Map<string, number>();
  let from = 0;
  let to = 0;
  const rollOver = (now: number): void => {
    if (now >= from && now < to) return;
    const date = new Date(now);
    from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    to = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    used.clear();
  };
  rollOver(start);
  for (const [key, remaining] of left) used.set(key, Math.max(0, quota - remaining));
  return {
    quota,
    take(key, now) {
      rollOver(now);
      const count = used.get(key) ?? 0;
      if (count >= quota) return false;
      used.set(key, count + 1);
      return true;
    },
    refund(key, now) {
      rollOver(now);
      used.set(key, Math.max(0, (used.get(key) ?? 0) - 1));
    },
    remaining(key, now) {
      rollOver(now);
      return quota - (used.get(key) ?? 0);
    },
    resetAt(now) {
      rollOver(now);
      return to;
    },
  };
}
