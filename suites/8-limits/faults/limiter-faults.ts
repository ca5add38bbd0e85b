import type { Hooks } from '../../../src/reference/hooks.ts';
import {
  fixedWindow,
  type Admission,
  type Limiter,
  type LimiterSettings,
} from '../../../src/reference/limiter.ts';
import { onAnswer, withoutRateHeaders } from '../../../src/reference/vocabulary.ts';
import { faultsOf, type Fault } from '../../../src/reference/faults/fault.ts';
import { checkThenCount } from './under-load-faults.ts';

/** Announces the specified limit but enforces another. */
function enforcing(actual: (limit: number) => number): Hooks {
  return { limiter: (settings) => enforced(settings, actual(settings.limit)) };
}

function enforced({ limit, windowMs }: LimiterSettings, actual: number): Limiter {
  const inner = fixedWindow({ limit: actual, windowMs });
  const announced = (admission: Admission): Admission => {
    const remaining = Math.max(0, limit - (actual - admission.remaining));
    return { ...admission, limit, remaining: admission.admitted ? remaining : 0 };
  };
  return {
    take: (bucket, now) => announced(inner.take(bucket, now)),
    refund: (bucket, now, admission) => announced(inner.refund(bucket, now, admission)),
  };
}

/** Switches limiters at the end of the first window. */
function afterFirstWindow(settings: LimiterSettings, later: Limiter): Limiter {
  const first = fixedWindow(settings);
  let until: number | undefined;
  const current = (now: number): Limiter => {
    until ??= (Math.floor(now / settings.windowMs) + 1) * settings.windowMs;
    return now < until ? first : later;
  };
  return {
    take: (bucket, now) => current(now).take(bucket, now),
    refund: (bucket, now, admission) => current(now).refund(bucket, now, admission),
  };
}

/** Counts in windows of `ownMs` but announces the specified ones. */
function counting({ limit, windowMs }: LimiterSettings, ownMs: number): Limiter {
  const inner = fixedWindow({ limit, windowMs: ownMs });
  return {
    take: (bucket, now) => ({
      ...inner.take(bucket, now),
      resetAt: (Math.floor(now / windowMs) + 1) * windowMs,
    }),
    refund: (_bucket, _now, admission) => admission,
  };
}

/** Blocks a key for longer than announced; `until` gives the end. */
function blocking(
  { limit, windowMs }: LimiterSettings,
  until: (now: number, resetAt: number) => number,
  again: boolean,
): Limiter {
  const inner = fixedWindow({ limit, windowMs });
  const blockedUntil = new Map<string, number>();
  return {
    take(bucket, now) {
      const end = blockedUntil.get(bucket) ?? 0;
      const resetAt = (Math.floor(now / windowMs) + 1) * windowMs;
      if (now < end) {
        if (again) blockedUntil.set(bucket, until(now, resetAt));
        return { admitted: false, limit, remaining: 0, resetAt };
      }
      const admission = inner.take(bucket, now);
      if (!admission.admitted) blockedUntil.set(bucket, until(now, resetAt));
      return admission;
    },
    refund: (bucket, now, admission) => inner.refund(bucket, now, admission),
  };
}

/** Faults in what the limiter admits (§8). */
export const LIMITER_FAULTS: readonly Fault[] = faultsOf('8', {
  'limit-off': {
    title: 'The rate limit is not enforced',
    kills: ['8/limit-enforced'],
    hooks: enforcing(() => Number.MAX_SAFE_INTEGER),
  },
  'limit-one-more': {
    title: 'One request more than the limit is admitted',
    kills: ['8/limit-enforced'],
    hooks: enforcing((limit) => limit + 1),
  },
  'limit-one-more-of-one-key': {
    title: 'One request more than the limit is admitted for the second key',
    kills: ['8/limit-enforced'],
    profile: 'full',
    hooks: {
      limiter(settings) {
        const [usual, more] = [fixedWindow(settings), enforced(settings, settings.limit + 1)];
        const of = (bucket: string): Limiter => (bucket.endsWith('0002') ? more : usual);
        return {
          take: (bucket, now) => of(bucket).take(bucket, now),
          refund: (bucket, now, admission) => of(bucket).refund(bucket, now, admission),
        };
      },
    },
  },
  'limit-five-more-in-silence': {
    title:
      'Five requests more than the limit are admitted, and only refusals have rate-limit headers',
    kills: ['8/limit-enforced'],
    profile: 'full',
    hooks: [
      enforcing((limit) => limit + 5),
      onAnswer(({ status }) => status !== 429, withoutRateHeaders),
    ],
  },
  'limit-one-more-after-reset': {
    title: 'One request more than the limit is admitted in every window but the first',
    kills: ['8/limit-enforced'],
    profile: 'full',
    hooks: {
      limiter: (settings) => afterFirstWindow(settings, enforced(settings, settings.limit + 1)),
    },
  },
  'limit-one-less': {
    title: 'One request fewer than the limit is admitted',
    kills: ['8/limit-not-early'],
    hooks: enforcing((limit) => limit - 1),
  },
  'limit-one-less-told': {
    title:
      'One request fewer than the limit is admitted, and X-RateLimit-Remaining counts down from there',
    kills: ['8/limit-not-early'],
    profile: 'full',
    hooks: {
      limiter({ limit, windowMs }) {
        const inner = fixedWindow({ limit: limit - 1, windowMs });
        return {
          take: (bucket, now) => ({ ...inner.take(bucket, now), limit }),
          refund: (bucket, now, admission) => ({ ...inner.refund(bucket, now, admission), limit }),
        };
      },
    },
  },
  'limit-racy': {
    title: 'Concurrent requests do not count against each other',
    kills: ['8/limit-enforced', '8/remaining-decrements'],
    profile: 'full',
    hooks: { limiter: checkThenCount },
  },
  'limit-half-window': {
    title: 'The limit is restored halfway through the announced window',
    kills: ['8/limit-enforced'],
    profile: 'full',
    hooks: { limiter: (settings) => counting(settings, settings.windowMs / 2) },
  },
  'limit-quarter-window': {
    title: 'A window lasts a quarter of the specified time, as announced',
    kills: ['8/window-length', '8/reset-steady'],
    hooks: {
      limiter: ({ limit, windowMs }) => fixedWindow({ limit, windowMs: windowMs / 4 }),
    },
  },
  'limit-passed-by': {
    title: 'GET /indices bypasses the limiter, without rate-limit headers',
    kills: ['8/remaining-decrements'],
    hooks: [
      { bucket: (bucket, { endpoint }) => (endpoint === '/indices' ? `${bucket} apart` : bucket) },
      onAnswer(
        ({ status }, { endpoint }) => endpoint === '/indices' && status !== 429,
        withoutRateHeaders,
      ),
    ],
  },
  'limit-shared': {
    title: 'All keys share one limit',
    kills: ['8/per-key'],
    profile: 'full',
    hooks: { bucket: () => 'all keys' },
  },
  'limit-shared-prefix': {
    title: 'Keys with the same prefix share one limit',
    kills: ['8/per-key'],
    profile: 'full',
    hooks: { bucket: (bucket) => bucket.slice(0, 20) },
  },
  'limit-penalty': {
    title: 'Every refused request restarts the whole window, regardless of the announced reset',
    kills: ['8/reset'],
    hooks: {
      limiter: (settings) => blocking(settings, (now) => now + settings.windowMs, true),
    },
  },
  'limit-wait-doubled': {
    title: 'A refusal blocks the key one window longer than announced',
    kills: ['8/reset'],
    hooks: {
      limiter: (settings) =>
        blocking(settings, (_now, resetAt) => resetAt + settings.windowMs, false),
    },
  },
  'limit-never-resets': {
    title: 'The count continues after the reset',
    kills: ['8/reset'],
    hooks: { limiter: (settings) => counting(settings, Number.MAX_SAFE_INTEGER) },
  },
});
