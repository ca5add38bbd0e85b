import { all, endpointIs, onPage, type Condition } from '../../src/reference/vocabulary.ts';
import { admitting } from './admitting-faults.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { keyLess } from '../7-errors/refusal-faults.ts';

const unknownKey: Condition = ({ apiKey, key }) => apiKey !== undefined && key === undefined;
const sentAs =
  (form: RegExp): Condition =>
  ({ apiKey }) =>
    form.test(apiKey ?? '');

/** Faults in §5 that affect only some keys, pages or endpoints. */
export const NEAR_KEY_FAULTS: readonly Fault[] = [
  ...faultsOf('5', {
    'longer-key-admitted': {
      title: 'A key is valid when it starts with a valid one',
      kills: ['5/unknown-key'],
      hooks: admitting(all(unknownKey, sentAs(/^reference-key-valid-\d{4}./))),
    },
    'shorter-key-admitted': {
      title: 'A key is valid when a valid one starts with it',
      kills: ['5/unknown-key'],
      hooks: admitting(all(unknownKey, sentAs(/^reference-key-valid-\d{1,3}$/))),
    },
    'key-of-any-case-admitted': {
      title: 'Keys are case-insensitive',
      kills: ['5/unknown-key'],
      hooks: admitting(all(unknownKey, sentAs(/^REFERENCE-KEY-VALID-\d{4}$/))),
    },
    'key-null-admitted': {
      title: 'The word null is accepted as a key',
      kills: ['5/unknown-key'],
      hooks: admitting(all(unknownKey, sentAs(/^null$/))),
    },
    'expired-key-admitted-on-page-2': {
      title: 'Expired keys are refused on the first page only',
      kills: ['5/expired-key'],
      hooks: {
        key: (key, context) =>
          key?.state === 'expired' && onPage(2)(context) ? { ...key, state: 'active' } : key,
      },
    },
    'forbidden-admitted-with-query': {
      title: 'Restricted keys are refused only where the request has no parameters',
      kills: ['5/forbidden'],
      hooks: {
        key: (key, { query }) =>
          key?.role === 'restricted' && query.size > 0 ? { ...key, forbidden: new Set() } : key,
      },
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
    'disabled-key-admitted-for-indices': {
      title: 'Disabled keys work for the snapshot of an index',
      kills: ['5/disabled-key'],
      hooks: {
        key: (key, { endpoint }) =>
          key?.state === 'disabled' && endpoint === '/indices/{index_ticker}/market-snapshot'
            ? { ...key, state: 'active' }
            : key,
      },
    },
    'expired-key-as-unknown-for-stocks': {
      title: 'Stock klines refuse expired keys like unknown ones',
      kills: ['5/expired-key'],
      hooks: {
        key: (key, { endpoint }) =>
          key?.state === 'expired' && endpoint === '/crypto-stocks/{stock_ticker}/klines'
            ? undefined
            : key,
      },
    },
  }),
];
