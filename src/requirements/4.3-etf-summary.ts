import { check, each, part, type Check, type CheckContext } from '../ask/index.ts';
import {
  allListings,
  base,
  besideUpperCase,
  drawnByRestrictedKey,
  drawnInHongKong,
  inHongKong,
  listed,
  listedByRestrictedKey,
  PAIRS,
  PAIRS_OF_RESTRICTED,
  spanningHoliday,
  spelled,
  UNLISTED,
  without,
  withOther,
  withOtherByRestrictedKey,
} from '../ask/requests/etf-summary.ts';
import { ACCEPTED } from '../rules/acceptance.ts';
import { ETF_CASE } from '../rules/etf-case.ts';
import { ETF_RECENT } from '../rules/etf-recent.ts';
import { SUMMARY_ROWS } from '../rules/etf-series.ts';
import { REFUSED } from '../rules/expectation.ts';
import { OWN_ROWS } from '../rules/own-rows.ts';
import { REFUSALS } from '../rules/refusals.ts';
import { ANSWERED } from '../rules/shapes.ts';
import { VALIDATION } from '../rules/validation.ts';
import {
  CUMULATIVE,
  DETAILS,
  LATEST_FIRST,
  LETTER_CASE,
  MESSAGE,
  ONE_ROW_A_DAY,
  PLAIN_REQUEST,
  REQUIRED,
  TRADING_DAYS,
} from './advice.ts';
import { ETF_SUMMARY_PART_REQUIREMENTS } from './4.3-etf-summary-parts.ts';
import { about, must, should } from './definition.ts';

const MISSING = { refused: 'missingParameter' } as const;
const NO_VALUE = { refused: 'invalidValue' } as const;
const INVALID = { refused: 'invalid' } as const;

const otherSymbol = (symbol: string, context: CheckContext) => withOther('symbol', symbol, context);
const otherCountry = (country: string, context: CheckContext) =>
  withOther('country_code', country, context);

/** Values that a list of those that are allowed may hold by mistake, for the restricted key. */
const OTHER_SYMBOLS = ['BNB', 'ADA', 'TRX', 'SUI', 'BTCUSD'];
const OTHER_COUNTRIES = ['CN', 'CA', 'EU', 'HKG'];

/** Checks of pairs that are not listed: one in standard, the others with the restricted key, and all in full. */
const unlisted = (
  label: (which: string) => string,
  options: Pick<Check, 'refused'> = {},
): readonly Check[] => [
  ...['a pair', 'another pair'].map((which, nth) =>
    part(label(`${which} that is not listed`), (context) => drawnInHongKong(nth, context), options),
  ),
  ...[0, 2, 3, 4, 5, 6].map((nth) =>
    part(
      `${label(`pair ${nth + 1} that is not listed`)}, with the restricted key`,
      (context) => drawnByRestrictedKey(nth, context),
      options,
    ),
  ),
  ...each(UNLISTED, label('%s in HK'), inHongKong, options),
];

/** Requirements of §4.3. */
export const ETF_SUMMARY_REQUIREMENTS = about(['/etfs/summary-history'], {
  '4.3/summary-history': must({
    title: 'ETF summary history answers 200 with an array',
    defect: 'schema',
    clauses: ['4.3 GET /etfs/summary-history', '4.3 response', '1 ETFs'],
    ...PLAIN_REQUEST,
    checks: [check(base)],
    judge: ANSWERED['/etfs/summary-history'],
  }),
  '4.3/listed': must({
    title: 'Each of the 13 listed pairs of symbol and country is answered',
    defect: 'validation',
    clauses: ['4.3 listing matrix', '4.3 symbol', '4.3 country_code'],
    ...PLAIN_REQUEST,
    drawn: ['etf-summary'],
    checks: [
      ...each(PAIRS, '%s', listed),
      ...each(PAIRS_OF_RESTRICTED, '%s, with the restricted key', listedByRestrictedKey),
    ],
    judge: [ACCEPTED.listed, ETF_CASE.listed],
  }),
  '4.3/symbol-required': must({
    title: 'A missing symbol is refused with 400 and code 400002',
    clauses: ['4.3 symbol', '7 400002'],
    rulings: [6, 9],
    ...REQUIRED,
    checks: [
      check(without('symbol'), MISSING),
      part('refuses an empty symbol', without('symbol', ''), MISSING),
    ],
    judge: REFUSED.symbolRequired,
  }),
  '4.3/country-required': must({
    title: 'A missing country_code is refused with 400 and code 400002',
    clauses: ['4.3 country_code', '7 400002'],
    rulings: [6, 9],
    ...REQUIRED,
    checks: [
      check(without('country_code'), MISSING),
      part('refuses an empty country_code', without('country_code', ''), MISSING),
    ],
    judge: REFUSED.countryRequired,
  }),
  '4.3/symbol-enum': must({
    title: 'A symbol outside the list is refused with 400 and code 400003',
    defect: 'validation',
    clauses: ['4.3 rule 1', '4.3 symbol', '7 400003'],
    shownBy: 'a request with a value outside of the list',
    rulings: [6, 9],
    why: 'A symbol that is not offered must be refused with a code of its own, so that a typo is not taken for a market without flows.',
    usually: [
      'An unknown symbol gives an empty list with 200.',
      'It gets 400001, the code of a pair that is not listed in the country, because both are looked up in one table.',
      'The list in details.constraint differs from the one that is enforced.',
    ],
    drawn: ['etf-summary'],
    // A symbol of another asset, and the beginning of one that is listed.
    checks: [
      ...each(['USDT', 'BT'], 'refuses symbol=%j', otherSymbol, NO_VALUE),
      ...each(
        OTHER_SYMBOLS,
        'refuses symbol=%j, with the restricted key',
        (symbol, context) => withOtherByRestrictedKey('symbol', symbol, context),
        NO_VALUE,
      ),
    ],
    judge: REFUSED.symbolEnum,
  }),
  '4.3/symbol-message': must({
    title: 'The refusal of an unknown symbol says Invalid parameter: symbol',
    defect: 'validation',
    clauses: ['4.3 rule 1'],
    shownBy: 'a request with a value outside of the list',
    rulings: [10],
    ...MESSAGE,
    checks: [check((context) => otherSymbol('USDT', context))],
    judge: VALIDATION.symbolMessage,
  }),
  '4.3/symbol-constraint': must({
    title: 'The refusal of an unknown symbol lists all allowed symbols in details.constraint',
    defect: 'validation',
    clauses: ['4.3 rule 1'],
    shownBy: 'a request with a value outside of the list',
    ...DETAILS,
    checks: [check((context) => otherSymbol('USDT', context))],
    judge: VALIDATION.symbolConstraint,
  }),
  '4.3/symbol-case': must({
    title: 'The letter case of symbol does not matter',
    clauses: ['4.3 symbol'],
    rulings: [22],
    ...LETTER_CASE,
    drawn: ['etf-summary'],
    checks: [
      ...each(['ETH in US', 'SOL in US', 'SOL in HK'], 'accepts %j', spelled),
      // The same rows cost a request of their own; that case is accepted shows in the pairs above.
      ...each(
        [{ symbol: 'Btc', country_code: 'us' }],
        'gives the rows of upper case for %j',
        besideUpperCase,
      ),
    ],
    judge: [ACCEPTED.symbolCase, ETF_CASE.symbolCase],
  }),
  '4.3/country-enum': must({
    title: 'A country_code other than US and HK is refused with a 400-class error',
    defect: 'validation',
    clauses: ['4.3 country_code'],
    shownBy: 'a request with a value outside of the list',
    rulings: [9],
    why: 'Only US and HK exist; another country must not look like one without flows.',
    usually: ['An unknown country gives an empty list with 200.', 'The value falls back to US.'],
    drawn: ['etf-summary'],
    // Another country, and a longer code of one that is listed.
    checks: [
      ...each(['GB', 'USA'], 'refuses country_code=%j', otherCountry, INVALID),
      ...each(
        OTHER_COUNTRIES,
        'refuses country_code=%j, with the restricted key',
        (country, context) => withOtherByRestrictedKey('country_code', country, context),
        INVALID,
      ),
    ],
    judge: REFUSED.countryEnum,
  }),
  '4.3/country-enum-code': should({
    title: 'The refusal of an unknown country_code has code 400003',
    defect: 'validation',
    clauses: ['4.3 country_code', '7 400003'],
    shownBy: 'a request with a value outside of the list',
    rulings: [6, 9],
    why: 'The clause names no code for a country; 400003 is what a value outside an enum has elsewhere.',
    usually: ['The pair of symbol and country is looked up as one, so that 400001 comes out.'],
    checks: [check((context) => otherCountry('GB', context))],
    judge: REFUSALS.countryEnumCode,
  }),
  '4.3/country-case': must({
    title: 'The letter case of country_code does not matter',
    clauses: ['4.3 country_code'],
    rulings: [22],
    ...LETTER_CASE,
    drawn: ['etf-summary'],
    checks: [
      ...each(['ETH in US', 'ETH in HK', 'SOL in US'], 'accepts %j', spelled),
      ...each(
        [{ symbol: 'BTC', country_code: 'uS' }],
        'gives the rows of upper case for %j',
        besideUpperCase,
      ),
    ],
    judge: [ACCEPTED.countryCase, ETF_CASE.countryCase],
  }),
  '4.3/unlisted': must({
    title: 'A symbol that is not listed in the country is refused with 400 and code 400001',
    defect: 'validation',
    clauses: ['4.3 rule 2', '4.3 listing matrix', '7 400001'],
    shownBy: 'a request for a symbol that is not listed in the country',
    rulings: [6],
    why: 'LTC exists and HK exists, but there is no LTC fund in HK: this is told apart from a symbol that does not exist.',
    usually: [
      'The answer is an empty list with 200.',
      'The code is 400003, as if the symbol were unknown.',
    ],
    drawn: ['etf-summary'],
    checks: unlisted((which) => `refuses ${which}`, { refused: 'invalidFormat' }),
    judge: REFUSED.unlisted,
  }),
  '4.3/unlisted-message': must({
    title: 'The refusal of an unlisted pair names symbol and country in the stated form',
    defect: 'validation',
    clauses: ['4.3 rule 2'],
    shownBy: 'a request for a symbol that is not listed in the country',
    rulings: [10],
    ...MESSAGE,
    checks: unlisted((which) => `says why ${which} is refused`),
    judge: VALIDATION.unlistedMessage,
  }),
  '4.3/order': must({
    title: 'ETF summary rows come latest date first',
    clauses: ['4.3 response'],
    ...LATEST_FIRST,
    checks: [check(base)],
    judge: SUMMARY_ROWS.judges.order,
  }),
  '4.3/weekends': must({
    title: 'ETF summary has no row for a Saturday or Sunday',
    clauses: ['4.3 response'],
    rulings: [18],
    ...TRADING_DAYS,
    checks: [check(base)],
    judge: SUMMARY_ROWS.judges.weekends,
  }),
  '4.3/holidays': must({
    title: 'ETF summary has no row for an exchange holiday of the country',
    clauses: ['4.3 response'],
    rulings: [18],
    ...TRADING_DAYS,
    checks: [check(spanningHoliday)],
    judge: SUMMARY_ROWS.judges.holidays,
  }),
  '4.3/date-unique': should({
    title: 'ETF summary has one row a trading day',
    clauses: ['2.8 date'],
    rulings: [22],
    ...ONE_ROW_A_DAY,
    checks: [check(base)],
    judge: SUMMARY_ROWS.judges.unique,
  }),
  '4.3/recent': should({
    title: 'The newest ETF summary row is at most a few trading days old',
    clauses: ['4.3 response'],
    rulings: [17],
    why: 'Flows of last month look like those of today when nobody reads the dates.',
    usually: [
      'The feed stopped, and the service goes on answering with what it has.',
      'A time zone or a date format keeps the newest rows out of the query.',
    ],
    checks: [check(base)],
    judge: ETF_RECENT.summaryRecent,
  }),
  '4.3/own-rows': must({
    title: 'Each pair of symbol and country has rows of its own',
    clauses: ['4.3 symbol', '4.3 country_code'],
    rulings: [22],
    why: 'Flows of one asset under the name of another are believed by whoever asks for them.',
    usually: [
      'The symbol or the country is validated and then not used in the query.',
      'The cache key leaves one of the two out.',
    ],
    checks: [check(allListings)],
    judge: OWN_ROWS.summaryOwnRows,
  }),
  '4.3/cumulative': should({
    title: 'Cumulative inflow grows by the inflow of each day',
    clauses: ['2.8 cum_net_inflow', '2.8 total_net_inflow'],
    rulings: [22],
    ...CUMULATIVE,
    checks: [check(base)],
    judge: SUMMARY_ROWS.judges.cumulative,
  }),
  ...ETF_SUMMARY_PART_REQUIREMENTS,
});
