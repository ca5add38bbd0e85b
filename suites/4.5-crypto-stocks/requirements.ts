import { answersOf } from '../families/of-endpoint.ts';
import { check, each } from '../../src/ask/index.ts';
import { about, must, should, type Definition } from '../../src/requirements/definition.ts';
import { STOCK_CANDLES } from '../../src/judge/series.ts';
import { STOCK_KLINE_CHECKS as CHECKS, klinesOf } from '../families/klines.ts';
import { ownRows } from '../families/own-rows.ts';
import { atPosition } from '../families/resource-requests.ts';
import { inOneOrder } from '../families/series-order.ts';

const SNAPSHOT = '/crypto-stocks/{stock_ticker}/market-snapshot';
const KLINES = '4.5 GET /crypto-stocks/{stock_ticker}/klines';

const KLINE = klinesOf(STOCK_CANDLES, CHECKS, {
  list: 'Stock klines',
  interval: 'A stock klines `interval`',
  limit: 'A stock klines `limit`',
  range: 'A stock klines range',
  candle: 'stock candle',
  candles: 'stock candles',
});

/** Requirements of §4.5, in the order of its text. */
export const STOCK_REQUIREMENTS = {
  '4.5/market-snapshot': answersOf(SNAPSHOT, {
    title: 'The stock snapshot returns 200 with an object',
    clauses: ['1 Crypto stocks'],
    checks: [
      check(({ api }) => api.get(SNAPSHOT)),
      ...each([1, 2], 'for the stock at place %s of the list', atPosition(SNAPSHOT)),
    ],
  }),
  ...about(['/crypto-stocks/{stock_ticker}/klines'], {
    '4.5/klines': answersOf('/crypto-stocks/{stock_ticker}/klines', {
      title: 'Stock klines return 200 with an array',
      checks: CHECKS.answers,
    }),
    ...KLINE.parameters,
    ...KLINE.range,
    '4.5/klines-own': must({
      title: 'Each stock has its own candles',
      clauses: [KLINES],
      rulings: [22],
      why: "Another company's chart looks right, so the error goes unnoticed.",
      usually: [
        'The cache key lacks the ticker.',
        'Two tickers in the target file belong to the same company.',
      ],
      checks: CHECKS.own,
      judge: ownRows({ series: STOCK_CANDLES }),
    }),
    '4.5/klines-one-order': should({
      title: 'Stock candles are in a consistent order, without duplicate timestamps',
      clauses: [KLINES],
      rulings: [19],
      ...inOneOrder(STOCK_CANDLES, 'Order of candles of a stock'),
      checks: CHECKS.oneOrder,
    }),
  }),
} as const satisfies Record<string, Definition>;
