import { ERRORS } from '../../contract/error-codes.ts';
import { KEY_HEADER } from '../../contract/limits.ts';
import { isRateRefusal, onAnswer, onDetails } from '../vocabulary.ts';
import type { Variant } from './variant.ts';

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
    id: 'no-rate-headers',
    title: 'Rate-limit headers come with refusals only',
    section: '8',
    question: 'rate-limit headers',
    hooks: onAnswer(
      (answer) => answer.status !== 429,
      (answer) => ({
        ...answer,
        headers: Object.fromEntries(
          Object.entries(answer.headers).filter(([name]) => !name.startsWith('x-ratelimit-')),
        ),
      }),
    ),
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
