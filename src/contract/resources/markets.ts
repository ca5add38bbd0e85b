/** Candles, trading pairs and the envelope of pages (§2.4, §2.5). */
import { name, milliseconds, integer, number, records, orUnknown } from './value.ts';
import type { Resource, Resources } from './value.ts';

/** They share a row of the table. */
const PRICES = { row: 'open, high, low, close' };

/** §2.4: of a currency or of a crypto stock. */
const KLINE: Resource = {
  section: '2.4',
  title: 'Kline',
  says: 'A daily candle of a currency or of a crypto stock (§2.4).',
  called: 'a candle',
  fields: {
    timestamp: milliseconds('Time of the candle, epoch milliseconds.', 1_767_225_600_000),
    open: number('Opening price.', 66120.75, PRICES),
    high: number('Highest price.', 68_410, PRICES),
    low: number('Lowest price.', 65980.2, PRICES),
    close: number('Closing price.', 67250.5, PRICES),
    volume: number('Traded volume.', 31250.42),
  },
};

/** §2.5. */
const TRADING_PAIR: Resource = {
  section: '2.5',
  title: 'Trading pair',
  says: 'A record of GET /currencies/{currency_id}/pairs (§2.5).',
  called: 'a trading pair',
  item: 'pair',
  identity: ['market', 'base', 'target'],
  fields: {
    base: name('Base currency.', 'BTC'),
    target: name('Quote currency.', 'USDT'),
    market: name('Name of the exchange.', 'Binance'),
    price: number('Latest price.', 67250.5),
    turnover_24h: number('Traded value of 24 hours.', 1892345678.12),
    cost_to_move_up_usd: orUnknown(
      number('USD that it takes to raise the price by 2%.', 15230411.5),
    ),
    cost_to_move_down_usd: orUnknown(
      number('USD that it takes to lower the price by 2%.', 14877210.25),
    ),
  },
};

const ENVELOPE = { row: 'paging envelope' };

/** The paging envelope of pairs and of news (§2.5, §2.7). What stands in its list has its own resource. */
export const PAGE: Resource = {
  section: '2.5',
  prefix: 'page-',
  title: 'Page',
  says: 'Paging envelope of trading pairs and news (§2.5, §2.7). The records in `list` have their own schemas.',
  called: 'a paging envelope',
  fields: {
    list: records('Records of the page.', ENVELOPE),
    page: integer('Number of the page.', 1, ENVELOPE),
    page_size: integer('Records that a full page holds.', 20, ENVELOPE),
    total: integer('Records on all pages.', 0, ENVELOPE),
  },
};

export const MARKETS = {
  kline: KLINE,
  'trading-pair': TRADING_PAIR,
} as const satisfies Resources;
