import { ERRORS } from '../../spec/error-codes.ts';
import { KEY_HEADER, RATE_LIMIT_MESSAGE, RATE_WINDOW_TEXT } from '../../spec/limits.ts';
import type { Hooks } from '../hooks.ts';
import { announcingWindow, loggingAll, tokenBucket, weightedCounter } from '../other-limiters.ts';
import {
  isRateRefusal,
  onAdmission,
  onAnswer,
  onDetails,
  withHeader,
  withoutRateHeaders,
} from '../vocabulary.ts';
import type { Variant } from './variant.ts';

/** A `Date` from another clock than that of the limiter. */
const datedBy = (ms: number): Hooks =>
  onAnswer(
    () => true,
    (answer, { now }) => withHeader(answer, 'date', new Date(now + ms).toUTCString()),
  );

/** Other limiters and rate-limit headers (§8). */
export const LIMIT_VARIANTS: readonly Variant[] = [
  {
    id: 'sliding-window',
    title: 'The limit applies to any 60 seconds: a sliding window',
    section: '8',
    question: 'kind of window',
    settings: { limiter: 'sliding' },
  },
  {
    id: 'anchored-window',
    title: 'The window starts with the first request of a key',
    section: '8',
    question: 'kind of window',
    settings: { limiter: 'anchored' },
  },
  {
    id: 'sliding-window-later-reset',
    title: 'A sliding window whose announced reset is always one window from now',
    section: '8',
    question: 'kind of window',
    hooks: { limiter: announcingWindow },
  },
  {
    id: 'refused-requests-count',
    title: 'A sliding window that also counts refused requests',
    section: '8',
    question: 'kind of window',
    hooks: { limiter: loggingAll },
  },
  {
    id: 'token-bucket',
    title: 'A token bucket of 20 requests, refilled evenly',
    section: '8',
    question: 'kind of window',
    hooks: { limiter: tokenBucket },
  },
  {
    id: 'weighted-counter',
    title: 'A weighted counter: the previous window counts in proportion to its overlap',
    section: '8',
    question: 'kind of window',
    hooks: { limiter: weightedCounter },
  },
  {
    id: 'reset-from-rest-in-seconds',
    title: 'The reset is the clock plus the remaining window, rounded down to seconds',
    section: '8',
    question: 'announced reset',
    hooks: onAdmission((admission, { now }) => ({
      ...admission,
      resetAt: now + Math.floor((admission.resetAt - now - 1) / 1000) * 1000,
    })),
  },
  {
    id: 'reset-from-rest-in-ms',
    title: 'The reset is the clock plus the remaining window, measured by a different clock',
    section: '8',
    question: 'announced reset',
    hooks: onAdmission((admission) => ({
      ...admission,
      resetAt: admission.resetAt + ((admission.remaining * 7) % 4) - 1,
    })),
  },
  {
    id: 'no-date',
    title: 'Responses have no Date',
    section: '8',
    question: 'Date',
    hooks: onAnswer(
      () => true,
      (answer) => withHeader(answer, 'date', undefined),
    ),
  },
  {
    id: 'date-behind',
    title: 'Date comes from a clock in front of the service that is half a minute behind',
    section: '8',
    question: 'Date',
    hooks: datedBy(-30_000),
  },
  {
    id: 'date-ahead',
    title: 'Date comes from a clock in front of the service that is half a minute ahead',
    section: '8',
    question: 'Date',
    hooks: datedBy(30_000),
  },
  {
    id: 'no-rate-headers-on-errors',
    title: 'Only successes and refusals have rate-limit headers',
    section: '8',
    question: 'rate-limit headers',
    hooks: onAnswer(({ status }) => status >= 400 && status !== 429, withoutRateHeaders),
  },
  {
    id: 'no-rate-headers',
    title: 'Only refusals have rate-limit headers',
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
        : {
            ...details,
            // The announced end may be rounded and already over; a wait is never negative.
            retry_after: Math.max(0, Math.floor((admission.resetAt - now) / 1000)),
          },
    ),
  },
  {
    id: 'quota-like-rate-limit',
    title: "A key without quota left gets the rate limiter's refusal",
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
    title: 'A key without quota left gets 403',
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
