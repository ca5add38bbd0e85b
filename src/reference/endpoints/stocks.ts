import { byTimestamp, rowsInRange } from '../ranges.ts';
import { known } from './call.ts';
import type { Call, Handler } from './call.ts';

/** The 404 of an unknown stock ticker. */
function stock<Found>(call: Call, find: (ticker: string) => Found | undefined): Found {
  const ticker = call.path['stock_ticker'] ?? '';
  return known(find(ticker), 'Stock', call, 'stock_ticker', '/crypto-stocks');
}

export const stockList: Handler = (call) => call.world.stockList(call.now);

export const stockSnapshot: Handler = (call) =>
  stock(call, (ticker) => call.world.stockSnapshot(ticker, call.now));

export const stockKlines: Handler = (call) =>
  rowsInRange(
    call,
    stock(call, (ticker) => call.world.stockKlines(ticker, call.now)),
    {
      names: ['start_time', 'end_time'],
      window: 'klines',
      order: 'oldest-first',
      at: byTimestamp,
    },
  );

export const stockMarketCap: Handler = (call) =>
  stock(call, (ticker) => call.world.stockMarketCap(ticker, call.now));

export const stockSectors: Handler = (call) => call.world.stockSectors(call.now);

export const sectorIndex: Handler = (call) => {
  const rows = call.world.sectorIndex(call.path['sector_name'] ?? '', call.now);
  return known(rows, 'Sector', call, 'sector_name', '/crypto-stocks/sector');
};
