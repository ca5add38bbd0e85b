import { must, observe, should, type RequirementFacts } from './types.ts';

const KLINES = '4.1 GET /currencies/{currency_id}/klines';
const PAIRS = '4.1 GET /currencies/{currency_id}/pairs';
const needs = ['currencyIds'] as const;

/** Requirements of §4.1. */
export const CURRENCY_REQUIREMENTS = {
  '4.1/info': must(
    'Currency info answers 200 with an object',
    ['4.1 GET /currencies/{currency_id}', '1 Currencies and pairs'],
    { needs },
  ),
  '4.1/market-snapshot': must(
    'The market snapshot of a currency answers 200 with an object',
    ['4.1 GET /currencies/{currency_id}/market-snapshot'],
    { needs },
  ),
  '4.1/own-record': must(
    'Each currency has a snapshot and pairs of its own',
    ['4.1 GET /currencies/{currency_id}/market-snapshot', PAIRS],
    { rulings: [22], needs },
  ),
  '4.1/token-economics': must(
    'Token economics answers 200 with an object',
    ['4.1 GET /currencies/{currency_id}/token-economics'],
    { needs },
  ),
  '4.1/klines': must('Klines of a currency answer 200 with an array', [KLINES], { needs }),
  '4.1/pairs': must(
    'Pairs of a currency answer 200 with a paging envelope',
    [PAIRS, '2.5 paging envelope'],
    { needs },
  ),
  '4.1/fundraising': must(
    'Fundraising of a currency answers 200 with an object',
    ['4.1 GET /currencies/{currency_id}/fundraising'],
    { needs },
  ),
  '4.1/klines-interval-required': must(
    'Klines without interval are refused with 400 and code 400002',
    [`${KLINES} ?interval`, '7 400002'],
    { rulings: [6, 9], needs },
  ),
  '4.1/klines-interval-enum': must(
    'An interval other than 1d is refused with 400 and code 400003',
    [`${KLINES} ?interval`, '7 400003', '8 klines limit'],
    { rulings: [6, 9], needs },
  ),
  '4.1/klines-limit-default': must(
    'Klines without limit are the same as with limit=100',
    [`${KLINES} ?limit`, '8 klines limit'],
    { rulings: [22], needs },
  ),
  '4.1/klines-limit-exact': must(
    'A klines limit below what the window holds gives exactly that many rows',
    [`${KLINES} ?limit`],
    { rulings: [4], needs },
  ),
  '4.1/klines-limit-max': must(
    'A klines limit above 500 is refused or brought into the range',
    [`${KLINES} ?limit`, '8 klines limit'],
    { rulings: [4], needs },
  ),
  '4.1/klines-limit-max-accepted': must('A klines limit of 500 is accepted', [`${KLINES} ?limit`], {
    rulings: [4],
    needs,
  }),
  '4.1/klines-limit-invalid': must(
    'A klines limit of zero, below zero or not a number gets a conforming answer or a 400-class error',
    [`${KLINES} ?limit`],
    { rulings: [4], needs },
  ),
  '4.1/klines-limit-part': should(
    'A smaller klines limit gives a contiguous part of a larger one',
    [`${KLINES} ?limit`],
    { rulings: [19, 22], needs },
  ),
  '4.1/klines-window': must(
    'No candle of a currency is older than 3 months',
    [KLINES, '8 klines limit'],
    { rulings: [5], needs },
  ),
  '4.1/klines-window-answer': must(
    'A klines range beyond the window is refused in the documented shape, cut or empty',
    [KLINES, '8 beyond the window'],
    { rulings: [5], needs },
  ),
  '4.1/klines-range': must(
    'start_time and end_time select the candles between them',
    [`${KLINES} ?start_time`, `${KLINES} ?end_time`],
    { rulings: [22], needs },
  ),
  '4.1/klines-own': must('Each currency has candles of its own', [KLINES], {
    rulings: [22],
    needs,
  }),
  '4.1/klines-one-order': should(
    'Candles come in one order, without duplicate timestamps',
    ['4.1 klines order'],
    { rulings: [19], needs },
  ),
  '4.1/klines-order': observe(
    'Order of candles, and the end of the range that limit keeps',
    ['4.1 klines order'],
    { rulings: [19], needs },
  ),
  '4.1/pairs-page-size-default': must(
    'Pairs without page_size come in pages of 20',
    [`${PAIRS} ?page_size`, '8 pairs page_size'],
    { rulings: [4], needs },
  ),
  '4.1/pairs-page-size-max': must(
    'A pairs page_size above 100 is refused or brought into the range',
    [`${PAIRS} ?page_size`, '8 pairs page_size'],
    { rulings: [4], needs },
  ),
  '4.1/pairs-page-size-max-accepted': must(
    'A pairs page_size of 100 is accepted',
    [`${PAIRS} ?page_size`],
    { rulings: [4], needs },
  ),
  '4.1/pairs-page-full': must(
    'A page of pairs that is not the last is full',
    [`${PAIRS} ?page_size`],
    { rulings: [4], needs },
  ),
  '4.1/pairs-page-invalid': must(
    'A page or page_size of zero, below zero or not a number gets a conforming answer or a 400-class error',
    [`${PAIRS} ?page`, `${PAIRS} ?page_size`],
    { rulings: [4], needs },
  ),
  '4.1/pairs-page-echo': must(
    'The envelope of pairs repeats the page and page_size in use',
    [`${PAIRS} ?page`, '2.5 paging envelope'],
    { rulings: [22], needs },
  ),
  '4.1/pairs-pages-join': must(
    'Pages 1 and 2 of pairs make up one page of double size',
    [`${PAIRS} ?page`],
    { rulings: [22], needs },
  ),
  '4.1/pairs-total': must(
    'total is the same on every page of pairs and counts the items',
    ['2.5 paging envelope'],
    { rulings: [22], needs },
  ),
  '4.1/pairs-order-default': must(
    'Pairs come by 24h volume, largest first, unless asked otherwise',
    [`${PAIRS} ?order_by`],
    { needs },
  ),
  '4.1/pairs-order-by': observe(
    'Which order_by fields are accepted',
    ['4.1 order_by field names'],
    { needs },
  ),
  '4.1/pairs-exchange-filter': must(
    'exchange=X gives only pairs of that exchange',
    [`${PAIRS} ?exchange`],
    { needs: ['currencyIds', 'exchanges'] },
  ),
  '4.1/pairs-exchange-complete': should(
    'exchange=X leaves out no pair of that exchange',
    [`${PAIRS} ?exchange`],
    { rulings: [22], needs: ['currencyIds', 'exchanges'] },
  ),
  '4.1/pairs-beyond-last': observe('Answer to a page beyond the last one', [`${PAIRS} ?page`], {
    needs,
  }),
} as const satisfies Record<string, RequirementFacts>;
