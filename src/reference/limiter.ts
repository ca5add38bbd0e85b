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

/** Windows of equal length; `startOf` says when the window of a request begins. */
const windows =
  (startOf: (now: number, windowMs: number) => number) =>
  ({ limit, windowMs }: LimiterSettings): Limiter => {
    const open = new Map<string, { readonly start: number; count: number }>();
    const windowOf = (bucket: string, now: number): { readonly start: number; count: number } => {
      const known = open.get(bucket);
      if (known !== undefined && now >= known.start && now < known.start + windowMs) return known;
      const begun = { start: startOf(now, windowMs), count: 0 };
      open.set(bucket, begun);
      return begun;
    };
    return {
      take(bucket, now) {
        const window = windowOf(bucket, now);
        const admitted = window.count < limit;
        if (admitted) window.count += 1;
        return {
          admitted,
          limit,
          remaining: limit - window.count,
          resetAt: window.start + windowMs,
        };
      },
      refund(bucket, now, admission) {
        const window = windowOf(bucket, now);
        if (window.start + windowMs !== admission.resetAt) return admission;
        window.count = Math.max(0, window.count - 1);
        return { ...admission, remaining: limit - window.count };
      },
    };
  };

/** Windows that start at multiples of their length, the same for every bucket. */
export const fixedWindow = windows((now, windowMs) => now - (now % windowMs));

/** Windows that start with the first request of a bucket. */
export const anchoredWindow = windows((now) => now);

/**
 * A log of requests: at most `limit` of them are younger than one window. Refused ones may count too, and then extend the
 * announced wait.
 */
export const slidingLog =
  (countsRefused: boolean) =>
  ({ limit, windowMs }: LimiterSettings): Limiter => {
    const logs = new Map<string, number[]>();
    const logOf = (bucket: string, now: number): number[] => {
      const log = (logs.get(bucket) ?? []).filter((time) => time > now - windowMs);
      logs.set(bucket, log);
      return log;
    };
    const left = (log: readonly number[]): number => Math.max(0, limit - log.length);
    return {
      take(bucket, now) {
        const log = logOf(bucket, now);
        const admitted = log.length < limit;
        if (admitted || countsRefused) log.push(now);
        const freed = log[Math.max(0, log.length - limit)] ?? now;
        return { admitted, limit, remaining: left(log), resetAt: freed + windowMs };
      },
      refund(bucket, now, admission) {
        const log = logOf(bucket, now);
        log.pop();
        return { ...admission, remaining: left(log), resetAt: (log[0] ?? now) + windowMs };
      },
    };
  };

/** A log of admitted requests. */
export const slidingWindow = slidingLog(false);

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
  /** First moment of the month, or of one after it. */
  const monthOf = (now: number, later = 0): number => {
    const date = new Date(now);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
  };
  const used = new Map<string, number>();
  const add = (key: string, now: number, count: number): number => {
    const name = `${monthOf(now)} ${key}`;
    const sum = Math.max(0, (used.get(name) ?? 0) + count);
    used.set(name, sum);
    return sum;
  };
  for (const [key, remaining] of left) add(key, start, quota - remaining);
  return {
    quota,
    take(key, now) {
      if (add(key, now, 0) >= quota) return false;
      add(key, now, 1);
      return true;
    },
    refund: (key, now) => void add(key, now, -1),
    remaining: (key, now) => quota - add(key, now, 0),
    resetAt: (now) => monthOf(now, 1),
  };
}
