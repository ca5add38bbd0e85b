import { ERRORS } from '../../contract/error-codes.ts';
import { KEY_HEADER, RATE_LIMIT_MESSAGE, RATE_WINDOW_TEXT } from '../../contract/limits.ts';
import type { Answer } from '../hooks.ts';
import { slidingWindow } from '../limiter.ts';
import type { Admission, Limiter, LimiterSettings } from '../limiter.ts';
import { isRateRefusal, onAnswer, onDetails } from '../vocabulary.ts';
import type { Variant } from './variant.ts';

const withoutRateHeaders = (answer: Answer): Answer => ({
  ...answer,
  headers: Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => !name.startsWith('x-ratelimit-')),
  ),
});

/** A sliding log of all requests, refused ones as well: the wait grows with each of them, and says so. */
function loggingAll({ limit, windowMs }: LimiterSettings): Limiter {
  const logs = new Map<string, number[]>();
  const logOf = (bucket: string, now: number): number[] => {
    const log = (logs.get(bucket) ?? []).filter((time) => time > now - windowMs);
    logs.set(bucket, log);
    return log;
  };
  return {
    take(bucket, now) {
      const log = logOf(bucket, now);
      const admitted = log.length < limit;
      log.push(now);
      const freed = log[Math.max(0, log.length - limit)] ?? now;
      return {
        admitted,
        limit,
        remaining: Math.max(0, limit - log.length),
        resetAt: freed + windowMs,
      };
    },
    refund(bucket, now, admission) {
      const log = logOf(bucket, now);
      log.pop();
      const resetAt = (log[0] ?? now) + windowMs;
      return { ...admission, remaining: Math.max(0, limit - log.length), resetAt };
    },
  };
}

/** A sliding window that announces a whole window from now, as if nothing had run out before. */
function announcingWindow(settings: LimiterSettings): Limiter {
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

/** Other ways to limit requests and to speak about it (§8). */
export const LIMIT_VARIANTS: readonly Variant[] = [
  {
    id: 'sliding-window',
    title: 'The limit holds for any 60 seconds: a sliding window',
    section: '8',
    question: 'kind of window',
    settings: { limiter: 'sliding' },
  },
  {
    id: 'anchored-window',
    title: "The window starts with a key's first request",
    section: '8',
    question: 'kind of window',
    settings: { limiter: 'anchored' },
  },
  {
    id: 'sliding-window-later-reset',
    title: 'A sliding window that announces a whole window from now with each answer',
    section: '8',
    question: 'kind of window',
    hooks: { limiter: announcingWindow },
  },
  {
    id: 'refused-requests-count',
    title: 'A sliding window in which refused requests count, too',
    section: '8',
    question: 'kind of window',
    hooks: { limiter: loggingAll },
  },
  {
    id: 'no-rate-headers-on-errors',
    title: 'Rate-limit headers come with successes and refusals only',
    section: '8',
    question: 'rate-limit headers',
    hooks: onAnswer(({ status }) => status >= 400 && status !== 429, withoutRateHeaders),
  },
  {
    id: 'no-rate-headers',
    title: 'Rate-limit headers come with refusals only',
    section: '8',
    question: 'rate-limit headers',
    hooks: onAnswer((answer) => answer.status !== 429, withoutRateHeaders),
  },
  {
    id: 'refused-not-counted',
    title: 'Only successful requests count against the limit',
    section: '8',
    question: 'what counts',
    settings: { counted: 'successes' },
  },
  {
    id: 'retry-after-ms',
    title: 'retry_after is in milliseconds',
    section: '8',
    question: 'unit of retry_after',
    hooks: onDetails('tooManyRequests', (details, { admission, now }) =>
      details['retry_after'] === undefined || admission === undefined
        ? details
        : { ...details, retry_after: Math.max(1, admission.resetAt - now) },
    ),
  },
  {
    id: 'retry-after-rounded-down',
    title: 'retry_after is in whole seconds, rounded down',
    section: '8',
    question: 'unit of retry_after',
    hooks: onDetails('tooManyRequests', (details, { admission, now }) =>
      details['retry_after'] === undefined || admission === undefined
        ? details
        : { ...details, retry_after: Math.floor((admission.resetAt - now) / 1000) },
    ),
  },
  {
    id: 'quota-like-rate-limit',
    title: 'A key whose month is used up gets the refusal of the rate limiter',
    section: '8',
    question: 'answer when the quota is used up',
    hooks: onAnswer(
      (answer) => answer.status === 429 && !isRateRefusal(answer),
      (answer, { admission, now }) => ({
        ...answer,
        value: {
          code: ERRORS.tooManyRequests.code,
          message: RATE_LIMIT_MESSAGE,
          details: {
            limit: admission?.limit ?? 0,
            window: RATE_WINDOW_TEXT,
            retry_after: Math.max(1, Math.ceil(((admission?.resetAt ?? now) - now) / 1000)),
          },
        },
      }),
    ),
  },
  {
    id: 'quota-forbidden',
    title: 'A key whose month is used up gets 403',
    section: '8',
    question: 'answer when the quota is used up',
    hooks: onAnswer(
      (answer) => answer.status === 429 && !isRateRefusal(answer),
      (answer) => ({
        ...answer,
        status: 403,
        value: {
          code: ERRORS.forbidden.code,
          message: 'Monthly quota exceeded',
          details: { header: KEY_HEADER, solution: 'Wait for the next month.' },
        },
      }),
    ),
  },
];
