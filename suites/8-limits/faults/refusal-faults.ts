import { ERRORS } from '../../../src/spec/error-codes.ts';
import type { Hooks, Answer } from '../../../src/reference/hooks.ts';
import { isObject } from '../../../src/reference/json.ts';
import {
  isRateRefusal,
  onAnswer,
  onDetails,
  withHeader,
  under,
} from '../../../src/reference/vocabulary.ts';
import type { JsonObject } from '../../../src/reference/world.ts';
import { faultsOf, type Fault } from '../../../src/reference/faults/fault.ts';

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
export const RATE_REFUSAL_FAULTS: readonly Fault[] = faultsOf({
  'refusal-status-200': {
    title: 'Requests beyond the limit get the refusal body with status 200',
    kills: ['8/limit-enforced'],
    hooks: onAnswer(isRateRefusal, (answer) => ({ ...answer, status: 200 })),
  },
  'refusal-no-limit-header': {
    title: 'Refusals have no X-RateLimit-Limit',
    kills: ['8/refusal-headers'],
    hooks: onAnswer(isRateRefusal, (answer) => withHeader(answer, 'x-ratelimit-limit', undefined)),
  },
  'refusal-code': {
    title: 'Refusals have code 400301',
    kills: ['8/refusal-code'],
    hooks: onRefusal((body) => ({ ...body, code: ERRORS.forbidden.code })),
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

const isQuotaRefusal = (answer: Answer): boolean => answer.status === 429 && !isRateRefusal(answer);

const atStocks = under('/crypto-stocks');

/** Faults in the monthly quota (§8). */
export const QUOTA_FAULTS: readonly Fault[] = faultsOf({
  'quota-off': {
    title: 'The monthly quota is not enforced',
    kills: ['8/quota'],
    hooks: { quota: (quota) => ({ ...quota, take: () => true }) },
  },
  'quota-one-late': {
    title: 'One request more than the monthly quota is admitted',
    kills: ['8/quota'],
    hooks: {
      quota(quota) {
        const late = new Set<string>();
        return {
          ...quota,
          take(key, now) {
            if (quota.take(key, now)) return true;
            if (late.has(key)) return false;
            late.add(key);
            return true;
          },
        };
      },
    },
  },
  'quota-not-for-stocks': {
    title: 'The monthly quota is not enforced at crypto stocks',
    kills: ['8/quota'],
    hooks: {
      key: (key, context) =>
        key?.role === 'nearQuota' && atStocks(context)
          ? { ...key, key: `${key.key} at stocks` }
          : key,
      bucket: (bucket, { apiKey }) => apiKey ?? bucket,
    },
  },
  'quota-one-early': {
    title: 'The last request of the monthly quota is refused',
    kills: ['8/quota-not-early'],
    hooks: {
      quota: (quota) => ({
        ...quota,
        take: (key, now) => quota.remaining(key, now) > 1 && quota.take(key, now),
      }),
    },
  },
  'quota-details-list': {
    title: '`details` in the quota refusal is a list',
    kills: ['8/quota'],
    hooks: onAnswer(isQuotaRefusal, (answer) =>
      isObject(answer.value) ? { ...answer, value: { ...answer.value, details: [] } } : answer,
    ),
  },
});
