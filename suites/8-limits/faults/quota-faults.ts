import type { Answer } from '../../../src/reference/hooks.ts';
import { isObject } from '../../../src/reference/json.ts';
import { isRateRefusal, onAnswer, under } from '../../../src/reference/vocabulary.ts';
import { faultsOf, type Fault } from '../../../src/reference/faults/fault.ts';

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
