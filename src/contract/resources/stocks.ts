/** Crypto stocks (§2.9). */
import { MARKET_STATUSES } from '../values.ts';
import { name, time, number, choice, orNull, orUnknown } from './value.ts';
import type { Resource, Resources } from './value.ts';

/** Fields that share a row of the table. */
const MARKETCAPS = { row: 'circulating_marketcap, total_marketcap' };
const SHARES = { row: 'total_shares, circulating_shares' };

/** §2.9. */
const STOCK_SNAPSHOT: Resource = {
  section: '2.9',
  title: 'Crypto stock market snapshot',
  says: 'Answer of GET /crypto-stocks/{stock_ticker}/market-snapshot (§2.9).',
  called: 'the stock snapshot',
  fields: {
    timestamp: time('Time of the data; the unit is not stated.', 1_767_225_600_000),
    ticker: name('Ticker of the stock.', 'MSTR'),
    mkt_price: number('Market price.', 331.25),
    mkt_status: choice(MARKET_STATUSES, 'Whether the market is open.', 'close', {
      is: 'open or close',
      also: ['3 mkt_status'],
    }),
    volume: number('Trading volume.', 11_250_340),
    turnover: number('Trading value.', 3_726_675_125),
    circulating_marketcap: number(
      'Market cap of the circulating shares.',
      88_120_450_000,
      MARKETCAPS,
    ),
    total_marketcap: number('Market cap of all shares.', 95_230_110_000, MARKETCAPS),
    total_shares: number('Shares outstanding.', 287_487_500, SHARES),
    circulating_shares: number('Shares in circulation.', 266_024_000, SHARES),
    pe_ttm: orNull(
      number('Price to earnings of the last twelve months; null for a company at a loss.', 21.4),
      'for a company at a loss',
    ),
    pb: orUnknown(
      orNull(
        number('Price to book; null where the book value is negative.', 2.1),
        'for a negative book value',
      ),
    ),
  },
};

export const STOCKS = {
  'stock-snapshot': STOCK_SNAPSHOT,
} as const satisfies Resources;
