import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { klineFaults } from '../families/klines-faults.ts';
import {
  all,
  asked,
  endpointIs,
  not,
  onBody,
  onQuery,
  onRows,
} from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';
import { PAIR_FAULTS } from './pair-faults.ts';

const KLINES: EndpointPath = '/currencies/{currency_id}/klines';
const klines = endpointIs(KLINES);

const inArray = (value: Json): Json => [value];

/** Faults in §4.1. */
export const CURRENCY_FAULTS: readonly Fault[] = faultsOf({
  'info-third-in-array': {
    title: 'Information on the third currency is an array of one object',
    kills: ['4.1/info'],
    profile: 'full',
    needsData: true,
    hooks: onBody(
      all(
        endpointIs('/currencies/{currency_id}'),
        ({ path, world }) => path['currency_id'] === world.currencyIds[2],
      ),
      inArray,
    ),
  },
  'records-of-first': {
    title: 'Snapshots and pairs are always those of the first currency',
    kills: ['4.1/own-record'],
    profile: 'full',
    hooks: {
      world: (world) => ({
        currencySnapshot: (_id, now) => world.currencySnapshot(world.currencyIds[0] ?? '', now),
        pairs: (_id, now) => world.pairs(world.currencyIds[0] ?? '', now),
      }),
    },
  },
  'snapshot-in-array': {
    title: 'The market snapshot is an array of one object',
    kills: ['4.1/market-snapshot'],
    hooks: onBody(endpointIs('/currencies/{currency_id}/market-snapshot'), inArray),
  },
  ...PAIR_FAULTS,
  'klines-limit-hole': {
    title: 'A klines limit below 50 returns every second candle',
    kills: ['4.1/klines-limit-part'],
    hooks: {
      ...onQuery(all(klines, asked('limit'), not(asked('limit', '500'))), (query) => {
        const limit = Number(query.get('limit'));
        if (limit > 0 && limit < 50) query.set('limit', String(limit * 2 - 1));
      }),
      ...onRows(
        all(klines, ({ query }) => Number(query.get('limit') ?? 100) < 50),
        (rows) => rows.filter((_row, index) => index % 2 === 0),
      ),
    },
  },
  ...klineFaults('currency', KLINES, '4.1'),
});
