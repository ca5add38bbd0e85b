import type { EndpointPath } from '../../contract/endpoints.ts';
import { ETF_SYMBOLS, T1_FIELDS } from '../../contract/values.ts';
import { isObject, textOf } from '../json.ts';
import type { Context } from '../hooks.ts';
import {
  all,
  asked,
  edit,
  endpointIs,
  firstRow,
  forSymbol,
  inLowerCase,
  inMixedCase,
  not,
  notAsked,
  onBody,
  onDetails,
  onError,
  onQuery,
  onRecord,
  onRows,
  oneRowIn,
  put,
} from '../vocabulary.ts';
import type { Json } from '../world.ts';
import { faultsOf } from './fault.ts';
import type { Fault } from './fault.ts';
import { bothHistories, unsettled } from './etf-histories.ts';

const SUMMARY: EndpointPath = '/etfs/summary-history';
const HISTORY: EndpointPath = '/etfs/{ticker}/history';
const summary = endpointIs(SUMMARY);
const history = endpointIs(HISTORY);
const listedSymbol = ({ query }: Context): boolean =>
  ETF_SYMBOLS.some((symbol) => symbol === query.get('symbol')?.toUpperCase());

const settleFrom = (row: Json, settled: Json | undefined, fields: readonly string[]): Json => {
  if (!isObject(row) || settled === undefined || !isObject(settled)) return row;
  const filled = fields.map((field) => [field, settled[field] ?? null] as const);
  return { ...row, ...Object.fromEntries(filled) };
};

/** Defects of §4.3 and §4.4. */
export const ETF_FAULTS: readonly Fault[] = [
  ...faultsOf('4.3', {
    ...bothHistories('4.3', 'summary', summary),
    'summary-dot-us-refused': {
      title: 'The listed pair DOT and US is refused as not listed',
      kills: ['4.3/listed'],
      subtle: true,
      hooks: {
        world: (world) => ({
          etfSummary: (symbol, country, now) =>
            symbol === 'DOT' && country === 'US'
              ? undefined
              : world.etfSummary(symbol, country, now),
        }),
      },
    },
    'summary-symbol-optional': {
      title: 'A missing symbol stands for BTC',
      kills: ['4.3/symbol-required'],
      hooks: onQuery(all(summary, notAsked('symbol')), (query) => query.set('symbol', 'BTC')),
    },
    'summary-symbol-missing-code': {
      title: 'A missing symbol is refused with 400003',
      kills: ['4.3/symbol-required'],
      subtle: true,
      hooks: onError(
        'missingParameter',
        (body) => ({ ...body, code: 400003 }),
        all(summary, notAsked('symbol')),
      ),
    },
    'summary-country-optional': {
      title: 'A missing country_code stands for US',
      kills: ['4.3/country-required'],
      hooks: onQuery(all(summary, notAsked('country_code')), (query) =>
        query.set('country_code', 'US'),
      ),
    },
    'summary-symbol-any': {
      title: 'Unknown symbols are answered with the rows of BTC',
      kills: ['4.3/symbol-enum'],
      hooks: onQuery(all(summary, asked('symbol'), not(listedSymbol)), (query) =>
        query.set('symbol', 'BTC'),
      ),
    },
    'summary-symbol-code': {
      title: 'An unknown symbol is refused with 400001',
      kills: ['4.3/symbol-enum'],
      hooks: onError(
        'invalidValue',
        (body) => ({ ...body, code: 400001 }),
        all(summary, not(listedSymbol)),
      ),
    },
    'summary-symbol-message': {
      title: 'The refusal of an unknown symbol says Invalid symbol',
      kills: ['4.3/symbol-message', '7/validation-message'],
      hooks: onError(
        'invalidValue',
        (body) => ({ ...body, message: 'Invalid symbol' }),
        all(summary, not(listedSymbol)),
      ),
    },
    'summary-constraint-nine': {
      title: 'details.constraint misses DOT',
      kills: ['4.3/symbol-constraint'],
      subtle: true,
      hooks: onDetails(
        'invalidValue',
        (details) => ({ ...details, constraint: ETF_SYMBOLS.slice(0, -1) }),
        all(summary, not(listedSymbol)),
      ),
    },
    'summary-symbol-upper-only': {
      title: 'Symbols in lower case are refused',
      kills: ['4.3/symbol-case'],
      hooks: onQuery(all(summary, inLowerCase('symbol')), (query) => query.set('symbol', '?')),
    },
    'summary-symbol-mixed-case': {
      title: 'Symbols in mixed case are refused; lower case works',
      kills: ['4.3/symbol-case'],
      subtle: true,
      hooks: onQuery(all(summary, inMixedCase('symbol')), (query) => query.set('symbol', '?')),
    },
    'summary-country-any': {
      title: 'Unknown countries are answered with the rows of US',
      kills: ['4.3/country-enum'],
      hooks: onQuery(
        all(summary, ({ query }) => !/^(?:us|hk)?$/i.test(query.get('country_code') ?? '')),
        (query) => query.set('country_code', 'US'),
      ),
    },
    'summary-country-not-found': {
      title: 'An unknown country_code is refused with 404 and code 400401',
      kills: ['4.3/country-enum', '4.3/country-enum-code'],
      hooks: {
        answer: (answer, context) =>
          answer.status === 400 &&
          summary(context) &&
          !/^(?:us|hk)?$/i.test(context.query.get('country_code') ?? '')
            ? {
                ...answer,
                status: 404,
                value: { ...(isObject(answer.value) ? answer.value : {}), code: 400401 },
              }
            : answer,
      },
    },
    'summary-country-lower-case': {
      title: 'Country codes in lower case are refused',
      kills: ['4.3/country-case'],
      hooks: onQuery(all(summary, inLowerCase('country_code')), (query) =>
        query.set('country_code', '?'),
      ),
    },
    'summary-country-hk-mixed-case': {
      title: 'Hk is refused when the symbol is in lower case',
      kills: ['4.3/country-case', '4.3/symbol-case'],
      subtle: true,
      hooks: onQuery(all(summary, inMixedCase('country_code'), inLowerCase('symbol')), (query) =>
        query.set('country_code', '?'),
      ),
    },
    'summary-ltc-hk-answered': {
      title: 'LTC in HK is answered with the rows of US',
      kills: ['4.3/unlisted'],
      subtle: true,
      hooks: onQuery(all(summary, forSymbol('LTC', 'HK')), (query) =>
        query.set('country_code', 'US'),
      ),
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
      title: 'The message on an unlisted pair leaves out the country',
      kills: ['4.3/unlisted-message'],
      hooks: onError(
        'invalidFormat',
        (body) => ({ ...body, message: textOf(body['message']).replace(/, country_code=.*/, '') }),
        summary,
      ),
    },
    'summary-limit-hole': {
      title: 'A limit of 3 takes every second row',
      kills: ['4.3/limit-part'],
      subtle: true,
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
      title: 'The inflow of XRP is text that is no decimal',
      kills: ['2.8/summary-total-net-inflow'],
      subtle: true,
      hooks: onRecord(
        'etf-summary-row',
        edit('/total_net_inflow', (value) => `$${textOf(value)}`),
        forSymbol('XRP'),
      ),
    },
  }),
  ...faultsOf('4.4', {
    ...bothHistories('4.4', 'history', history),
    'history-other-ticker': {
      title: 'The first row carries another ticker',
      kills: ['2.8/ticker-echo'],
      subtle: true,
      hooks: onRecord('etf-history-row', firstRow(put('/ticker', 'OTHER'))),
    },
    'history-partly-settled': {
      title: 'The unsettled row has its premium already',
      kills: ['4.4/t1-group'],
      subtle: true,
      hooks: onRows(history, ([first = null, ...rows]) => [
        unsettled(first) ? settleFrom(first, rows[0], ['prem_dsc']) : first,
        ...rows,
      ]),
    },
    'history-second-unsettled': {
      title: 'The two newest rows are unsettled',
      kills: ['4.4/t1-newest-only'],
      hooks: onRows(history, (rows) =>
        rows.map((row, index) =>
          index === 1 && isObject(row)
            ? { ...row, ...Object.fromEntries(T1_FIELDS.map((field) => [field, null])) }
            : row,
        ),
      ),
    },
    'history-unsettled-no-volume': {
      title: 'The unsettled row has no volume',
      kills: ['4.4/t1-filled'],
      subtle: true,
      hooks: onRecord('etf-history-row', (record) =>
        unsettled(record) ? { ...record, volume: null } : record,
      ),
    },
    'history-unsettled-yesterday': {
      title: 'The unsettled row belongs to the trading day before',
      kills: ['4.4/t1-current-day'],
      subtle: true,
      hooks: onRows(history, (rows) => (rows.some(unsettled) ? unsettledLater(rows) : rows)),
    },
    'history-never-settles': {
      title: 'ETF history stands still from the first request on, so no row ever completes',
      kills: ['4.4/t1-completes'],
      subtle: true,
      hooks: {
        world(world) {
          let first: number | undefined;
          return {
            etfHistory(ticker, now) {
              first ??= now;
              return world.etfHistory(ticker, first);
            },
          };
        },
      },
    },
    'etf-snapshot-null-inflow': {
      title: 'The snapshot of an ETF has null where figures are not settled',
      kills: ['4.4/snapshot-settled'],
      hooks: onBody(endpointIs('/etfs/{ticker}/market-snapshot'), (value) =>
        isObject(value) ? { ...value, net_inflow: null } : value,
      ),
    },
    'history-volume-other-string': {
      title: 'volume is a string that differs from value_traded in one row of seven',
      kills: ['4.4/volume-equals-turnover'],
      subtle: true,
      hooks: onRecord(
        'etf-history-row',
        oneRowIn(
          7,
          edit('/volume', (value) => String(Number(value) + 1)),
        ),
      ),
    },
  }),
];

/** The unsettled row moves to the place and date of the row before it. */
function unsettledLater(rows: readonly Json[]): readonly Json[] {
  const [, ...settled] = rows;
  const nulls = Object.fromEntries(T1_FIELDS.map((field) => [field, null]));
  return settled.map((row, index) => (index === 0 && isObject(row) ? { ...row, ...nulls } : row));
}
