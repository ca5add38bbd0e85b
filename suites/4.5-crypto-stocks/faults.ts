import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { klineFaults } from '../families/klines-faults.ts';

const KLINES: EndpointPath = '/crypto-stocks/{stock_ticker}/klines';

/** Faults in §4.5. */
export const STOCK_FAULTS: readonly Fault[] = faultsOf({
  'stock-klines-close-null-coin': {
    title: 'The close of the latest candle of COIN is null',
    kills: ['2.4/close'],
    profile: 'full',
    hooks: {
      world: (world) => ({
        stockKlines: (ticker, now) => {
          const candles = world.stockKlines(ticker, now);
          if (ticker !== 'COIN') return candles;
          const newest = Math.max(...(candles ?? []).map(({ timestamp }) => Number(timestamp)));
          return candles?.map((one) =>
            one['timestamp'] === newest ? { ...one, close: null } : one,
          );
        },
      }),
    },
  },
  ...klineFaults('stock', KLINES, '4.5'),
});
