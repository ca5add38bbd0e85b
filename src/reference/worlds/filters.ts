import { PAIR_ORDERS } from '../endpoints/currencies.ts';
import { rowsOf } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Json } from '../world.ts';
import { edit, endpointIs, onBody, onQuery, onRecord } from '../vocabulary.ts';
import { changing, dimension, type Dimension } from './dimension.ts';

const PAIRS = '/currencies/{currency_id}/pairs';

/** What becomes of filters and orders whose values the text leaves open (§4.1, §4.2). */
export const FILTER_DIMENSIONS: readonly Dimension[] = [
  dimension('unknown-exchange', 'nothing-found', {
    'not-found': changing({
      hooks: {
        query(query, { endpoint, world }) {
          const sent = query.get('exchange');
          const isKnown = world.exchanges.some((name) => name === sent);
          if (endpoint !== PAIRS || sent === undefined || isKnown) return query;
          throw new Refusal('notFound', 'Exchange not found', {
            exchange: sent,
            suggestion: 'Look at the field market.',
          });
        },
      },
    }),
  }),
  // The unit of these two is not stated, unlike that of the timestamps in the answer.
  dimension('unit-of-ranges-of-currency-candles', 'ms', {
    seconds: changing({
      hooks: onQuery(endpointIs('/currencies/{currency_id}/klines'), (query) => {
        for (const name of ['start_time', 'end_time']) {
          const text = query.get(name) ?? '';
          if (/^\d+$/.test(text)) query.set(name, String(Number(text) * 1000));
        }
      }),
    }),
  }),
  dimension('unknown-order', 'refused', {
    ignored: changing({
      hooks: onQuery(endpointIs(PAIRS), (query) => {
        const sent = query.get('order_by');
        if (!PAIR_ORDERS.some((order) => order === sent)) query.delete('order_by');
      }),
    }),
    'any-is-ignored': changing({
      hooks: onQuery(endpointIs(PAIRS), (query) => query.delete('order_by')),
    }),
  }),
  dimension('unknown-currency-in-news', 'nothing-found', {
    'not-found': changing({
      hooks: onQuery(endpointIs('/news'), (query, { world }) => {
        const sent = query.get('currency_id');
        if (sent === undefined || world.currencyIds.includes(sent)) return;
        throw new Refusal('notFound', 'Currency not found', {
          currency_id: sent,
          suggestion: 'GET /currencies lists the known ones.',
        });
      }),
    }),
  }),
  dimension('limit-of-etf-history', 'kept', {
    // The text states it in one description only.
    ignored: {
      ...changing({
        hooks: onQuery(endpointIs('/etfs/{ticker}/history'), (query) => query.delete('limit')),
      }),
      warns: ['4.4/limit-exact', '4.4/limit-part'],
    },
  }),
  dimension('letter-case-of-tickers', 'exact', {
    folded: changing({
      hooks: {
        path(path, { world }) {
          const folded = (name: string, known: readonly string[]): Record<string, string> => {
            const sent = path[name]?.toLowerCase();
            const meant = known.find((one) => one.toLowerCase() === sent);
            return meant === undefined ? {} : { [name]: meant };
          };
          return {
            ...path,
            ...folded(
              'ticker',
              world.etfs.map(({ ticker }) => ticker),
            ),
            ...folded('stock_ticker', world.stockTickers),
          };
        },
      },
    }),
  }),
  dimension('length-of-open-lists', 'whole', {
    // More of them need a parameter that nobody states.
    'first-ten': changing({
      hooks: onBody(
        endpointIs('/currencies', '/crypto-stocks', '/fundraising/projects', '/etfs'),
        (value): Json => {
          const rows = rowsOf(value) ?? [];
          return { list: rows.slice(0, 10), page: 1, page_size: 10, total: rows.length };
        },
      ),
    }),
  }),
  dimension('ids-of-news', 'numbers', {
    texts: changing({
      hooks: onRecord(
        ['news-item', 'featured-news-item'],
        edit('/id', (value) => (typeof value === 'string' ? `n-${value}` : value)),
      ),
    }),
  }),
];
