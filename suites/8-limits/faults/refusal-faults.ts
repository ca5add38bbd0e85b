import { ERRORS } from '../../../src/spec/error-codes.ts';
import type { Answer, Hooks } from '../../../src/reference/hooks.ts';
import { isObject } from '../../../src/reference/json.ts';
import {
  isRateRefusal,
  onAnswer,
  onDetails,
  withHeader,
} from '../../../src/reference/vocabulary.ts';
import type { JsonObject } from '../../../src/reference/world.ts';
import { faultsOf, type Fault } from '../../../src/reference/faults/fault.ts';

const HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/** Removes headers from the refusal. */
const withoutHeaders = (names: readonly string[]): Hooks =>
  onAnswer(isRateRefusal, (answer) =>
    names.reduce<Answer>((changed, name) => withHeader(changed, name, undefined), answer),
  );

/** Changes the body of the limiter's refusals, but not of the quota's. */
const onRefusal = (change: (body: JsonObject) => JsonObject): Hooks =>
  onAnswer(isRateRefusal, (answer) =>
    isObject(answer.value) ? { ...answer, value: change(answer.value) } : answer,
  );
const onRefusalDetails = (change: (details: JsonObject) => JsonObject): Hooks =>
  onDetails('tooManyRequests', (details) =>
    details['retry_after'] === undefined ? details : change(details),
  );
const retryAfter = (change: (seconds: number) => JsonObject[string]): Hooks =>
  onRefusalDetails((details) => ({
    ...details,
    retry_after: change(Number(details['retry_after'])),
  }));

/** Faults in the refusals of the limiter (§8). */
export const RATE_REFUSAL_FAULTS: readonly Fault[] = faultsOf('8', {
  'refusal-status-403': {
    title: 'Requests beyond the limit are refused with 403',
    kills: ['8/limit-enforced'],
    hooks: onAnswer(isRateRefusal, (answer) => ({ ...answer, status: 403 })),
  },
  'refusal-status-200': {
    title: 'Requests beyond the limit get the refusal body with status 200',
    kills: ['8/limit-enforced'],
    hooks: onAnswer(isRateRefusal, (answer) => ({ ...answer, status: 200 })),
  },
  'refusal-no-headers': {
    title: 'Refusals have no rate-limit headers',
    kills: ['8/refusal-headers'],
    hooks: withoutHeaders(HEADERS),
  },
  'refusal-no-reset-header': {
    title: 'Refusals have no X-RateLimit-Reset',
    kills: ['8/refusal-headers'],
    hooks: withoutHeaders(['x-ratelimit-reset']),
  },
  'refusal-no-limit-header': {
    title: 'Refusals have no X-RateLimit-Limit',
    kills: ['8/refusal-headers'],
    hooks: withoutHeaders(['x-ratelimit-limit']),
  },
  'refusal-code': {
    title: 'Refusals have code 400301',
    kills: ['8/refusal-code'],
    hooks: onRefusal((body) => ({ ...body, code: ERRORS.forbidden.code })),
  },
  'refusal-code-status': {
    title: 'The code in refusals is the status',
    kills: ['8/refusal-code'],
    hooks: onRefusal((body) => ({ ...body, code: 429 })),
  },
  'refusal-message': {
    title: 'The refusal message is "Too many requests"',
    kills: ['8/refusal-message'],
    hooks: onRefusal((body) => ({ ...body, message: 'Too many requests' })),
  },
  'refusal-message-full-stop': {
    title: 'The refusal message ends with a full stop',
    kills: ['8/refusal-message'],
    hooks: onRefusal((body) => ({ ...body, message: 'Rate limit exceeded.' })),
  },
  'refusal-limit-60': {
    title: 'details.limit is 60',
    kills: ['8/refusal-limit'],
    hooks: onRefusalDetails((details) => ({ ...details, limit: 60 })),
  },
  'refusal-limit-text': {
    title: 'details.limit is a string',
    kills: ['8/refusal-limit'],
    hooks: onRefusalDetails((details) => ({ ...details, limit: String(Number(details['limit'])) })),
  },
  'refusal-window-1m': {
    title: 'details.window is 1m',
    kills: ['8/refusal-window'],
    hooks: onRefusalDetails((details) => ({ ...details, window: '1m' })),
  },
  'refusal-window-number': {
    title: 'details.window is the number 60',
    kills: ['8/refusal-window'],
    hooks: onRefusalDetails((details) => ({ ...details, window: 60 })),
  },
  'retry-after-fraction': {
    title: 'retry_after is a fraction',
    kills: ['8/retry-after'],
    hooks: retryAfter((seconds) => seconds - 0.5),
  },
  'retry-after-text': {
    title: 'retry_after is a string',
    kills: ['8/retry-after'],
    hooks: retryAfter(String),
  },
  'retry-after-missing': {
    title: 'retry_after is null',
    kills: ['8/retry-after'],
    hooks: retryAfter(() => null),
  },
  'retry-after-constant': {
    title: 'retry_after is always one day',
    kills: ['8/retry-after-fits'],
    hooks: retryAfter(() => 86_400),
  },
  'retry-after-minutes': {
    title: 'retry_after extends to one window after the reset',
    kills: ['8/retry-after-fits'],
    hooks: retryAfter((seconds) => seconds + 60),
  },
});
