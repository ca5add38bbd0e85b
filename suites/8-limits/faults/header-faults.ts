import { RATE_WINDOW_MS } from '../../../src/spec/limits.ts';
import type { Answer, Context, Hooks } from '../../../src/reference/hooks.ts';
import type { Admission } from '../../../src/reference/limiter.ts';
import {
  always,
  onAdmission,
  onAnswer,
  withHeader,
  type Condition,
} from '../../../src/reference/vocabulary.ts';
import { faultsOf, type Fault } from '../../../src/reference/faults/fault.ts';

/** Changes a header if it is present. */
const rewriting = (
  name: string,
  change: (value: string, context: Context) => string,
  when: Condition = always,
  which: (answer: Answer) => boolean = () => true,
): Hooks =>
  onAnswer(
    (answer, context) => name in answer.headers && which(answer) && when(context),
    (answer, context) => withHeader(answer, name, change(answer.headers[name] ?? '', context)),
  );

/** Moves the reset of admitted requests by a number of windows. */
const movingReset = (windows: number): Hooks =>
  rewriting(
    'x-ratelimit-reset',
    (value) => String(Number(value) + windows * RATE_WINDOW_MS),
    always,
    ({ status }) => status !== 429,
  );

/** Changes the announced figures of admitted requests. */
const announcing = (
  change: (admission: Admission) => Partial<Admission>,
  when: Condition = always,
): Hooks =>
  onAdmission(
    (admission) => (admission.admitted ? { ...admission, ...change(admission) } : admission),
    when,
  );

/** Faults in the rate-limit headers (§8). */
export const RATE_HEADER_FAULTS: readonly Fault[] = faultsOf({
  'header-remaining-before': {
    title: 'X-RateLimit-Remaining does not count the request itself',
    kills: ['8/header-remaining'],
    hooks: announcing(({ remaining }) => ({ remaining: remaining + 1 })),
  },
  'remaining-stuck': {
    title: 'X-RateLimit-Remaining stops changing at half the limit',
    kills: ['8/remaining-decrements'],
    hooks: announcing(({ remaining, limit }) => ({
      remaining: Math.max(remaining, Math.floor(limit / 2)),
    })),
  },
  'remaining-given-twice': {
    title: 'X-RateLimit-Remaining is updated only by every second request',
    kills: ['8/remaining-decrements'],
    hooks: announcing(({ remaining }) => ({ remaining: remaining - (remaining % 2) })),
  },
  'remaining-by-two': {
    title: 'X-RateLimit-Remaining decreases by two',
    kills: ['8/remaining-decrements'],
    hooks: announcing(({ remaining, limit }) => ({
      remaining: Math.max(0, limit - 1 - 2 * (limit - 1 - remaining)),
    })),
  },
  'remaining-skips-one': {
    title: 'X-RateLimit-Remaining skips the middle value',
    kills: ['8/remaining-decrements'],
    hooks: announcing(({ remaining, limit }) => ({
      remaining: remaining > limit / 2 ? remaining : Math.max(0, remaining - 1),
    })),
  },
  'header-reset-wait': {
    title: 'X-RateLimit-Reset is a waiting time instead of a point in time',
    kills: ['8/header-reset'],
    hooks: rewriting('x-ratelimit-reset', (value, { now }) => String(Number(value) - now)),
  },
  'header-reset-beginning': {
    title: 'X-RateLimit-Reset on admitted requests is the beginning of the window',
    kills: ['8/header-reset'],
    hooks: movingReset(-1),
  },
  'header-reset-too-far': {
    title: 'X-RateLimit-Reset on admitted requests is five windows too late',
    kills: ['8/header-reset'],
    hooks: movingReset(5),
  },
  'header-reset-wobbles': {
    title: 'X-RateLimit-Reset moves back by two seconds on every second request',
    kills: ['8/reset-steady'],
    hooks: onAdmission((admission) =>
      admission.remaining % 2 === 0
        ? { ...admission, resetAt: admission.resetAt - 2000 }
        : admission,
    ),
  },
  'header-reset-creeps-back': {
    title:
      'X-RateLimit-Reset decreases a little with each request of a window, by two seconds in total',
    kills: ['8/reset-steady'],
    hooks: announcing(({ remaining, limit, resetAt }) => ({
      resetAt: resetAt - 105 * (limit - 1 - remaining),
    })),
  },
});
