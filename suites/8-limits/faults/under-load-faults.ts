import { fixedWindow } from '../../../src/reference/limiter.ts';
import type { Limiter, LimiterSettings, Quota } from '../../../src/reference/limiter.ts';
import { Refusal } from '../../../src/reference/refusal.ts';
import { isRateRefusal, onAnswer, withoutRateHeaders } from '../../../src/reference/vocabulary.ts';
import type { Answer, Context, Hooks } from '../../../src/reference/hooks.ts';
import { faultsOf } from '../../../src/reference/faults/fault.ts';
import type { Fault } from '../../../src/reference/faults/fault.ts';

/** Requests less than this apart are at the same moment, ms. */
const MOMENT_MS = 5;

/** Remembers when a bucket was asked last; true while requests come close together. */
function crowd(): (bucket: string, now: number) => boolean {
  const last = new Map<string, number>();
  return (bucket, now) => {
    const before = last.get(bucket) ?? Number.NEGATIVE_INFINITY;
    last.set(bucket, now);
    return now - before < MOMENT_MS;
  };
}

/** Between looking at a count and raising it, when both are requests to a store, ms. */
const ROUND_TRIP_MS = 3;

/** Looks at the count and raises it a round trip later: the requests in between see the old count. */
export function checkThenCount({ limit, windowMs }: LimiterSettings): Limiter {
  const counts = new Map<string, number>();
  return {
    take(bucket, now) {
      const window = Math.floor(now / windowMs);
      const place = `${window} ${bucket}`;
      const count = counts.get(place) ?? 0;
      const resetAt = (window + 1) * windowMs;
      if (count >= limit) return { admitted: false, limit, remaining: 0, resetAt };
      setTimeout(() => counts.set(place, (counts.get(place) ?? 0) + 1), ROUND_TRIP_MS).unref();
      return { admitted: true, limit, remaining: limit - count - 1, resetAt };
    },
    refund: (_bucket, _now, admission) => admission,
  };
}

/** Counts exactly, but announces what the request before was told while requests come close together. */
function staleRemaining(settings: LimiterSettings): Limiter {
  const inner = fixedWindow(settings);
  const close = crowd();
  const told = new Map<string, number>();
  return {
    take(bucket, now) {
      const admission = inner.take(bucket, now);
      const before = told.get(`${bucket} ${admission.resetAt}`);
      const stale = close(bucket, now) && before !== undefined && admission.admitted;
      const remaining = stale ? before : admission.remaining;
      told.set(`${bucket} ${admission.resetAt}`, remaining);
      return { ...admission, remaining };
    },
    refund: (bucket, now, admission) => inner.refund(bucket, now, admission),
  };
}

/** Two counters that take turns, as two machines behind one address that share nothing. */
function twoMachines(settings: LimiterSettings): Limiter {
  const machines = [fixedWindow(settings), fixedWindow(settings)] as const;
  let turn = 0;
  return {
    take(bucket, now) {
      turn += 1;
      return machines[turn % 2 === 0 ? 0 : 1].take(bucket, now);
    },
    refund: (_bucket, _now, admission) => admission,
  };
}

/** Starts a new count a tenth of the window before the announced reset. */
function earlyReset({ limit, windowMs }: LimiterSettings): Limiter {
  const inner = fixedWindow({ limit, windowMs });
  return {
    take(bucket, now) {
      const resetAt = (Math.floor(now / windowMs) + 1) * windowMs;
      return { ...inner.take(bucket, now + windowMs / 10), resetAt };
    },
    refund: (_bucket, _now, admission) => admission,
  };
}

/** Looks at the quota and spends it a round trip later. */
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

/** Length of the month of a quota that forgets, ms. */
const SHORT_MONTH_MS = 4000;

/** A quota that starts anew every few seconds. */
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

/** Changes answers of a key while its requests come close together. */
function inCrowds(when: (answer: Answer) => boolean, change: (answer: Answer) => Answer): Hooks {
  const close = crowd();
  return onAnswer(
    (answer, { apiKey, now }: Context) => close(apiKey ?? '', now) && when(answer),
    change,
  );
}

/**
 * Defects of §8 that show only when requests come at the same moment, or over many windows. The suites send one request
 * after the other and cannot see them; the load scenarios must.
 */
export const LOAD_FAULTS: readonly Fault[] = faultsOf('8', {
  'load-check-then-count': {
    title: 'The counter is read and then written a few milliseconds later, not atomically',
    kills: ['8/limit-enforced'],
    subtle: true,
    hooks: { limiter: checkThenCount },
  },
  'load-remaining-stale': {
    title: 'Concurrent requests get the same X-RateLimit-Remaining',
    kills: ['8/remaining-decrements'],
    subtle: true,
    hooks: { limiter: staleRemaining },
  },
  'load-refusals-bare': {
    title: 'Concurrent refusals have no rate-limit headers',
    kills: ['8/refusal-headers'],
    subtle: true,
    hooks: inCrowds(isRateRefusal, withoutRateHeaders),
  },
  'load-two-machines': {
    title: 'Two instances behind one address count separately',
    kills: ['8/limit-enforced'],
    hooks: { limiter: twoMachines },
  },
  'load-early-reset': {
    title: 'A new count starts a tenth of the window before the announced reset',
    kills: ['8/limit-enforced'],
    subtle: true,
    hooks: { limiter: earlyReset },
  },
  'load-crash': {
    title: 'Concurrent requests may end in an internal error',
    kills: ['4/no-5xx'],
    subtle: true,
    hooks: inCrowds(
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
    subtle: true,
    hooks: { quota: checkThenSpend },
  },
  'load-quota-forgets': {
    title: 'The monthly quota resets every four seconds',
    kills: ['8/quota'],
    hooks: { quota: shortMonth },
  },
});
