import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { COUNTRIES, ETF_LISTINGS, ETF_SYMBOLS } from '../../src/spec/values.ts';
import { textOf } from '../../src/reference/json.ts';
import type { Context, Hooks } from '../../src/reference/hooks.ts';
import {
  all,
  asked,
  edit,
  endpointIs,
  forSymbol,
  inLowerCase,
  inMixedCase,
  not,
  notAsked,
  onDetails,
  onError,
  onQuery,
  onRecord,
  onRows,
  setting,
} from '../../src/reference/vocabulary.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { restatus } from '../7-errors/faults.ts';
import { bothHistories, withSunday } from '../families/trading-days-faults.ts';

const SUMMARY: EndpointPath = '/etfs/summary-history';
const summary = endpointIs(SUMMARY);
const listedSymbol = ({ query }: Context): boolean =>
  ETF_SYMBOLS.some((symbol) => symbol === query.get('symbol')?.toUpperCase());
const inHongKong = ({ query }: Context): boolean =>
  query.get('country_code')?.toUpperCase() === 'HK';
/** A listed country, or none. */
const listedCountry = ({ query }: Context): boolean =>
  ['', ...COUNTRIES].includes(query.get('country_code')?.toUpperCase() ?? '');

/** Forgets a listed pair. */
const delisted = (of: string, where: string): Hooks => ({
  world: (world) => ({
    etfSummary: (symbol, country, now) =>
      symbol === of && country === where ? undefined : world.etfSummary(symbol, country, now),
  }),
});

/** Faults in §4.3. */
export const ETF_SUMMARY_FAULTS: readonly Fault[] = faultsOf({
  ...bothHistories('4.3', 'summary', summary),
  'summary-hk-is-us': {
    title: 'Pairs listed in HK return the US rows',
    kills: ['4.3/own-rows'],
    hooks: {
      world: (world) => ({
        etfSummary: (symbol, country, now) =>
          world.etfSummary(symbol, country, now) && world.etfSummary(symbol, 'US', now),
      }),
    },
  },
  'summary-dot-us-refused': {
    title: 'The listed pair of DOT and US is refused as unlisted',
    kills: ['4.3/listed'],
    hooks: delisted('DOT', 'US'),
  },
  'summary-sol-hk-refused': {
    title: 'The listed pair of SOL and HK is refused as unlisted',
    kills: ['4.3/listed'],
    hooks: delisted('SOL', 'HK'),
  },
  'summary-btc-hk-lower-refused': {
    title: 'BTC in HK is refused in lower case; every other spelling works',
    kills: ['4.3/symbol-case'],
    hooks: setting('symbol', '?', all(summary, forSymbol('BTC', 'HK'), inLowerCase('symbol'))),
  },
  'summary-avax-hk-answered': {
    title: 'AVAX in HK returns the US rows; other unlisted pairs are refused',
    kills: ['4.3/unlisted'],
    hooks: setting('country_code', 'US', all(summary, forSymbol('AVAX', 'HK'))),
  },
  'summary-ada-answered': {
    title: 'ADA returns the rows of BTC; other unknown symbols are refused',
    kills: ['4.3/symbol-enum'],
    profile: 'full',
    hooks: setting('symbol', 'BTC', all(summary, forSymbol('ADA'))),
  },
  'summary-xbt-answered': {
    title: 'XBT returns the rows of BTC',
    kills: ['4.3/symbol-enum'],
    profile: 'full',
    hooks: setting('symbol', 'BTC', all(summary, forSymbol('XBT'))),
  },
  'summary-full-name-answered': {
    title: 'SOLANA returns the rows of SOL',
    kills: ['4.3/symbol-enum'],
    profile: 'full',
    hooks: setting('symbol', 'SOL', all(summary, forSymbol('SOLANA'))),
  },
  'summary-ca-answered': {
    title: 'The country CA returns the US rows; other unknown countries are refused',
    kills: ['4.3/country-enum'],
    profile: 'full',
    hooks: setting('country_code', 'US', all(summary, asked('country_code', 'CA'))),
  },
  'summary-symbol-missing-code': {
    title: 'A missing symbol is refused with 400003',
    kills: ['4.3/symbol-required'],
    hooks: onError('missingParameter', { code: 400003 }, all(summary, notAsked('symbol'))),
  },
  'summary-symbol-any': {
    title: 'Unknown symbols return the rows of BTC',
    kills: ['4.3/symbol-enum'],
    hooks: setting('symbol', 'BTC', all(summary, asked('symbol'), not(listedSymbol))),
  },
  'summary-symbol-code': {
    title: 'An unknown symbol is refused with 400001',
    kills: ['4.3/symbol-enum'],
    hooks: onError('invalidValue', { code: 400001 }, all(summary, not(listedSymbol))),
  },
  'summary-symbol-message': {
    title: 'The refusal of an unknown symbol says "Invalid symbol"',
    kills: ['4.3/symbol-message'],
    hooks: onError('invalidValue', { message: 'Invalid symbol' }, all(summary, not(listedSymbol))),
  },
  'summary-constraint-nine': {
    title: 'details.constraint lacks DOT',
    kills: ['4.3/symbol-constraint'],
    hooks: onDetails(
      'invalidValue',
      (details) => ({ ...details, constraint: ETF_SYMBOLS.slice(0, -1) }),
      all(summary, not(listedSymbol)),
    ),
  },
  'summary-constraint-of-country': {
    title: 'In HK, details.constraint lists the three symbols listed there',
    kills: ['4.3/symbol-constraint'],
    hooks: onDetails(
      'invalidValue',
      (details) => ({ ...details, constraint: ETF_LISTINGS.HK }),
      all(summary, not(listedSymbol), inHongKong),
    ),
  },
  'summary-symbol-mixed-case': {
    title: 'Symbols in mixed case are refused; lower case works',
    kills: ['4.3/symbol-case'],
    hooks: setting('symbol', '?', all(summary, inMixedCase('symbol'))),
  },
  'summary-country-not-found': {
    title: 'An unknown country_code is refused with 404 and code 400401',
    kills: ['4.3/country-enum'],
    hooks: [
      restatus('invalidValue', 404, all(summary, not(listedCountry))),
      onError('invalidValue', { code: 400401 }, all(summary, not(listedCountry))),
    ],
  },
  'summary-country-code': {
    title: 'An unknown country_code is refused with 400001',
    kills: ['4.3/country-enum-code'],
    hooks: onError('invalidValue', { code: 400001 }, all(summary, not(listedCountry))),
  },
  'summary-country-hk-mixed-case': {
    title: 'hK is refused but hk is accepted',
    kills: ['4.3/country-case'],
    hooks: onQuery(all(summary, inMixedCase('country_code')), (query) => {
      if (query.get('country_code') === 'hK') query.set('country_code', '?');
    }),
  },
  'summary-symbol-case-other-rows': {
    title: 'A symbol in mixed case returns the rows of ETH',
    kills: ['4.3/symbol-case'],
    hooks: setting('symbol', 'ETH', all(summary, inMixedCase('symbol'))),
  },
  'summary-country-case-other-rows': {
    title: 'A country_code in mixed case returns the HK rows',
    kills: ['4.3/country-case'],
    hooks: setting('country_code', 'HK', all(summary, inMixedCase('country_code'))),
  },
  'summary-case-less-rows': {
    title: 'One row in ten is missing for a symbol in mixed case',
    kills: ['4.3/symbol-case'],
    hooks: onRows(all(summary, inMixedCase('symbol')), (rows) =>
      rows.filter((_row, index) => index % 10 !== 9),
    ),
  },
  'summary-both-cases': {
    title: '`symbol` and `country_code`, neither in upper case, return the HK rows',
    kills: ['4.3/symbol-case', '4.3/country-case'],
    profile: 'full',
    hooks: setting(
      'country_code',
      'HK',
      all(summary, inMixedCase('symbol'), inLowerCase('country_code')),
    ),
  },
  'summary-symbol-prefix': {
    title: 'A prefix of a symbol is treated as the symbol',
    kills: ['4.3/symbol-enum'],
    profile: 'full',
    hooks: setting('symbol', 'BTC', all(summary, asked('symbol', 'BT'))),
  },
  'summary-country-usa': {
    title: 'USA is treated as US',
    kills: ['4.3/country-enum'],
    profile: 'full',
    hooks: setting('country_code', 'US', all(summary, asked('country_code', 'USA'))),
  },
  'summary-symbol-empty': {
    title: 'An empty symbol is treated as BTC',
    kills: ['4.3/symbol-required'],
    profile: 'full',
    hooks: setting('symbol', 'BTC', all(summary, asked('symbol', ''))),
  },
  'summary-sol-hk-sunday': {
    title: 'SOL in HK has a row for a Sunday',
    kills: ['4.3/weekends'],
    hooks: onRows(all(summary, forSymbol('SOL', 'HK')), withSunday),
  },
  'summary-link-oldest-first': {
    title: 'Rows of LINK are sorted oldest first',
    kills: ['4.3/order'],
    hooks: onRows(all(summary, forSymbol('LINK')), (rows) => rows.toReversed()),
  },
  'summary-eth-hk-day-twice': {
    title: 'The oldest day of ETH in HK has two rows',
    kills: ['4.3/date-unique'],
    hooks: onRows(all(summary, forSymbol('ETH', 'HK')), (rows) => [...rows, ...rows.slice(-1)]),
  },
  'summary-unlisted-code': {
    title: 'An unlisted pair is refused with 400003',
    kills: ['4.3/unlisted'],
    hooks: onError(
      'invalidFormat',
      (body) =>
        textOf(body['message']).startsWith('Unsupported') ? { ...body, code: 400003 } : body,
      summary,
    ),
  },
  'summary-unlisted-message': {
    title: 'The message for an unlisted pair omits the country',
    kills: ['4.3/unlisted-message'],
    hooks: onError(
      'invalidFormat',
      (body) => ({ ...body, message: textOf(body['message']).replace(/, country_code=.*/, '') }),
      summary,
    ),
  },
  'summary-limit-hole': {
    title: 'A limit of 3 returns every second row',
    kills: ['4.3/limit-part'],
    hooks: [
      onQuery(all(summary, asked('limit')), (query) => {
        const limit = Number(query.get('limit'));
        if (limit > 1 && limit < 8) query.set('limit', String(limit * 2 - 1));
      }),
      onRows(
        all(summary, ({ query }) => Number(query.get('limit') ?? 50) < 8),
        (rows) => rows.filter((_row, index) => index % 2 === 0),
      ),
    ],
  },
  'summary-xrp-text': {
    title: 'The inflow of XRP is not a decimal string',
    kills: ['2.8/summary-total-net-inflow'],
    hooks: onRecord(
      'etf-summary-row',
      edit('/total_net_inflow', (value) => `$${textOf(value)}`),
      forSymbol('XRP'),
    ),
  },
});
