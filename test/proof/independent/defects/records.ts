import { isList, isObject } from '../core/json.ts';
import type { Hooks } from '../conduct/hooks.ts';
import type { Call } from '../core/call.ts';
import type { Defect } from './defect.ts';
import {
  CHARTS,
  each,
  failure,
  good,
  INFO,
  isOf,
  KLINES,
  MACRO,
  mild,
  one,
  PAIRS,
  plain,
  rows,
  SNAPSHOT,
  STOCK,
  STOCK_KLINES,
  subtle,
  said,
} from './tools.ts';

/** Answers with another currency's record, or company's, when the path names any but the first. */
function another(template: string, name: string, first: string): Hooks {
  const query = (call: Call): void => {
    const sent = call.path[name] ?? '';
    const exists = name === 'currency_id' ? /^\d{4}$/.test(sent) : /^[A-Z]{3,4}$/.test(sent);
    if (isOf(call, template) && exists) call.path[name] = first;
  };
  return { query };
}

/** Defects of records: identities, order, and what a figure means. */
export const RECORDS: readonly Defect[] = [
  plain(
    'info-first-only',
    'The info of every currency is that of the first.',
    another(INFO, 'currency_id', '1'),
  ),
  subtle(
    'snapshot-first-only',
    'The snapshot of every currency is that of the first.',
    another(SNAPSHOT, 'currency_id', '1'),
  ),
  subtle(
    'klines-first-only',
    'The klines of every currency are those of the first.',
    another(KLINES, 'currency_id', '1'),
  ),
  plain(
    'pairs-first-only',
    'The pairs of every currency are those of the first.',
    another(PAIRS, 'currency_id', '1'),
  ),
  plain(
    'stock-first-only',
    'The snapshot of every company is that of the first.',
    another(STOCK, 'stock_ticker', 'MSTR'),
  ),
  plain(
    'pairs-ascending',
    'Pairs come smallest volume first.',
    rows(PAIRS, (list) => list.toReversed()),
  ),
  plain('pairs-by-price', 'Pairs are ordered by price when no order is asked for.', {
    values: (call) => {
      if (call.template === PAIRS) call.values['order_by'] ??= 'price';
    },
  }),
  subtle('pairs-sorted-late', 'Pairs are ordered within each page only.', {
    reply: (call, reply) => {
      if (call.template !== PAIRS || !isObject(reply.body) || !isList(reply.body['list']))
        return undefined;
      const total = Number(reply.body['total']);
      const page = Number(reply.body['page']);
      // The page after the next stands in for what an unordered table would give.
      if (total < 60 || page !== 1) return undefined;
      const list = [
        ...reply.body['list'].slice(10),
        ...reply.body['list']
          .slice(10)
          .map((row) =>
            isObject(row) ? { ...row, turnover_24h: Number(row['turnover_24h']) / 1e5 } : row,
          ),
      ];
      return { ...reply, body: { ...reply.body, list: list.slice(0, reply.body['list'].length) } };
    },
  }),
  plain('pairs-exchange-ignored', 'GET pairs ignores exchange.', {
    query: (call) => {
      if (call.template === PAIRS) call.query.delete('exchange');
    },
  }),
  subtle(
    'pairs-exchange-one',
    'One pair of a filtered page is of another exchange.',
    one(PAIRS, -1, (record, call) => {
      if (call.query.has('exchange')) record['market'] = 'Elsewhere';
    }),
  ),
  subtle(
    'pairs-exchange-total',
    'The total of pairs does not follow the exchange.',
    good(PAIRS, (body, call) =>
      call.query.has('exchange') && isObject(body) ? { ...body, total: 230 } : undefined,
    ),
  ),
  subtle(
    'pairs-last-null',
    'The last pair of a page has no price.',
    one(PAIRS, -1, (record) => {
      record['price'] = null;
    }),
  ),
  subtle(
    'pairs-page-two-text',
    'Prices of pairs are texts from page 2 on.',
    each(PAIRS, (record, _index, call) => {
      if (Number(call.query.get('page')) > 1) record['price'] = said(record['price']);
    }),
  ),
  mild(
    'snapshot-high-low',
    'The high of 24 hours is below the low.',
    each(SNAPSHOT, (record) => {
      [record['high_24h'], record['low_24h']] = [record['low_24h'], record['high_24h']];
    }),
  ),
  mild(
    'stock-caps-swapped',
    'The circulating market cap is above the total.',
    each(STOCK, (record) => {
      record['circulating_marketcap'] = Number(record['total_marketcap']) * 2;
    }),
  ),
  plain(
    'charts-wrapped',
    'GET /analyses wraps its list.',
    good(CHARTS, (body) => ({ list: body })),
  ),
  subtle(
    'charts-last-bare',
    'The last chart has no fields.',
    one(CHARTS, -1, (record) => delete record['fields']),
  ),
  ...[STOCK, STOCK_KLINES, MACRO].flatMap((template) => {
    const name = template === STOCK ? 'stock' : template === MACRO ? 'macro' : 'stock-klines';
    return [
      plain(
        `${name}-unknown-crash`,
        `GET ${template} answers 500 to something that does not exist.`,
        {
          reply: (call, reply) =>
            call.template === template && reply.status === 404
              ? failure(500, 500001, 'Internal server error')
              : undefined,
        },
      ),
      mild(
        `${name}-unknown-null`,
        `GET ${template} answers null to something that does not exist.`,
        {
          reply: (call, reply) =>
            call.template === template && reply.status === 404
              ? { ...reply, status: 200, body: null }
              : undefined,
        },
      ),
    ];
  }),
  subtle(
    'macro-row-null-previous',
    'previous of the oldest macro row is null.',
    one(MACRO, -1, (record) => {
      record['previous'] = null;
    }),
  ),
  plain('macro-first-only', 'The history of every event is that of the first.', {
    query: (call) => {
      const known = ['CPI YoY', 'Core CPI MoM', 'Unemployment Rate', 'PPI MoM'];
      if (call.template === MACRO && known.includes(call.path['event'] ?? ''))
        call.path['event'] = 'Nonfarm Payrolls';
    },
  }),
];
