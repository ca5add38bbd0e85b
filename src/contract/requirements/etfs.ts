import { must, observe, should, type RequirementFacts } from './types.ts';

const HISTORY = '4.4 GET /etfs/{ticker}/history';
const needs = ['etfTickers'] as const;

/** Requirements of §4.3 and §4.4. */
export const ETF_REQUIREMENTS = {
  '4.3/summary-history': must('ETF summary history answers 200 with an array', [
    '4.3 GET /etfs/summary-history',
    '4.3 response',
    '1 ETFs',
  ]),
  '4.3/listed': must('Each of the 13 listed pairs of symbol and country is answered', [
    '4.3 listing matrix',
    '4.3 symbol',
    '4.3 country_code',
  ]),
  '4.3/symbol-required': must(
    'A missing symbol is refused with 400 and code 400002',
    ['4.3 symbol', '7 400002'],
    { rulings: [6, 9] },
  ),
  '4.3/country-required': must(
    'A missing country_code is refused with 400 and code 400002',
    ['4.3 country_code', '7 400002'],
    { rulings: [6, 9] },
  ),
  '4.3/symbol-enum': must(
    'A symbol outside the list is refused with 400 and code 400003',
    ['4.3 rule 1', '4.3 symbol', '7 400003'],
    { rulings: [6, 9] },
  ),
  '4.3/symbol-message': must(
    'The refusal of an unknown symbol says Invalid parameter: symbol',
    ['4.3 rule 1'],
    { rulings: [10] },
  ),
  '4.3/symbol-constraint': must(
    'The refusal of an unknown symbol lists all allowed symbols in details.constraint',
    ['4.3 rule 1'],
  ),
  '4.3/symbol-case': must('The letter case of symbol does not matter', ['4.3 symbol'], {
    rulings: [22],
  }),
  '4.3/country-enum': must(
    'A country_code other than US and HK is refused with a 400-class error',
    ['4.3 country_code'],
    { rulings: [9] },
  ),
  '4.3/country-enum-code': should(
    'The refusal of an unknown country_code has code 400003',
    ['4.3 country_code', '7 400003'],
    { rulings: [6, 9] },
  ),
  '4.3/country-case': must(
    'The letter case of country_code does not matter',
    ['4.3 country_code'],
    { rulings: [22] },
  ),
  '4.3/unlisted': must(
    'A symbol that is not listed in the country is refused with 400 and code 400001',
    ['4.3 rule 2', '4.3 listing matrix', '7 400001'],
    { rulings: [6] },
  ),
  '4.3/unlisted-message': must(
    'The refusal of an unlisted pair names symbol and country in the stated form',
    ['4.3 rule 2'],
    { rulings: [10] },
  ),
  '4.3/order': must('ETF summary rows come latest date first', ['4.3 response']),
  '4.3/weekends': must('ETF summary has no row for a Saturday or Sunday', ['4.3 response'], {
    rulings: [18],
  }),
  '4.3/holidays': must(
    'ETF summary has no row for an exchange holiday of the country',
    ['4.3 response'],
    { rulings: [18] },
  ),
  '4.3/date-unique': should('ETF summary has one row a trading day', ['2.8 date'], {
    rulings: [22],
  }),
  '4.3/recent': should(
    'The newest ETF summary row is at most a few trading days old',
    ['4.3 response'],
    { rulings: [17] },
  ),
  '4.3/own-rows': must(
    'Each pair of symbol and country has rows of its own',
    ['4.3 symbol', '4.3 country_code'],
    { rulings: [22] },
  ),
  '4.3/cumulative': should(
    'Cumulative inflow grows by the inflow of each day',
    ['2.8 cum_net_inflow', '2.8 total_net_inflow'],
    { rulings: [22] },
  ),
  '4.3/window': must(
    'No ETF summary row is older than 1 month',
    ['4.3 start_date', '8 ETF summary limit'],
    { rulings: [5] },
  ),
  '4.3/window-answer': must(
    'An ETF summary range beyond 1 month is refused in the documented shape, cut or empty',
    ['4.3 start_date', '4.3 end_date', '8 beyond the window'],
    { rulings: [5] },
  ),
  '4.3/range': must(
    'start_date and end_date select the rows between them',
    ['4.3 start_date', '4.3 end_date'],
    { rulings: [22] },
  ),
  '4.3/limit-default': must(
    'ETF summary without limit is the same as with limit=50',
    ['4.3 limit', '8 ETF summary limit'],
    { rulings: [22] },
  ),
  '4.3/limit-exact': must(
    'An ETF summary limit below what the window holds gives exactly that many rows',
    ['4.3 limit'],
    { rulings: [4] },
  ),
  '4.3/limit-max': must(
    'An ETF summary limit above 300 is refused or brought into the range',
    ['4.3 limit', '8 ETF summary limit'],
    { rulings: [4] },
  ),
  '4.3/limit-max-accepted': must('An ETF summary limit of 300 is accepted', ['4.3 limit'], {
    rulings: [4],
  }),
  '4.3/limit-invalid': must(
    'An ETF summary limit of zero, below zero or not a number gets a conforming answer or a 400-class error',
    ['4.3 limit'],
    { rulings: [4] },
  ),
  '4.3/limit-part': should(
    'A smaller ETF summary limit gives a contiguous part of a larger one',
    ['4.3 limit'],
    { rulings: [19, 22] },
  ),
  '4.4/history': must('ETF history answers 200 with an array', [HISTORY, '4.4 response'], {
    needs,
  }),
  '4.4/order': must('ETF history rows come newest first', ['4.4 response'], { needs }),
  '4.4/t1-group': must(
    'The five settlement figures of a row are all null or all filled',
    ['4.4 rule 1'],
    { rulings: [17], needs },
  ),
  '4.4/t1-newest-only': must(
    'Rows before the newest one are settled once the next trading day is over',
    ['4.4 rule 1', '4.4 rule 2'],
    { rulings: [17], needs },
  ),
  '4.4/t1-not-zero': must(
    'Settlement figures that are not known yet are null, not 0',
    ['4.4 rule 1'],
    { rulings: [22], needs },
  ),
  '4.4/t1-filled': must('An unsettled row has value_traded and volume', ['4.4 rule 1'], {
    rulings: [17],
    needs,
  }),
  '4.4/t1-current-day': should(
    'The unsettled row belongs to the current trading day',
    ['4.4 rule 1'],
    { rulings: [17], needs },
  ),
  '4.4/t1-completes': must('A row that was unsettled is complete on the next day', ['4.4 rule 1'], {
    rulings: [17],
    needs: ['etfTickers', 'clock'],
  }),
  '4.4/snapshot-settled': should(
    'The market snapshot of an ETF gives settled figures, not null',
    ['4.4 rule 2', '4.7 GET /etfs/{ticker}/market-snapshot'],
    { rulings: [16], needs },
  ),
  '4.4/volume-equals-turnover': must(
    'A volume that is a string equals value_traded',
    ['4.4 rule 3'],
    { basis: 'contradictory', rulings: [1], needs },
  ),
  '4.4/volume-of-shares': should(
    'A volume that is a number is not the turnover',
    ['4.4 rule 3', '2.8 table 2 volume'],
    { rulings: [1], needs },
  ),
  '4.4/volume-reading': observe(
    'Whether volume of ETF history is a number or a string',
    ['4.4 rule 3'],
    { basis: 'contradictory', rulings: [1], needs },
  ),
  '4.4/weekends': must('ETF history has no row for a Saturday or Sunday', ['4.4 response'], {
    rulings: [18],
    needs,
  }),
  '4.4/holidays': should(
    'ETF history has no row for an exchange holiday of its country',
    ['4.4 response'],
    { rulings: [18], needs },
  ),
  '4.4/date-unique': should('ETF history has one row a trading day', ['2.8 table 2 date'], {
    rulings: [22],
    needs,
  }),
  '4.4/recent': should(
    'The newest ETF history row is at most a few trading days old',
    ['4.4 rule 1'],
    { rulings: [17], needs },
  ),
  '4.4/own-rows': must('Each ETF has rows of its own', ['4.4 ticker'], {
    rulings: [22],
    needs,
  }),
  '4.4/cumulative': should(
    'Cumulative inflow of an ETF grows by the inflow of each day',
    ['2.8 table 2 cum_inflow', '2.8 table 2 net_inflow'],
    { rulings: [22], needs },
  ),
  '4.4/window': must(
    'No ETF history row is older than 1 month',
    ['4.4 start_date', '4.4 response', '8 ETF history limit'],
    { rulings: [5], needs },
  ),
  '4.4/window-answer': must(
    'An ETF history range beyond 1 month is refused in the documented shape, cut or empty',
    ['4.4 start_date', '4.4 end_date', '8 beyond the window'],
    { rulings: [5], needs },
  ),
  '4.4/range': must(
    'start_date and end_date select the ETF rows between them',
    ['4.4 start_date', '4.4 end_date'],
    { rulings: [22], needs },
  ),
  '4.4/limit-default': must(
    'ETF history without limit is the same as with limit=50',
    ['4.4 limit', '8 ETF history limit'],
    { rulings: [22], needs },
  ),
  '4.4/limit-exact': should(
    'An ETF history limit below what the window holds gives exactly that many rows',
    ['4.4 limit'],
    { rulings: [4], needs },
  ),
  '4.4/limit-max': must(
    'An ETF history limit above 300 is refused or brought into the range',
    ['4.4 limit', '8 ETF history limit'],
    { rulings: [4], needs },
  ),
  '4.4/limit-max-accepted': must('An ETF history limit of 300 is accepted', ['4.4 limit'], {
    rulings: [4],
    needs,
  }),
  '4.4/limit-invalid': must(
    'An ETF history limit of zero, below zero or not a number gets a conforming answer or a 400-class error',
    ['4.4 limit'],
    { rulings: [4], needs },
  ),
} as const satisfies Record<string, RequirementFacts>;
