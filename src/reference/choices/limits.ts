import { ERRORS } from '../../spec/error-codes.ts';
import { KEY_HEADER, RATE_LIMIT_MESSAGE, RATE_WINDOW_TEXT } from '../../spec/limits.ts';
import { anchoredWindow, slidingWindow } from '../limiter.ts';
import { announcingWindow, loggingAll, tokenBucket, weightedCounter } from '../other-limiters.ts';
import {
  errorOf,
  isRateRefusal,
  onAdmission,
  onAnswer,
  onDetails,
  withHeader,
  withoutRateHeaders,
} from '../vocabulary.ts';
import { dimension, variant, type Choice, type Dimension } from './choice.ts';

/** Announces the reset as `say` has it; the window itself ends when it ends. */
const announced = (say: (resetAt: number, now: number) => number): Choice =>
  onAdmission((admission, { now }) => ({ ...admission, resetAt: say(admission.resetAt, now) }));

/** Tells the wait in another unit: `waitOf` gets it in milliseconds. */
const waiting = (waitOf: (ms: number) => number): Choice =>
  onDetails('tooManyRequests', (details, { admission, now }) =>
    details['retry_after'] === undefined || admission === undefined
      ? details
      : { ...details, retry_after: waitOf(admission.resetAt - now) },
  );

/** The `Date` header comes from another clock than the rest, such as that of a proxy. */
const dateOff = (ms: number): Choice => ({
  answer: (answer, { now }) => withHeader(answer, 'date', new Date(now + ms).toUTCString()),
});

/** What the limiter and the quota do and say (§8). */
export const LIMITS: readonly Dimension[] = [
  dimension('kind-of-window', 'fixed', {
    'sliding-window': variant('The limit applies to any 60 seconds: a sliding window', {
      limiter: slidingWindow,
    }),
    'anchored-window': variant('The window starts with the first request of a key', {
      limiter: anchoredWindow,
    }),
    'sliding-window-later-reset': variant(
      'A sliding window whose announced reset is always one window from now',
      { limiter: announcingWindow },
    ),
    'refused-requests-count': variant('A sliding window that also counts refused requests', {
      limiter: loggingAll,
    }),
    'token-bucket': variant('A token bucket of 20 requests, refilled evenly', {
      limiter: tokenBucket,
    }),
    'weighted-counter': variant(
      'A weighted counter: the previous window counts in proportion to its overlap',
      { limiter: weightedCounter },
    ),
  }),
  dimension('announced-reset', 'exact', {
    'reset-from-rest-in-seconds': variant(
      'The reset is the clock plus the remaining window, rounded down to seconds',
      announced((resetAt, now) => now + Math.floor((resetAt - now - 1) / 1000) * 1000),
    ),
    'reset-from-rest-in-ms': variant(
      'The reset is the clock plus the remaining window, measured by a different clock',
      onAdmission((admission) => ({
        ...admission,
        resetAt: admission.resetAt + ((admission.remaining * 7) % 4) - 1,
      })),
    ),
    'nearest-second': announced((resetAt) => Math.round(resetAt / 1000) * 1000),
    'seconds-left-added-to-the-clock': announced(
      (resetAt, now) => now + Math.ceil((resetAt - now) / 1000) * 1000,
    ),
  }),
  dimension('date-header', 'exact', {
    'no-date': variant('Responses have no Date', {
      answer: (answer) => withHeader(answer, 'date', undefined),
    }),
    'date-behind': variant(
      'Date comes from a clock in front of the service that is half a minute behind',
      dateOff(-30_000),
    ),
    'date-ahead': variant(
      'Date comes from a clock in front of the service that is half a minute ahead',
      dateOff(30_000),
    ),
  }),
  dimension('rate-limit-headers', 'always', {
    'no-rate-headers-on-errors': variant(
      'Only successes and refusals have rate-limit headers',
      onAnswer(({ status }) => status >= 400 && status !== 429, withoutRateHeaders),
    ),
    'no-rate-headers': variant(
      'Only refusals have rate-limit headers',
      onAnswer((answer) => answer.status !== 429, withoutRateHeaders),
    ),
  }),
  dimension('what-counts', 'everything', {
    'refused-not-counted': variant('Only successful requests count against the limit', {
      settings: { counted: 'successes' },
    }),
  }),
  dimension('unit-of-retry_after', 'seconds', {
    'retry-after-ms': variant(
      'retry_after is in milliseconds',
      waiting((ms) => Math.max(1, ms)),
    ),
    // The announced end may be rounded and already over; a wait is never negative.
    'retry-after-rounded-down': variant(
      'retry_after is in whole seconds, rounded down',
      waiting((ms) => Math.max(0, Math.floor(ms / 1000))),
    ),
  }),
  dimension('Retry-After-header', 'none', {
    'retry-after-header': variant(
      'Refusals by the limiter also have the standard Retry-After header',
      onAnswer(
        (answer) => errorOf(answer) === 'tooManyRequests',
        (answer, { admission, now }) =>
          admission === undefined
            ? answer
            : withHeader(
                answer,
                'retry-after',
                String(Math.max(1, Math.ceil((admission.resetAt - now) / 1000))),
              ),
      ),
    ),
  }),
  dimension('answer-when-the-quota-is-used-up', 'own-refusal', {
    'quota-like-rate-limit': variant(
      "A key without quota left gets the rate limiter's refusal",
      onAnswer(
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
    ),
    'quota-forbidden': variant(
      'A key without quota left gets 403',
      onAnswer(
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
    ),
  }),
];
