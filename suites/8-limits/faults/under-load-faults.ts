import {
  fixedWindow,
  type Admission,
  type Limiter,
  type LimiterSettings,
  type Quota,
} from '../../../src/reference/limiter.ts';
import { Refusal } from '../../../src/reference/refusal.ts';
import { isRateRefusal, onAnswer, withoutRateHeaders } from '../../../src/reference/vocabulary.ts';
import type { Answer, Context, Hooks } from '../../../src/reference/hooks.ts';
import { faultsOf, type Fault } from '../../../src/reference/faults/fault.ts';

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
const ROUND_TRIP_MS = 3;

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

/** Requests closer than this are simultaneous, ms. */
const MOMENT_MS = 5;

/** Whether a bucket is used by simultaneous requests. */
function concurrencyDetector(): (bucket: string, now: number) => boolean {
  const last = new Map<string, number>();
  return (bucket, now) => {
    const before = last.get(bucket) ?? Number.NEGATIVE_INFINITY;
    last.set(bucket, now);
    return now - before < MOMENT_MS;
  };
}

/** Counts correctly, but announces the previous figure to simultaneous requests. */
function staleRemaining(settings: LimiterSettings): Limiter {
  const inner = fixedWindow(settings);
  const isConcurrent = concurrencyDetector();
  const lastAnnounced = new Map<string, number>();
  return {
    ...inner,
    take(bucket, now) {
      const admission = inner.take(bucket, now);
      const before = lastAnnounced.get(`${bucket} ${admission.resetAt}`);
      const stale = isConcurrent(bucket, now) && before !== undefined && admission.admitted;
      const remaining = stale ? before : admission.remaining;
      lastAnnounced.set(`${bucket} ${admission.resetAt}`, remaining);
      return { ...admission, remaining };
    },
  };
}

/** Two independent counters used in turn, like two machines behind one address. */
function twoMachines(settings: LimiterSettings): Limiter {
  const machines = [fixedWindow(settings), fixedWindow(settings)] as const;
  let taken = 0;
  return keeping((bucket, now) => {
    taken += 1;
    return machines[taken % 2 === 0 ? 0 : 1].take(bucket, now);
  });
}

/** Resets a tenth of the window before the announced time. */
function earlyReset({ limit, windowMs }: LimiterSettings): Limiter {
  const inner = fixedWindow({ limit, windowMs });
  return keeping((bucket, now) => ({
    ...inner.take(bucket, now + windowMs / 10),
    resetAt: endOf(now, windowMs),
  }));
}

/** Checks the quota and spends it a round trip later. */
function checkThenSpend(quota: Quota): Quota {
  return {
    ...quota,
    take(key, now) {
      if (quota.remaining(key, now) <= 0) return false;
      setTimeout(() => quota.take(key, now), ROUND_TRIP_MS).unref();
      return true;
    },
  };
}

/** Month length of a quota that resets too soon, ms. */
const SHORT_MONTH_MS = 4000;

/** A quota that resets every few seconds. */
function shortMonth(quota: Quota): Quota {
  const spent = new Map<string, { window: number; count: number }>();
  return {
    ...quota,
    take(key, now) {
      const window = Math.floor(now / SHORT_MONTH_MS);
      const known = spent.get(key);
      if (known?.window === window) return quota.take(key, now);
      for (let back = known?.count ?? 0; back > 0; back -= 1) quota.refund(key, now);
      const left = quota.remaining(key, now);
      const admitted = quota.take(key, now);
      spent.set(key, { window, count: left });
      return admitted;
    },
  };
}

/** Changes answers to simultaneous requests of a key. */
function whenConcurrent(
  when: (answer: Answer) => boolean,
  change: (answer: Answer) => Answer,
): Hooks {
  const isConcurrent = concurrencyDetector();
  return onAnswer(
    (answer, { apiKey, now }: Context) => isConcurrent(apiKey ?? '', now) && when(answer),
    change,
  );
}

/**
 * Faults of §8 that show only with concurrent requests or over many windows. The suites send sequentially and cannot
 * see them; the load scenarios must.
 */
export const LOAD_FAULTS: readonly Fault[] = faultsOf({
  'load-check-then-count': {
    title: 'The counter is read and then written a few milliseconds later, not atomically',
    kills: ['8/limit-enforced'],
    hooks: { limiter: checkThenCount },
  },
  'load-remaining-stale': {
    title: 'Concurrent requests get the same X-RateLimit-Remaining',
    kills: ['8/remaining-decrements'],
    hooks: { limiter: staleRemaining },
  },
  'load-refusals-bare': {
    title: 'Concurrent refusals have no rate-limit headers',
    kills: ['8/refusal-headers'],
    hooks: whenConcurrent(isRateRefusal, withoutRateHeaders),
  },
  'load-two-machines': {
    title: 'Two instances behind one address count separately',
    kills: ['8/limit-enforced'],
    hooks: { limiter: twoMachines },
  },
  'load-early-reset': {
    title: 'A new count starts a tenth of the window before the announced reset',
    kills: ['8/limit-enforced'],
    hooks: { limiter: earlyReset },
  },
  'load-crash': {
    title: 'Concurrent requests may cause an internal error',
    kills: ['4/no-5xx'],
    hooks: whenConcurrent(
      ({ status }) => status === 200,
      (answer) => ({
        ...answer,
        status: 500,
        value: new Refusal('internal', 'Internal server error', {}).body(),
      }),
    ),
  },
  'load-quota-check-then-count': {
    title: 'The quota is read and then written a few milliseconds later, not atomically',
    kills: ['8/quota'],
    hooks: { quota: checkThenSpend },
  },
  'load-quota-forgets': {
    title: 'The monthly quota resets every four seconds',
    kills: ['8/quota'],
    hooks: { quota: shortMonth },
  },
});
