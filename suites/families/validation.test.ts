import { describe, expect, it } from 'vitest';
import {
  accepted,
  errorBody,
  exchangeOf,
  findings,
  judge,
  readings,
} from '../../test/judge/exchanges.ts';
import type { Parts } from '../../test/judge/exchanges.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';

const KLINES: EndpointPath = '/currencies/{currency_id}/klines';
const SUMMARY: EndpointPath = '/etfs/summary-history';
const FEATURED: EndpointPath = '/news/featured';

interface Refused {
  readonly code?: number;
  readonly message: unknown;
  readonly details?: unknown;
  readonly status?: number;
}

/** Findings about message and code of a refusal. */
function found(endpoint: EndpointPath, query: Parts['query'], refused: Refused, parts: Parts = {}) {
  const {
    code = 400003,
    message,
    details = { field: Object.keys(query ?? {})[0] },
    status = 400,
  } = refused;
  const exchange = exchangeOf(endpoint, {
    status,
    body: { ...errorBody(code, 'x', details), message },
    ...(query && { query }),
    ...parts,
  });
  const judgement = judge([accepted('/currencies'), exchange], {
    unknownIds: { ticker: ['ZZ'] },
    doubtfulIds: { currency_id: ['maybe'] },
  });
  return findings(judgement).filter((id) => /^(7|4\.3)\//.test(id));
}

describe('the message about a missing parameter', () => {
  const missing = (message: unknown, field = 'page') =>
    found(FEATURED, { page_size: '20' }, { code: 400002, message, details: { field } });

  it.each([
    'Missing required parameter: page',
    'Invalid parameter: page',
    'The query parameter "page" is required.',
    'PAGE must be sent',
  ])('may name the parameter in any form: %s', (message) => {
    expect(missing(message)).toEqual([]);
  });

  it.each(['Missing required parameter', 'page_size is missing', 'Homepage', null, { page: 1 }])(
    'is reported if it does not name it: %j',
    (message) => {
      expect(missing(message)).toContain('7/validation-message /message');
    },
  );

  it('may spell the name differently', () => {
    const refused = (message: string) =>
      found(
        SUMMARY,
        { symbol: 'BTC' },
        { code: 400002, message, details: { field: 'country_code' } },
      );
    expect(refused('countryCode is required')).toEqual([]);
    expect(refused('The country code is missing')).toEqual([]);
    expect(refused('The country is missing')).toEqual(['7/validation-message /message']);
  });

  it('may name either of two missing parameters', () => {
    const refused = (message: string, field: unknown) =>
      found(SUMMARY, {}, { code: 400002, message, details: { field } });
    expect(refused('Missing: symbol, country_code', 'symbol, country_code')).toEqual([]);
    expect(refused('Missing: country_code', ['country_code'])).toEqual([]);
    expect(refused('Missing: start_date', ['limit'])).toHaveLength(2);
  });

  it('may be about a blank one, which a service may trim', () => {
    const blank = { page: ' ', page_size: '20' };
    const message = 'Missing required parameter: page';
    const details = { field: 'page' };
    expect(found(FEATURED, blank, { code: 400002, message, details })).toEqual([]);
    expect(found(FEATURED, { ...blank, page: 'a' }, { code: 400001, message, details })).toEqual([
      '7/validation-message /message',
    ]);
  });

  it('is recorded', () => {
    const of = (message: string) =>
      exchangeOf(FEATURED, { status: 400, query: { page: '1' }, body: errorBody(400002, message) });
    const judgement = judge([
      accepted('/currencies'),
      of('page_size?'),
      of('Invalid parameter: page_size'),
    ]);
    expect(readings(judgement, 'Message about a missing parameter')).toEqual([
      'another sentence that names the parameter',
      'Invalid parameter: <name>',
    ]);
  });
});

describe('the message about an invalid value', () => {
  const interval = (message: unknown) => found(KLINES, { interval: '1h' }, { message });

  it.each([
    'Invalid parameter: interval',
    'Invalid parameter: interval. Only 1d is supported.',
    'Invalid parameter: interval (1h)',
    'Invalid parameter: interval, limit',
    'Invalid parameter: interval=1h',
  ])('may continue after the name: %s', (message) => {
    expect(interval(message)).toEqual([]);
  });

  it.each([
    'interval is invalid',
    'Invalid parameter: limit',
    'Invalid parameter: intervals',
    'Invalid parameter interval',
    'invalid parameter: interval',
    'Bad request. Invalid parameter: interval',
  ])('must start with the form and the name, unlike: %s', (message) => {
    expect(interval(message)).toEqual(['7/validation-message /message']);
  });

  it('is not judged for a range that may be beyond the window', () => {
    const refused = (start: string) =>
      found(
        KLINES,
        { interval: '1d', start_time: start },
        { message: 'Only the last three months are available', details: {} },
      );
    expect(refused('1577836800000')).toEqual([]);
    expect(refused('yesterday').toSorted()).toEqual([
      '7/details-keys /details',
      '7/validation-details /details/field',
      '7/validation-message /message',
    ]);
  });

  it('is not judged for a later page, which is no invalid value', () => {
    const ofSize = { message: 'Invalid parameter: page_size', details: { field: 'page_size' } };
    expect(found(FEATURED, { page: '2', page_size: '100' }, ofSize)).toEqual([]);
    expect(found(FEATURED, { page: '0', page_size: '100' }, ofSize)).toContain(
      '7/validation-message /message',
    );
  });

  it('may be about the form of an empty value', () => {
    const details = { field: 'symbol' };
    const empty = (code: number) =>
      found(
        SUMMARY,
        { symbol: '', country_code: 'US' },
        { code, message: 'Invalid parameter: symbol', details },
      );
    for (const code of [400001, 400002, 400003]) expect(empty(code), `${code}`).toEqual([]);
    expect(empty(400401)).not.toEqual([]);
  });

  it('is not judged for parameters outside §4, nor for identifiers used as filters', () => {
    const nothing = { message: 'No such thing', details: {} };
    expect(found(KLINES, { interval: '1d', zz: '1' }, nothing)).toEqual([]);
    expect(found('/currencies/{currency_id}/pairs', { exchange: 'nowhere' }, nothing)).toEqual([]);
    expect(found('/news', { project_id: 'none' }, nothing)).toEqual([]);
  });

  it('is not judged for an unknown ticker, but is for a doubtful currency', () => {
    const nothing = { code: 400001, message: 'No such ETF', details: {} };
    const etf = found('/etfs/{ticker}/history', {}, nothing, { path: { ticker: 'ZZ' } });
    expect(etf).toEqual(['7/unknown-resource /code']);
    const currency = found('/currencies/{currency_id}', {}, nothing, {
      path: { currency_id: 'maybe' },
    });
    expect(currency).toContain('7/validation-message /message');
  });

  it('is not judged on endpoints with unspecified parameters', () => {
    expect(found('/news/search', { keyword: 'x' }, { message: 'q?', details: {} })).toEqual([]);
  });
});

describe('the generic code 40001', () => {
  it('stands for any validation failure, and is recorded', () => {
    expect(
      found(
        KLINES,
        {},
        { code: 40001, message: 'interval is required', details: { field: 'interval' } },
      ),
    ).toEqual([]);
    expect(
      found(KLINES, { interval: '1h' }, { code: 40001, message: 'Invalid parameter: interval' }),
    ).toEqual([]);
    const gb = { symbol: 'BTC', country_code: 'GB' };
    const details = { field: 'country_code' };
    expect(
      found(SUMMARY, gb, { code: 40001, message: 'Invalid parameter: country_code', details }),
    ).toEqual([]);
  });

  it('is not a code for anything else', () => {
    const refused = exchangeOf('/news', {
      role: 'unknown',
      status: 401,
      body: errorBody(40001, 'x', { header: 'X-API-KEY', solution: 'y' }),
    });
    expect(findings(judge([accepted('/news'), refused]))).toContain('5/unknown-key /code');
    expect(
      found(KLINES, {}, { code: 400001, message: 'interval', details: { field: 'interval' } }),
    ).toEqual([]);
  });
});

describe('an invalid country', () => {
  const gb = (code: number, message: string, details: unknown = { country_code: 'GB' }) =>
    found(SUMMARY, { symbol: 'btc', country_code: 'GB' }, { code, message, details });

  it('may be refused like an unlisted pair', () => {
    expect(gb(400001, 'Unsupported ETF category: symbol=BTC, country_code=GB')).toEqual([]);
    expect(gb(400001, 'Unsupported ETF category: symbol=btc, country_code=GB')).toEqual([]);
  });

  it('is otherwise refused with 400003 and named', () => {
    expect(gb(400003, 'Invalid parameter: country_code', { field: 'country_code' })).toEqual([]);
    expect(gb(400001, 'Invalid parameter: country_code', { field: 'country_code' })).toEqual([
      '4.3/country-enum-code /code',
    ]);
    expect(gb(400003, 'Unknown country')).toContain('7/validation-message /message');
    const unprocessable = exchangeOf(SUMMARY, {
      status: 422,
      body: errorBody(400003, 'Invalid parameter: country_code', { field: 'country_code' }),
      query: { symbol: 'btc', country_code: 'GB' },
    });
    const judged = judge([unprocessable]).requirements.get('4.3/country-enum-code');
    expect(judged?.findings).toMatchObject([
      {
        message: 'The refusal of an unknown country_code has the wrong status',
        pointer: null,
        header: ':status',
      },
    ]);
  });
});

describe('a value in another letter case or with spaces', () => {
  it.each([
    [KLINES, { interval: '1D' }],
    [KLINES, { interval: ' 1d' }],
    [SUMMARY, { symbol: 'BTC ', country_code: 'US' }],
    [SUMMARY, { symbol: 'BTC', country_code: ' us' }],
    [FEATURED, { page: '+1', page_size: '20' }],
    [FEATURED, { page: '01', page_size: ' 20' }],
  ] as const)('may be answered or refused at %s with %j', (endpoint, query) => {
    const field =
      Object.keys(query).find(
        (name) =>
          !/^(1d|BTC|US|20)$/.test(Object.entries(query).find(([key]) => key === name)?.[1] ?? ''),
      ) ?? '';
    const refused = { code: 400003, message: `Invalid parameter: ${field}`, details: { field } };
    expect(found(endpoint, query, refused)).toEqual([]);
    const answered = exchangeOf(endpoint, {
      query,
      body: endpoint === FEATURED ? { list: [], page: 1, page_size: 20, total: 0 } : [],
    });
    expect(findings(judge([answered])).filter((id) => /enum|required|7\//.test(id))).toEqual([]);
  });

  it('is distinguished from an unlisted value', () => {
    const answered = exchangeOf(KLINES, { query: { interval: '1h' }, body: [] });
    expect(findings(judge([answered]))).toEqual(['4.1/klines-interval-enum -']);
  });
});
