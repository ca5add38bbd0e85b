// Answers of endpoints with one record of their resource, and changes to it.
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { ResourceName } from '../../src/spec/resources.ts';
import { DAY } from '../../src/spec/time.ts';
import { exchangeOf, judge, recordOf } from './exchanges.ts';

export const INFO = '/currencies/{currency_id}';
export const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';
export const ECONOMICS = '/currencies/{currency_id}/token-economics';
export const FUNDRAISING = '/currencies/{currency_id}/fundraising';
export const PAIRS = '/currencies/{currency_id}/pairs';
export const STOCK = '/crypto-stocks/{stock_ticker}/market-snapshot';
export const KLINES = '/crypto-stocks/{stock_ticker}/klines';

export const one = (
  path: EndpointPath,
  resource: ResourceName,
  changes: Record<string, unknown> = {},
) => exchangeOf(path, { body: recordOf(resource, changes) });
export const info = (changes: Record<string, unknown> = {}) =>
  one(INFO, 'currency-info', { currency_id: 'a-currency_id', ...changes });
export const snapshot = (changes: Record<string, unknown> = {}) =>
  one(SNAPSHOT, 'currency-snapshot', changes);
export const stock = (changes: Record<string, unknown> = {}) =>
  one(STOCK, 'stock-snapshot', { ticker: 'a-stock_ticker', ...changes });
export const macro = (changes: Record<string, unknown> = {}) =>
  exchangeOf('/macro/events/{event}/history', { body: [recordOf('macro-history-row', changes)] });

export const START = Date.UTC(2025, 11, 1);
export const candle = (index: number, changes: Record<string, unknown> = {}) =>
  recordOf('kline', { timestamp: START + index * DAY, ...changes });
export const klines = (...rows: unknown[]) =>
  exchangeOf(KLINES, { query: { interval: '1d' }, body: rows });

export const page = (list: unknown[]) => ({ list, page: 1, page_size: 20, total: list.length });
export const pairs = (...list: unknown[]) => exchangeOf(PAIRS, { body: page(list) });
export const pair = (changes: Record<string, unknown> = {}) =>
  recordOf('trading-pair', { base: 'BTC', target: 'USDT', ...changes });

export const chart = (name: string, changes: Record<string, unknown> = {}) => ({
  chart_name: name,
  time_field: 'date',
  fields: [
    { name: 'date', type: 'String' },
    { name: 'value', type: 'Number' },
  ],
  ...changes,
});
export const charts = (...list: unknown[]) => exchangeOf('/analyses', { body: list });
export const chartData = (name: string, body: unknown, status = 200) =>
  exchangeOf('/analyses/{chart_name}', { path: { chart_name: name }, body, status });

export const judgedIds = (exchanges: Parameters<typeof judge>[0]): string[] => [
  ...judge(exchanges).requirements.keys(),
];
