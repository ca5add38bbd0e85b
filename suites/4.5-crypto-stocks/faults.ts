import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { endpointIs, onBody } from '../../src/reference/vocabulary.ts';
import { klineFaults } from '../families/klines-faults.ts';

const KLINES: EndpointPath = '/crypto-stocks/{stock_ticker}/klines';

/** Faults in §4.5. */
export const STOCK_FAULTS: readonly Fault[] = faultsOf('4.5', {
  'stock-snapshot-in-array': {
    title: 'The stock snapshot is an array of one object',
    kills: ['4.5/market-snapshot'],
    hooks: onBody(endpointIs('/crypto-stocks/{stock_ticker}/market-snapshot'), (value) => [value]),
  },
  'stock-klines-in-object': {
    title: 'Klines of stocks are wrapped in an object',
    kills: ['4.5/klines'],
    hooks: onBody(endpointIs(KLINES), (value) => ({ klines: value })),
  },
  ...klineFaults('stock', KLINES, '4.5'),
});
