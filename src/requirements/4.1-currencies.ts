import { ownRecord } from '../../suites/4.1-currencies/own-record.ts';
import { ownRows } from '../../suites/families/own-rows.ts';
import { check, each, type Check } from '../ask/index.ts';
import { CURRENCY_KLINE_CHECKS } from '../ask/requests/klines.ts';
import { of100 } from '../ask/requests/pairs.ts';
import { atPlace, besidePairs } from '../../suites/families/resource-requests.ts';
import type { EndpointPath } from '../contract/endpoints.ts';
import { REFUSED } from '../rules/expectation.ts';
import { ORDERING } from '../rules/ordering.ts';
import { CURRENCY_CANDLES } from '../rules/series.ts';
import { ANSWERED } from '../rules/shapes.ts';
import { PLAIN_REQUEST, SERIES_ORDER } from './advice.ts';
import { PAIR_REQUIREMENTS } from './4.1-pairs.ts';
import { about, must, should, observe, type Definition } from './definition.ts';
import { intervalOf } from './families/klines.ts';
import { limitOf, limitPartOf, rangeOf, windowOf } from './families/series.ts';

const needs = ['currencyIds'] as const;
const PAIRS = '4.1 GET /currencies/{currency_id}/pairs';
const KLINES = '4.1 GET /currencies/{currency_id}/klines';

const INTERVAL = intervalOf(CURRENCY_CANDLES, { list: 'Klines', interval: 'An interval' });
const LIMIT = limitOf(CURRENCY_CANDLES, {
  without: 'Klines without limit are',
  limit: 'A klines limit',
  bounds: '8 klines limit',
});
const WINDOW = windowOf(CURRENCY_CANDLES, {
  none: 'No candle of a currency is',
  range: 'A klines range',
  beyond: 'the window',
  stated: [KLINES],
  bounds: '8 klines limit',
});

/** The plain request, and that for currencies further down the list: their answers go through all rules of the run. */
const plainAndOthers = (path: EndpointPath, places: readonly number[]): readonly Check[] => [
  check(({ api }) => api.get(path)),
  ...each(places, 'for the currency at place %s of the list', atPlace(path)),
];

/** Requirements of §4.1. */
export const CURRENCY_REQUIREMENTS = {
  '4.1/info': must({
    title: 'Currency info answers 200 with an object',
    defect: 'schema',
    clauses: ['4.1 GET /currencies/{currency_id}', '1 Currencies and pairs'],
    endpoints: ['/currencies/{currency_id}'],
    needs,
    ...PLAIN_REQUEST,
    checks: plainAndOthers('/currencies/{currency_id}', [1, 2]),
    judge: ANSWERED['/currencies/{currency_id}'],
  }),
  '4.1/market-snapshot': must({
    title: 'The market snapshot of a currency answers 200 with an object',
    defect: 'schema',
    clauses: ['4.1 GET /currencies/{currency_id}/market-snapshot'],
    endpoints: ['/currencies/{currency_id}/market-snapshot'],
    needs,
    ...PLAIN_REQUEST,
    checks: plainAndOthers('/currencies/{currency_id}/market-snapshot', [1]),
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
    checks: [check(besidePairs('/currencies/{currency_id}'))],
    judge: ownRecord,
  }),
  '4.1/token-economics': must({
    title: 'Token economics answers 200 with an object',
    defect: 'schema',
    clauses: ['4.1 GET /currencies/{currency_id}/token-economics'],
    endpoints: ['/currencies/{currency_id}/token-economics'],
    needs,
    ...PLAIN_REQUEST,
    checks: plainAndOthers('/currencies/{currency_id}/token-economics', [1, 2]),
    judge: ANSWERED['/currencies/{currency_id}/token-economics'],
  }),
  '4.1/klines': must({
    title: 'Klines of a currency answer 200 with an array',
    defect: 'schema',
    clauses: [KLINES],
    endpoints: ['/currencies/{currency_id}/klines'],
    needs,
    ...PLAIN_REQUEST,
    checks: CURRENCY_KLINE_CHECKS.answers,
    judge: ANSWERED['/currencies/{currency_id}/klines'],
  }),
  '4.1/pairs': must({
    title: 'Pairs of a currency answer 200 with a paging envelope',
    defect: 'schema',
    clauses: [PAIRS, '2.5 paging envelope'],
    endpoints: ['/currencies/{currency_id}/pairs'],
    needs,
    ...PLAIN_REQUEST,
    checks: [check(of100)],
    judge: ANSWERED['/currencies/{currency_id}/pairs'],
  }),
  '4.1/fundraising': must({
    title: 'Fundraising of a currency answers 200 with an object',
    defect: 'schema',
    clauses: ['4.1 GET /currencies/{currency_id}/fundraising'],
    endpoints: ['/currencies/{currency_id}/fundraising'],
    needs,
    ...PLAIN_REQUEST,
    checks: plainAndOthers('/currencies/{currency_id}/fundraising', [1]),
    judge: ANSWERED['/currencies/{currency_id}/fundraising'],
  }),
  ...about(['/currencies/{currency_id}/klines'], {
    '4.1/klines-interval-required': must({
      ...INTERVAL.required,
      checks: CURRENCY_KLINE_CHECKS.intervalRequired,
      judge: REFUSED.currencyKlinesIntervalRequired,
    }),
    '4.1/klines-interval-enum': must({
      ...INTERVAL.listed,
      clauses: [...INTERVAL.listed.clauses, '8 klines limit'],
      checks: CURRENCY_KLINE_CHECKS.intervalEnum,
      judge: REFUSED.currencyKlinesIntervalEnum,
    }),
    '4.1/klines-limit-default': must({
      ...LIMIT.byDefault,
      checks: CURRENCY_KLINE_CHECKS.limitDefault,
    }),
    '4.1/klines-limit-exact': must({ ...LIMIT.exact, checks: CURRENCY_KLINE_CHECKS.limitExact }),
    '4.1/klines-limit-max': must({ ...LIMIT.maximum, checks: CURRENCY_KLINE_CHECKS.limitMax }),
    '4.1/klines-limit-max-accepted': must({
      ...LIMIT.accepted,
      checks: CURRENCY_KLINE_CHECKS.limitMaxAccepted,
    }),
    '4.1/klines-limit-invalid': must({
      ...LIMIT.invalid,
      checks: CURRENCY_KLINE_CHECKS.limitInvalid,
    }),
    '4.1/klines-limit-part': should({
      ...limitPartOf(CURRENCY_CANDLES, 'klines limit'),
      checks: CURRENCY_KLINE_CHECKS.limitPart,
    }),
    '4.1/klines-window': must({ ...WINDOW.older, checks: CURRENCY_KLINE_CHECKS.window }),
    '4.1/klines-window-answer': must({
      ...WINDOW.answer,
      checks: CURRENCY_KLINE_CHECKS.windowAnswer,
    }),
    '4.1/klines-range': must({
      ...rangeOf(CURRENCY_CANDLES, 'candles'),
      checks: CURRENCY_KLINE_CHECKS.range,
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
      judge: ownRows({ series: CURRENCY_CANDLES }),
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
