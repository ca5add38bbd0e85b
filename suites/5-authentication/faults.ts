import { ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { KEY_HEADER } from '../../src/spec/limits.ts';
import {
  afterReset,
  all,
  always,
  endpointIs,
  onAnswer,
  onDetails,
  onPage,
  type Condition,
} from '../../src/reference/vocabulary.ts';
import type { Hooks } from '../../src/reference/hooks.ts';
import type { KeyRecord } from '../../src/reference/keys.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { asInternal, keyLess, restatus, without } from '../7-errors/faults.ts';

const unknownKey: Condition = ({ apiKey, key }) => apiKey !== undefined && key === undefined;

/** The key header is present but empty. */
const emptyKey: Condition = ({ apiKey, rawHeaders }) =>
  apiKey === undefined &&
  rawHeaders.some((name, index) => index % 2 === 0 && name.toUpperCase() === KEY_HEADER);

/** Treats requests without a good key as if they had a valid one. */
const admitting = (when: Condition): Hooks => ({
  key: (key, context) =>
    when(context)
      ? {
          key: `admitted:${context.apiKey ?? ''}`,
          role: 'valid',
          state: 'active',
          forbidden: new Set(),
        }
      : key,
});

/** Changes keys of a kind; undefined makes them unknown. */
const onKey = (
  kind: 'valid' | 'disabled' | 'expired' | 'restricted',
  change: Partial<KeyRecord> | undefined,
  when: Condition = always,
): Hooks => ({
  key: (key, context) =>
    key !== undefined && (key.state === kind || key.role === kind) && when(context)
      ? change && { ...key, ...change }
      : key,
});

const sentAs =
  (form: RegExp): Condition =>
  ({ apiKey }) =>
    form.test(apiKey ?? '');

/** Faults in §5. */
export const AUTHENTICATION_FAULTS: readonly Fault[] = faultsOf({
  'empty-key-admitted': {
    title: 'Requests with an empty key header are accepted',
    kills: ['5/key-required'],
    hooks: admitting(emptyKey),
  },
  'empty-key-crash': {
    title: 'An empty key header causes an internal error',
    kills: ['4/no-5xx'],
    hooks: onAnswer((_answer, context) => emptyKey(context), asInternal),
  },
  'no-key-400': {
    title: 'A missing key is refused with 400',
    kills: ['5/key-required'],
    hooks: restatus('invalidKey', 400, keyLess),
  },
  'unknown-key-admitted': {
    title: 'Unknown keys are accepted',
    kills: ['5/unknown-key'],
    hooks: admitting(unknownKey),
  },
  'unknown-key-403': {
    title: 'Unknown keys are refused with 403',
    kills: ['5/unknown-key'],
    hooks: restatus('invalidKey', 403, unknownKey),
  },
  'disabled-key-admitted': {
    title: 'Disabled keys work',
    kills: ['5/disabled-key'],
    hooks: onKey('disabled', { state: 'active' }),
  },
  'expired-key-as-unknown': {
    title: 'Expired keys are refused like unknown ones',
    kills: ['5/expired-key'],
    hooks: onKey('expired', undefined),
  },
  'expired-key-admitted-after-reset': {
    title: 'Expired keys work again after the first reset',
    kills: ['5/expired-key'],
    hooks: onKey('expired', { state: 'active' }, afterReset),
  },
  'forbidden-admitted': {
    title: 'Restricted keys may call everything',
    kills: ['5/forbidden'],
    hooks: onKey('restricted', { forbidden: new Set() }),
  },
  'forbidden-as-401': {
    title: 'Missing access is refused with 401',
    kills: ['5/forbidden'],
    hooks: restatus('forbidden', 401),
  },
  'forbidden-admitted-charts': {
    title: 'Restricted keys may call the chart list, which is forbidden to them',
    kills: ['5/forbidden'],
    hooks: onKey('restricted', { forbidden: new Set() }, endpointIs('/analyses')),
  },
  'forbidden-everywhere': {
    title: 'Restricted keys may call nothing',
    kills: ['5/restricted-elsewhere'],
    hooks: onKey('restricted', { forbidden: new Set(ENDPOINT_PATHS) }),
  },
  'valid-key-forbidden': {
    title: 'GET /analyses refuses keys with access to everything',
    kills: ['4.6/analyses'],
    hooks: onKey('valid', { forbidden: new Set(['/analyses']) }),
  },
  'auth-header-name': {
    title: 'details.header names Authorization',
    kills: ['5/details-header'],
    hooks: onDetails('invalidKey', (details) => ({ ...details, header: 'Authorization' })),
  },
  'key-header-lower-case': {
    title: 'The key header is not recognised in lower case',
    kills: ['5/header-case'],
    profile: 'full',
    hooks: {
      key: (key, { rawHeaders }) => (rawHeaders.includes('x-api-key') ? undefined : key),
    },
  },
  'key-header-mixed-case': {
    title: 'The key header is recognised in upper and lower case, but not as X-Api-Key',
    kills: ['5/header-case'],
    profile: 'full',
    hooks: {
      key: (key, { rawHeaders }) => (rawHeaders.includes('X-Api-Key') ? undefined : key),
    },
  },
  'auth-no-solution': {
    title: 'Authentication errors have no details.solution',
    kills: ['5/details-solution'],
    hooks: onDetails('invalidKey', (details) => without('solution', details)),
  },

  // Only some keys, pages or endpoints.
  'key-null-admitted': {
    title: 'The word null is accepted as a key',
    kills: ['5/unknown-key'],
    hooks: admitting(all(unknownKey, sentAs(/^null$/))),
  },
  'expired-key-admitted-on-page-2': {
    title: 'Expired keys are refused on the first page only',
    kills: ['5/expired-key'],
    hooks: onKey('expired', { state: 'active' }, onPage(2)),
  },
  'forbidden-admitted-with-query': {
    title: 'Restricted keys are refused only where the request has no parameters',
    kills: ['5/forbidden'],
    hooks: onKey('restricted', { forbidden: new Set() }, ({ query }) => query.size > 0),
  },
  'forbidden-admitted-with-language': {
    title: 'Restricted keys may call news in a language, which is forbidden to them',
    kills: ['5/forbidden'],
    profile: 'full',
    hooks: onKey('restricted', { forbidden: new Set() }, ({ query }) => query.has('language')),
  },
  'no-key-admitted-on-page-2': {
    title: 'The second page of featured news needs no key',
    kills: ['5/key-required'],
    hooks: admitting(all(keyLess, endpointIs('/news/featured'), onPage(2))),
  },
  'unknown-key-admitted-on-page-2': {
    title: 'The second page of pairs accepts unknown keys',
    kills: ['5/unknown-key'],
    hooks: admitting(all(unknownKey, endpointIs('/currencies/{currency_id}/pairs'), onPage(2))),
  },
  'expired-key-as-unknown-for-stocks': {
    title: 'Stock klines refuse expired keys like unknown ones',
    kills: ['5/expired-key'],
    hooks: onKey('expired', undefined, endpointIs('/crypto-stocks/{stock_ticker}/klines')),
  },
});
