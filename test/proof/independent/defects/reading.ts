import type { Hooks } from '../conduct/hooks.ts';
import type { Call } from '../core/call.ts';
import { LISTED } from '../data/etfs.ts';
import { defectsOf } from './defect.ts';

const KLINES = '/currencies/{currency_id}/klines';
const PAIRS = '/currencies/{currency_id}/pairs';
const SUMMARY = '/etfs/summary-history';
const STOCKS = '/crypto-stocks/{stock_ticker}/klines';
const MACRO = '/macro/events/{event}/history';

/** Checked parameters that are taken for others. */
export const READING = defectsOf({
  'summary-country-ignored': [
    'The rows of the US come for Hong Kong too.',
    on(SUMMARY, ({ values }) => {
      if (LISTED.HK.includes(String(values['symbol']))) values['country_code'] = 'US';
    }),
  ],
  'summary-eth-is-btc': [
    'The rows of BTC come for ETH.',
    on(SUMMARY, ({ values }) => {
      if (values['symbol'] === 'ETH') values['symbol'] = 'BTC';
    }),
  ],
  'klines-limit-long': ['Klines give one row more than limit.', counted(KLINES, 1)],
  'summary-limit-short': ['ETF totals give one row less than limit.', counted(SUMMARY, -1)],
  'stock-limit-long': ['Candles of stocks give one row more than limit.', counted(STOCKS, 1)],
  'macro-default-20': [
    'Macro history gives 20 rows by default.',
    on(MACRO, ({ values, query }) => {
      if (!query.has('limit')) values['limit'] = 20;
    }),
  ],
  'pairs-by-price': [
    'Pairs are ordered by price when no order is asked for.',
    on(PAIRS, ({ values }) => {
      values['order_by'] ??= 'price';
    }),
  ],
  'pairs-default-size': [
    'Pairs come 50 a page when no size was asked for.',
    on(PAIRS, ({ values, query }) => {
      if (!query.has('page_size')) values['page_size'] = 50;
    }),
  ],
  'news-page-three': [
    'GET /news gives page 2 again as page 3.',
    on('/news', ({ values }) => {
      if (values['page'] === 3) values['page'] = 2;
    }),
  ],
});

/** Changes checked parameters of an endpoint. */
function on(template: string, change: (call: Call) => void): Hooks {
  return {
    values: (call) => {
      if (call.template === template) change(call);
    },
  };
}

/** Takes a limit that was asked for as so many more. */
function counted(template: string, more: number): Hooks {
  return on(template, ({ values, query }) => {
    const { limit } = values;
    if (typeof limit === 'number' && query.has('limit'))
      values['limit'] = Math.max(0, limit + more);
  });
}
