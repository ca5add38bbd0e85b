import { byTimestamp, rowsInRange } from '../ranges.ts';
import { known } from './call.ts';
import type { Call, Handler, Handlers } from './call.ts';

/** The 404 of an unknown stock ticker. */
function stock<Found>(call: Call, find: (ticker: string) => Found | undefined): Found {
  const ticker = call.path['stock_ticker'] ?? '';
  return known(find(ticker), 'Stock', call, 'stock_ticker', '/crypto-stocks');
}

const stockList: Handler = (call) => call.world.stockList(call.now);

const stockSnapshot: Handler = (call) =>
  stock(call, (ticker) => call.world.stockSnapshot(ticker, call.now));

const stockKlines: Handler = (call) =>
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

const stockMarketCap: Handler = (call) =>
  stock(call, (ticker) => call.world.stockMarketCap(ticker, call.now));

const stockSectors: Handler = (call) => call.world.stockSectors(call.now);

const sectorIndex: Handler = (call) => {
  const rows = call.world.sectorIndex(call.path['sector_name'] ?? '', call.now);
  return known(rows, 'Sector', call, 'sector_name', '/crypto-stocks/sector');
};

/** Which handler answers which endpoint. */
export const STOCKS = {
  '/crypto-stocks/{stock_ticker}/market-snapshot': stockSnapshot,
  '/crypto-stocks/{stock_ticker}/klines': stockKlines,
  '/crypto-stocks': stockList,
  '/crypto-stocks/{stock_ticker}/market-cap': stockMarketCap,
  '/crypto-stocks/sector': stockSectors,
  '/crypto-stocks/sector/{sector_name}/index': sectorIndex,
} as const satisfies Handlers;
