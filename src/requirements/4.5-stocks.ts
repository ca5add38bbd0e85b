import { check, each, full, smoke } from '../ask/index.ts';
import { ofStock } from '../ask/requests/instruments.ts';
import { STOCK_KLINE_CHECKS } from '../ask/requests/klines.ts';
import { ACCEPTED } from '../rules/acceptance.ts';
import { REFUSED } from '../rules/expectation.ts';
import { ORDERING } from '../rules/ordering.ts';
import { OWN_ROWS } from '../rules/own-rows.ts';
import { STOCK_CANDLES } from '../rules/series.ts';
import { ANSWERED } from '../rules/shapes.ts';
import {
  BOUND_ACCEPTED,
  INTERVAL,
  LIMIT_DEFAULT,
  LIMIT_EXACT,
  LIMIT_MAXIMUM,
  NUMBER_INVALID,
  PLAIN_REQUEST,
  RANGE,
  SERIES_ORDER,
  WINDOW,
  WINDOW_ANSWER,
} from './advice.ts';
import { about, must, should, type Definition } from './definition.ts';

const SNAPSHOT = '/crypto-stocks/{stock_ticker}/market-snapshot';
const stock = ['stockTickers'] as const;
const KLINES = '4.5 GET /crypto-stocks/{stock_ticker}/klines';

/** Requirements of §4.5. */
export const STOCK_REQUIREMENTS = {
  '4.5/market-snapshot': must({
    title: 'The stock snapshot answers 200 with an object',
    clauses: [`4.5 GET ${SNAPSHOT}`, '1 Crypto stocks'],
    endpoints: [SNAPSHOT],
    needs: stock,
    ...PLAIN_REQUEST,
    checks: [
      check(({ api }) => api.get(SNAPSHOT), smoke),
      ...each([1, 2, 3], 'for the stock at place %s of the list', ofStock(SNAPSHOT), full),
    ],
    judge: ANSWERED[SNAPSHOT],
  }),
  ...about(['/crypto-stocks/{stock_ticker}/klines'], {
    '4.5/klines': must({
      title: 'Klines of a stock answer 200 with an array',
      clauses: [KLINES],
      needs: stock,
      ...PLAIN_REQUEST,
      checks: STOCK_KLINE_CHECKS.answers,
      judge: ANSWERED['/crypto-stocks/{stock_ticker}/klines'],
    }),
    '4.5/klines-interval-required': must({
      title: 'Stock klines without interval are refused with 400 and code 400002',
      clauses: [`${KLINES} ?interval`, '7 400002'],
      shownBy: 'a request that leaves the parameter out',
      rulings: [6, 9],
      needs: stock,
      ...INTERVAL,
      checks: STOCK_KLINE_CHECKS.intervalRequired,
      judge: REFUSED.stockKlinesIntervalRequired,
    }),
    '4.5/klines-interval-enum': must({
      title: 'An interval of stock klines other than 1d is refused with 400 and code 400003',
      clauses: [`${KLINES} ?interval`, '7 400003'],
      shownBy: 'a request with a value outside of the list',
      rulings: [6, 9],
      needs: stock,
      ...INTERVAL,
      drawn: ['stock-klines'],
      checks: STOCK_KLINE_CHECKS.intervalEnum,
      judge: REFUSED.stockKlinesIntervalEnum,
    }),
    '4.5/klines-limit-default': must({
      title: 'Stock klines without limit are the same as with limit=100',
      clauses: [`${KLINES} ?limit`, '8 klines limit'],
      rulings: [22],
      needs: stock,
      ...LIMIT_DEFAULT,
      checks: STOCK_KLINE_CHECKS.limitDefault,
      judge: STOCK_CANDLES.limit.judges.byDefault,
    }),
    '4.5/klines-limit-exact': must({
      title: 'A limit of stock klines below what the window holds gives exactly that many rows',
      clauses: [`${KLINES} ?limit`],
      rulings: [4],
      needs: stock,
      ...LIMIT_EXACT,
      drawn: ['stock-klines'],
      checks: STOCK_KLINE_CHECKS.limitExact,
      judge: STOCK_CANDLES.limit.judges.exact,
    }),
    '4.5/klines-limit-max': must({
      title: 'A limit of stock klines above 500 is refused or brought into the range',
      clauses: [`${KLINES} ?limit`, '8 klines limit'],
      rulings: [4],
      needs: stock,
      ...LIMIT_MAXIMUM,
      drawn: ['stock-klines'],
      checks: STOCK_KLINE_CHECKS.limitMax,
      judge: STOCK_CANDLES.limit.judges.over,
    }),
    '4.5/klines-limit-max-accepted': must({
      title: 'A limit of stock klines of 500 is accepted',
      clauses: [`${KLINES} ?limit`],
      rulings: [4],
      needs: stock,
      ...BOUND_ACCEPTED,
      checks: STOCK_KLINE_CHECKS.limitMaxAccepted,
      judge: [ACCEPTED.stockKlinesLimitMaxAccepted, STOCK_CANDLES.limit.judges.accepted],
    }),
    '4.5/klines-limit-invalid': must({
      title:
        'A limit of stock klines of zero, below zero or not a number gets a conforming answer or a 400-class error',
      clauses: [`${KLINES} ?limit`],
      rulings: [4],
      needs: stock,
      ...NUMBER_INVALID,
      drawn: ['stock-klines'],
      checks: STOCK_KLINE_CHECKS.limitInvalid,
      judge: STOCK_CANDLES.limit.judges.invalid,
    }),
    '4.5/klines-window': must({
      title: 'No candle of a stock is older than 3 months',
      clauses: [KLINES, '8 klines limit'],
      rulings: [5],
      needs: stock,
      ...WINDOW,
      drawn: ['stock-klines'],
      checks: STOCK_KLINE_CHECKS.window,
      judge: STOCK_CANDLES.judges.window,
    }),
    '4.5/klines-window-answer': must({
      title:
        'A range of stock klines beyond the window is refused in the documented shape, cut or empty',
      clauses: [KLINES, '8 beyond the window'],
      rulings: [5],
      needs: stock,
      ...WINDOW_ANSWER,
      drawn: ['stock-klines'],
      checks: STOCK_KLINE_CHECKS.windowAnswer,
      judge: STOCK_CANDLES.judges.windowAnswer,
    }),
    '4.5/klines-range': must({
      title: 'start_time and end_time select the stock candles between them',
      clauses: [`${KLINES} ?start_time`, `${KLINES} ?end_time`],
      rulings: [22],
      needs: stock,
      ...RANGE,
      drawn: ['stock-klines'],
      checks: STOCK_KLINE_CHECKS.range,
      judge: STOCK_CANDLES.judges.range,
    }),
    '4.5/klines-own': must({
      title: 'Each stock has candles of its own',
      clauses: [KLINES],
      rulings: [22],
      needs: stock,
      why: 'Candles of another company draw a chart that nobody can see to be wrong.',
      usually: [
        'The cache key leaves the ticker out.',
        'Two tickers of the target file stand for the same company.',
      ],
      checks: STOCK_KLINE_CHECKS.own,
      judge: OWN_ROWS.stockKlinesOwn,
    }),
    '4.5/klines-one-order': should({
      title: 'Stock candles come in one order, without duplicate timestamps',
      clauses: [KLINES],
      rulings: [19],
      needs: stock,
      ...SERIES_ORDER,
      checks: STOCK_KLINE_CHECKS.oneOrder,
      judge: ORDERING.stockKlinesOneOrder,
    }),
  }),
} as const satisfies Record<string, Definition>;
