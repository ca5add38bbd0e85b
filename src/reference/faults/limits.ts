import { ERRORS } from '../../contract/error-codes.ts';
import { isObject } from '../json.ts';
import type { Admission, Limiter, LimiterSettings } from '../limiter.ts';
import { fixedWindow } from '../limiter.ts';
import {
  afterReset,
  isRateRefusal,
  onAdmission,
  onAnswer,
  onDetails,
  withHeader,
} from '../vocabulary.ts';
import type { Answer, Hooks } from '../hooks.ts';
import type { JsonObject } from '../world.ts';
import { faultsOf } from './fault.ts';
import type { Fault } from './fault.ts';

/** Announces the true limit but enforces another one. */
function enforcing(actual: (limit: number) => number): Hooks {
  return {
    limiter({ limit, windowMs }) {
      const inner = fixedWindow({ limit: actual(limit), windowMs });
      const announced = (admission: Admission): Admission => ({
        ...admission,
        limit,
        remaining: Math.max(0, Math.min(limit - 1, admission.remaining + limit - actual(limit))),
      });
      return {
        take: (bucket, now) => announced(inner.take(bucket, now)),
        refund: (bucket, now, admission) => announced(inner.refund(bucket, now, admission)),
      };
    },
  };
}

/** Counts a request some time after it was let in, so that those at the same moment do not see each other. */
function racy({ limit, windowMs }: LimiterSettings): Limiter {
  const counts = new Map<string, number>();
  return {
    take(bucket, now) {
      const window = Math.floor(now / windowMs);
      const place = `${window} ${bucket}`;
      const count = counts.get(place) ?? 0;
      const resetAt = (window + 1) * windowMs;
      if (count >= limit) return { admitted: false, limit, remaining: 0, resetAt };
      setTimeout(() => counts.set(place, (counts.get(place) ?? 0) + 1), 3);
      return { admitted: true, limit, remaining: limit - count - 1, resetAt };
    },
    refund: (_bucket, _now, admission) => admission,
  };
}

/** Every refused request starts the wait again. */
function punishing({ limit, windowMs }: LimiterSettings): Limiter {
  const inner = fixedWindow({ limit, windowMs });
  const blockedUntil = new Map<string, number>();
  return {
    take(bucket, now) {
      const until = blockedUntil.get(bucket) ?? 0;
      if (now < until) {
        const resetAt = now + windowMs;
        blockedUntil.set(bucket, resetAt);
        return { admitted: false, limit, remaining: 0, resetAt };
      }
      const admission = inner.take(bucket, now);
      if (!admission.admitted) blockedUntil.set(bucket, admission.resetAt);
      return admission;
    },
    refund: (bucket, now, admission) => inner.refund(bucket, now, admission),
  };
}

/** Changes the body of the limiter's refusal, not that of the quota. */
const onRefusal = (change: (body: JsonObject) => JsonObject): Hooks =>
  onAnswer(isRateRefusal, (answer) =>
    isObject(answer.value) ? { ...answer, value: change(answer.value) } : answer,
  );
const onRefusalDetails = (change: (details: JsonObject) => JsonObject): Hooks =>
  onDetails('tooManyRequests', (details) =>
    details['retry_after'] === undefined ? details : change(details),
  );
const isQuotaRefusal = (answer: Answer): boolean => answer.status === 429 && !isRateRefusal(answer);

/** Defects of §8. */
export const LIMIT_FAULTS: readonly Fault[] = faultsOf('8', {
  'limit-off': {
    title: 'The rate limit is not enforced',
    kills: ['8/limit-enforced'],
    hooks: enforcing(() => Number.MAX_SAFE_INTEGER),
  },
  'limit-one-more': {
    title: 'One request more than the limit is admitted',
    kills: ['8/limit-enforced'],
    subtle: true,
    hooks: enforcing((limit) => limit + 1),
  },
  'limit-one-less': {
    title: 'One request less than the limit is admitted',
    kills: ['8/limit-not-early'],
    subtle: true,
    hooks: enforcing((limit) => limit - 1),
  },
  'limit-racy': {
    title: 'Requests at the same moment do not count against each other',
    kills: ['8/limit-enforced', '8/remaining-decrements'],
    subtle: true,
    hooks: { limiter: racy },
  },
  'limit-shared': {
    title: 'All keys share one limit',
    kills: ['8/per-key'],
    hooks: { bucket: () => 'all keys' },
  },
  'limit-penalty': {
    title: 'Every refused request starts the wait again',
    kills: ['8/reset'],
    subtle: true,
    hooks: { limiter: punishing },
  },
  'limit-never-resets': {
    title: 'The count goes on over the reset',
    kills: ['8/reset'],
    hooks: {
      limiter({ limit, windowMs }) {
        const inner = fixedWindow({ limit, windowMs: Number.MAX_SAFE_INTEGER });
        const announced = (admission: Admission, now: number): Admission => ({
          ...admission,
          resetAt: (Math.floor(now / windowMs) + 1) * windowMs,
        });
        return {
          take: (bucket, now) => announced(inner.take(bucket, now), now),
          refund: (_bucket, _now, admission) => admission,
        };
      },
    },
  },
  'refusal-no-headers': {
    title: 'Refusals carry no rate-limit headers',
    kills: ['8/refusal-headers'],
    hooks: onAnswer(isRateRefusal, (answer) =>
      ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].reduce<Answer>(
        (changed, name) => withHeader(changed, name, undefined),
        answer,
      ),
    ),
  },
  'refusal-no-reset-header': {
    title: 'Refusals carry no X-RateLimit-Reset',
    kills: ['8/refusal-headers'],
    subtle: true,
    hooks: onAnswer(isRateRefusal, (answer) => withHeader(answer, 'x-ratelimit-reset', undefined)),
  },
  'refusal-code': {
    title: 'Refusals have code 400301',
    kills: ['8/refusal-code'],
    hooks: onRefusal((body) => ({ ...body, code: ERRORS.forbidden.code })),
  },
  'refusal-message': {
    title: 'The message of refusals is Too many requests',
    kills: ['8/refusal-message'],
    hooks: onRefusal((body) => ({ ...body, message: 'Too many requests' })),
  },
  'refusal-limit-60': {
    title: 'details.limit is 60',
    kills: ['8/refusal-limit'],
    hooks: onRefusalDetails((details) => ({ ...details, limit: 60 })),
  },
  'refusal-window-1m': {
    title: 'details.window is 1m',
    kills: ['8/refusal-window'],
    hooks: onRefusalDetails((details) => ({ ...details, window: '1m' })),
  },
  'retry-after-fraction': {
    title: 'retry_after is a fraction',
    kills: ['8/retry-after'],
    subtle: true,
    hooks: onRefusalDetails((details) => ({
      ...details,
      retry_after: Number(details['retry_after']) - 0.5,
    })),
  },
  'retry-after-constant': {
    title: 'retry_after is twice the window, whenever one asks',
    kills: ['8/retry-after-fits'],
    hooks: onRefusalDetails((details) => ({ ...details, retry_after: 120 })),
  },
  'header-limit-after-reset': {
    title: 'After the first reset X-RateLimit-Limit is one too many',
    kills: ['8/header-limit'],
    subtle: true,
    hooks: onAnswer(
      (answer, context) => 'x-ratelimit-limit' in answer.headers && afterReset(context),
      (answer) =>
        withHeader(
          answer,
          'x-ratelimit-limit',
          String(Number(answer.headers['x-ratelimit-limit']) + 1),
        ),
    ),
  },
  'header-remaining-negative': {
    title: 'X-RateLimit-Remaining is -1 on refusals',
    kills: ['8/header-remaining'],
    hooks: onAdmission((admission) =>
      admission.admitted ? admission : { ...admission, remaining: -1 },
    ),
  },
  'remaining-stuck': {
    title: 'X-RateLimit-Remaining stands still from half the limit on',
    kills: ['8/remaining-decrements'],
    subtle: true,
    hooks: onAdmission((admission) =>
      admission.admitted
        ? {
            ...admission,
            remaining: Math.max(admission.remaining, Math.floor(admission.limit / 2)),
          }
        : admission,
    ),
  },
  'header-reset-seconds': {
    title: 'X-RateLimit-Reset is in seconds',
    kills: ['8/header-reset'],
    hooks: onAnswer(
      (answer) => 'x-ratelimit-reset' in answer.headers,
      (answer) =>
        withHeader(
          answer,
          'x-ratelimit-reset',
          String(Math.floor(Number(answer.headers['x-ratelimit-reset']) / 1000)),
        ),
    ),
  },
  'header-reset-wobbles': {
    title: 'X-RateLimit-Reset moves back by a second on every second request',
    kills: ['8/reset-steady'],
    subtle: true,
    hooks: onAdmission((admission) =>
      admission.remaining % 2 === 0
        ? { ...admission, resetAt: admission.resetAt - 1000 }
        : admission,
    ),
  },
  'quota-off': {
    title: 'The monthly quota is not enforced',
    kills: ['8/quota'],
    hooks: { quota: (quota) => ({ ...quota, take: () => true }) },
  },
  'quota-one-early': {
    title: 'The last request of the monthly quota is refused',
    kills: ['8/quota-not-early'],
    subtle: true,
    hooks: {
      quota: (quota) => ({
        ...quota,
        take: (key, now) => quota.remaining(key, now) > 1 && quota.take(key, now),
      }),
    },
  },
  'quota-plain-text': {
    title: 'The refusal of the quota is plain text in JSON',
    kills: ['8/quota'],
    hooks: onAnswer(isQuotaRefusal, (answer) => ({ ...answer, value: 'quota exceeded' })),
  },
});
