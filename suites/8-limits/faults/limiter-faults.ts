import type { Hooks } from '../../../src/reference/hooks.ts';
import { fixedWindow, type Limiter, type LimiterSettings } from '../../../src/reference/limiter.ts';
import { onAnswer, withoutRateHeaders } from '../../../src/reference/vocabulary.ts';
import { faultsOf, type Fault } from '../../../src/reference/faults/fault.ts';
import { announcing, checkThenCount, choosing, endOf, keeping } from './under-load-faults.ts';

/** Announces the specified limit but enforces another. */
export function enforced({ limit, windowMs }: LimiterSettings, actual: number): Limiter {
  return announcing(fixedWindow({ limit: actual, windowMs }), (admission) => ({
    ...admission,
    limit,
    remaining: admission.admitted ? Math.max(0, limit - (actual - admission.remaining)) : 0,
  }));
}

/** Announces the specified limit but counts down from another. */
const told = ({ limit, windowMs }: LimiterSettings, actual: number): Limiter =>
  announcing(fixedWindow({ limit: actual, windowMs }), (admission) => ({ ...admission, limit }));

const enforcing = (actual: (limit: number) => number): Hooks => ({
  limiter: (settings) => enforced(settings, actual(settings.limit)),
});

/** Switches limiters at the end of the first window. */
function afterFirstWindow(settings: LimiterSettings, later: Limiter): Limiter {
  const first = fixedWindow(settings);
  let until: number | undefined;
  return choosing((_bucket, now) => {
    until ??= endOf(now, settings.windowMs);
    return now < until ? first : later;
  });
}

/** Counts in windows of `ownMs` but announces the specified ones. */
export function counting({ limit, windowMs }: LimiterSettings, ownMs: number): Limiter {
  const inner = fixedWindow({ limit, windowMs: ownMs });
  return keeping((bucket, now) => ({
    ...inner.take(bucket, now),
    resetAt: endOf(now, windowMs),
  }));
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
    ...inner,
    take(bucket, now) {
      const end = blockedUntil.get(bucket) ?? 0;
      const resetAt = endOf(now, windowMs);
      const isBlocked = now < end;
      const admission = isBlocked
        ? { admitted: false, limit, remaining: 0, resetAt }
        : inner.take(bucket, now);
      if (isBlocked ? again : !admission.admitted) blockedUntil.set(bucket, until(now, resetAt));
      return admission;
    },
  };
}

/** Faults in what the limiter admits (§8). */
export const LIMITER_FAULTS: readonly Fault[] = faultsOf({
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
        return choosing((bucket) => (bucket.endsWith('0002') ? more : usual));
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
    hooks: { limiter: (settings) => told(settings, settings.limit - 1) },
  },
  'limit-half-after-reset': {
    title: 'Half the limit is admitted in every window but the first',
    kills: ['8/limit-not-early'],
    profile: 'full',
    hooks: {
      limiter: (settings) => afterFirstWindow(settings, enforced(settings, settings.limit / 2)),
    },
  },
  'limit-half-after-reset-told': {
    title:
      'Half the limit is admitted in every window but the first, and X-RateLimit-Remaining counts down from there',
    kills: ['8/limit-not-early'],
    profile: 'full',
    hooks: {
      limiter: (settings) => afterFirstWindow(settings, told(settings, settings.limit / 2)),
    },
  },
  'limit-racy': {
    title: 'Concurrent requests do not count against each other',
    kills: ['8/limit-enforced', '8/remaining-decrements'],
    profile: 'full',
    hooks: { limiter: checkThenCount },
  },
  'limit-quarter-window': {
    title: 'A window lasts a quarter of the specified time, as announced',
    kills: ['8/window-length'],
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
  'limit-window-overruns': {
    title: 'Windows last a quarter longer than announced',
    kills: ['8/reset'],
    hooks: {
      limiter({ limit, windowMs }) {
        const late = windowMs / 4;
        const inner = fixedWindow({ limit, windowMs: windowMs + late });
        return keeping((bucket, now) => {
          const admission = inner.take(bucket, now);
          return { ...admission, resetAt: admission.resetAt - late };
        });
      },
    },
  },
  'limit-never-resets': {
    title: 'The count continues after the reset',
    kills: ['8/reset'],
    hooks: { limiter: (settings) => counting(settings, Number.MAX_SAFE_INTEGER) },
  },
});
