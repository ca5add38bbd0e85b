import { check, each, full, part, smoke, type Check } from '../ask/index.ts';
import { infoAndPairs, ofCurrency, threeSnapshots } from '../ask/requests/instruments.ts';
import { CURRENCY_KLINE_CHECKS } from '../ask/requests/klines.ts';
import { of100 } from '../ask/requests/pairs.ts';
import type { EndpointPath } from '../contract/endpoints.ts';
import { ACCEPTED } from '../rules/acceptance.ts';
import { REFUSED } from '../rules/expectation.ts';
import { ORDERING } from '../rules/ordering.ts';
import { OWN_RECORDS } from '../rules/own-records.ts';
import { OWN_ROWS } from '../rules/own-rows.ts';
import { CURRENCY_CANDLES } from '../rules/series.ts';
import { ANSWERED } from '../rules/shapes.ts';
import {
  BOUND_ACCEPTED,
  INTERVAL,
  LIMIT_DEFAULT,
  LIMIT_EXACT,
  LIMIT_MAXIMUM,
  LIMIT_PART,
  NUMBER_INVALID,
  PLAIN_REQUEST,
  RANGE,
  SERIES_ORDER,
  WINDOW,
  WINDOW_ANSWER,
} from './advice.ts';
import { PAIR_REQUIREMENTS } from './4.1-pairs.ts';
import { about, must, should, observe, type Definition } from './definition.ts';

const needs = ['currencyIds'] as const;
const PAIRS = '4.1 GET /currencies/{currency_id}/pairs';
const KLINES = '4.1 GET /currencies/{currency_id}/klines';

/** The plain request, and that for other currencies than the first: their answers go through all rules of the run. */
const plainAndOthers = (
  path: EndpointPath,
  options: Pick<Check, 'profile'> = {},
): readonly Check[] => [
  check(({ api }) => api.get(path), options),
  ...each([1, 2, 3, 4], 'for the currency at place %s of the list', ofCurrency(path), full),
];

/** Requirements of §4.1. */
export const CURRENCY_REQUIREMENTS = {
  '4.1/info': must({
    title: 'Currency info answers 200 with an object',
    clauses: ['4.1 GET /currencies/{currency_id}', '1 Currencies and pairs'],
    endpoints: ['/currencies/{currency_id}'],
    needs,
    ...PLAIN_REQUEST,
    checks: plainAndOthers('/currencies/{currency_id}', smoke),
    judge: ANSWERED['/currencies/{currency_id}'],
  }),
  '4.1/market-snapshot': must({
    title: 'The market snapshot of a currency answers 200 with an object',
    clauses: ['4.1 GET /currencies/{currency_id}/market-snapshot'],
    endpoints: ['/currencies/{currency_id}/market-snapshot'],
    needs,
    ...PLAIN_REQUEST,
    checks: plainAndOthers('/currencies/{currency_id}/market-snapshot', smoke),
    judge: ANSWERED['/currencies/{currency_id}/market-snapshot'],
  }),
  '4.1/own-record': must({
    title: 'Each currency has a snapshot and pairs of its own',
    clauses: ['4.1 GET /currencies/{currency_id}/market-snapshot', PAIRS],
    endpoints: ['/currencies/{currency_id}/market-snapshot', '/currencies/{currency_id}/pairs'],
    rulings: [22],
    needs,
    why: 'Who asks for one currency and gets the figures of another trades on the wrong price.',
    usually: [
      'The identifier in the path is not used: the first record, or that of the largest currency, is always sent.',
      'The record comes from a cache whose key leaves out the identifier.',
    ],
    checks: [check(infoAndPairs), part('beside the records of others', threeSnapshots, full)],
    judge: OWN_RECORDS.ownRecord,
  }),
  '4.1/token-economics': must({
    title: 'Token economics answers 200 with an object',
    clauses: ['4.1 GET /currencies/{currency_id}/token-economics'],
    endpoints: ['/currencies/{currency_id}/token-economics'],
    needs,
    ...PLAIN_REQUEST,
    checks: plainAndOthers('/currencies/{currency_id}/token-economics'),
    judge: ANSWERED['/currencies/{currency_id}/token-economics'],
  }),
  '4.1/klines': must({
    title: 'Klines of a currency answer 200 with an array',
    clauses: [KLINES],
    endpoints: ['/currencies/{currency_id}/klines'],
    needs,
    ...PLAIN_REQUEST,
    checks: CURRENCY_KLINE_CHECKS.answers,
    judge: ANSWERED['/currencies/{currency_id}/klines'],
  }),
  '4.1/pairs': must({
    title: 'Pairs of a currency answer 200 with a paging envelope',
    clauses: [PAIRS, '2.5 paging envelope'],
    endpoints: ['/currencies/{currency_id}/pairs'],
    needs,
    ...PLAIN_REQUEST,
    checks: [check(of100, smoke)],
    judge: ANSWERED['/currencies/{currency_id}/pairs'],
  }),
  '4.1/fundraising': must({
    title: 'Fundraising of a currency answers 200 with an object',
    clauses: ['4.1 GET /currencies/{currency_id}/fundraising'],
    endpoints: ['/currencies/{currency_id}/fundraising'],
    needs,
    ...PLAIN_REQUEST,
    checks: plainAndOthers('/currencies/{currency_id}/fundraising'),
    judge: ANSWERED['/currencies/{currency_id}/fundraising'],
  }),
  ...about(['/currencies/{currency_id}/klines'], {
    '4.1/klines-interval-required': must({
      title: 'Klines without interval are refused with 400 and code 400002',
      clauses: [`${KLINES} ?interval`, '7 400002'],
      shownBy: 'a request that leaves the parameter out',
      rulings: [6, 9],
      needs,
      ...INTERVAL,
      checks: CURRENCY_KLINE_CHECKS.intervalRequired,
      judge: REFUSED.currencyKlinesIntervalRequired,
    }),
    '4.1/klines-interval-enum': must({
      title: 'An interval other than 1d is refused with 400 and code 400003',
      clauses: [`${KLINES} ?interval`, '7 400003', '8 klines limit'],
      shownBy: 'a request with a value outside of the list',
      rulings: [6, 9],
      needs,
      ...INTERVAL,
      drawn: ['currency-klines'],
      checks: CURRENCY_KLINE_CHECKS.intervalEnum,
      judge: REFUSED.currencyKlinesIntervalEnum,
    }),
    '4.1/klines-limit-default': must({
      title: 'Klines without limit are the same as with limit=100',
      clauses: [`${KLINES} ?limit`, '8 klines limit'],
      rulings: [22],
      needs,
      ...LIMIT_DEFAULT,
      checks: CURRENCY_KLINE_CHECKS.limitDefault,
      judge: CURRENCY_CANDLES.limit.judges.byDefault,
    }),
    '4.1/klines-limit-exact': must({
      title: 'A klines limit below what the window holds gives exactly that many rows',
      clauses: [`${KLINES} ?limit`],
      rulings: [4],
      needs,
      ...LIMIT_EXACT,
      drawn: ['currency-klines'],
      checks: CURRENCY_KLINE_CHECKS.limitExact,
      judge: CURRENCY_CANDLES.limit.judges.exact,
    }),
    '4.1/klines-limit-max': must({
      title: 'A klines limit above 500 is refused or brought into the range',
      clauses: [`${KLINES} ?limit`, '8 klines limit'],
      rulings: [4],
      needs,
      ...LIMIT_MAXIMUM,
      drawn: ['currency-klines'],
      checks: CURRENCY_KLINE_CHECKS.limitMax,
      judge: CURRENCY_CANDLES.limit.judges.over,
    }),
    '4.1/klines-limit-max-accepted': must({
      title: 'A klines limit of 500 is accepted',
      clauses: [`${KLINES} ?limit`],
      rulings: [4],
      needs,
      ...BOUND_ACCEPTED,
      checks: CURRENCY_KLINE_CHECKS.limitMaxAccepted,
      judge: [ACCEPTED.currencyKlinesLimitMaxAccepted, CURRENCY_CANDLES.limit.judges.accepted],
    }),
    '4.1/klines-limit-invalid': must({
      title:
        'A klines limit of zero, below zero or not a number gets a conforming answer or a 400-class error',
      clauses: [`${KLINES} ?limit`],
      rulings: [4],
      needs,
      ...NUMBER_INVALID,
      drawn: ['currency-klines'],
      checks: CURRENCY_KLINE_CHECKS.limitInvalid,
      judge: CURRENCY_CANDLES.limit.judges.invalid,
    }),
    '4.1/klines-limit-part': should({
      title: 'A smaller klines limit gives a contiguous part of a larger one',
      clauses: [`${KLINES} ?limit`],
      rulings: [19, 22],
      needs,
      ...LIMIT_PART,
      drawn: ['currency-klines'],
      checks: CURRENCY_KLINE_CHECKS.limitPart,
      judge: CURRENCY_CANDLES.limit.judges.part,
    }),
    '4.1/klines-window': must({
      title: 'No candle of a currency is older than 3 months',
      clauses: [KLINES, '8 klines limit'],
      rulings: [5],
      needs,
      ...WINDOW,
      drawn: ['currency-klines'],
      checks: CURRENCY_KLINE_CHECKS.window,
      judge: CURRENCY_CANDLES.judges.window,
    }),
    '4.1/klines-window-answer': must({
      title: 'A klines range beyond the window is refused in the documented shape, cut or empty',
      clauses: [KLINES, '8 beyond the window'],
      rulings: [5],
      needs,
      ...WINDOW_ANSWER,
      drawn: ['currency-klines'],
      checks: CURRENCY_KLINE_CHECKS.windowAnswer,
      judge: CURRENCY_CANDLES.judges.windowAnswer,
    }),
    '4.1/klines-range': must({
      title: 'start_time and end_time select the candles between them',
      clauses: [`${KLINES} ?start_time`, `${KLINES} ?end_time`],
      rulings: [22],
      needs,
      ...RANGE,
      drawn: ['currency-klines'],
      checks: CURRENCY_KLINE_CHECKS.range,
      judge: CURRENCY_CANDLES.judges.range,
    }),
    '4.1/klines-own': must({
      title: 'Each currency has candles of its own',
      clauses: [KLINES],
      rulings: [22],
      needs,
      why: 'Candles of another currency draw a chart that nobody can see to be wrong.',
      usually: [
        'The cache key leaves the currency out.',
        'Two ids of the target file stand for the same currency.',
      ],
      checks: CURRENCY_KLINE_CHECKS.own,
      judge: OWN_ROWS.currencyKlinesOwn,
    }),
    '4.1/klines-one-order': should({
      title: 'Candles come in one order, without duplicate timestamps',
      clauses: ['4.1 klines order'],
      rulings: [19],
      needs,
      ...SERIES_ORDER,
      checks: CURRENCY_KLINE_CHECKS.oneOrder,
      judge: ORDERING.currencyKlinesOneOrder,
    }),
    '4.1/klines-order': observe({
      title: 'Order of candles, and the end of the range that limit keeps',
      clauses: ['4.1 klines order'],
      rulings: [19],
      needs,
      checks: CURRENCY_KLINE_CHECKS.order,
      judge: ORDERING.klinesOrder,
    }),
  }),
  ...PAIR_REQUIREMENTS,
} as const satisfies Record<string, Definition>;
