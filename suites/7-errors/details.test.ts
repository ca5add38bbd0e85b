import { describe, expect, it } from 'vitest';
import { accepted, errorBody, exchangeOf, findings, judge } from '../../test/judge/exchanges.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/spec/exchange.ts';

const KLINES: EndpointPath = '/currencies/{currency_id}/klines';
const SUMMARY: EndpointPath = '/etfs/summary-history';

const refused = (
  endpoint: EndpointPath,
  query: Record<string, string>,
  details: unknown,
): Exchange => exchangeOf(endpoint, { status: 400, query, body: errorBody(400003, 'x', details) });
const found = (...exchanges: readonly Exchange[]): string[] =>
  findings(
    judge([accepted('/currencies'), ...exchanges], { unknownIds: { ticker: ['ZZ'] } }),
  ).filter((id) => id.startsWith('7/details-'));

describe('details.value', () => {
  const interval = (value: unknown, sent = '1h') =>
    found(refused(KLINES, { interval: sent }, { field: 'interval', value }));

  it('repeats what was sent, in any format', () => {
    for (const value of ['1h', ' 1H', null, '', undefined, ['1h'], {}])
      expect(interval(value)).toEqual([]);
    // The lower-case form of this letter is two characters.
    expect(interval('İ'.toLowerCase(), 'İ')).toEqual([]);
    expect(interval('y'.repeat(20) + '…', 'y'.repeat(50))).toEqual([]);
    const limit = (value: unknown, sent: string) =>
      found(refused('/macro/events/{event}/history', { limit: sent }, { field: 'limit', value }));
    expect(limit(-1, '-1')).toEqual([]);
    expect(limit(1, '1.5')).toEqual([]);
    expect(limit('100000000000000000000', '99999999999999999999')).toEqual([]);
    expect(limit(100, '101')).toEqual(['7/details-value /details/value']);
  });

  it('is reported if it is another value', () => {
    expect(interval('1d')).toEqual(['7/details-value /details/value']);
    expect(interval(7)).toEqual(['7/details-value /details/value']);
  });

  it('may be either half of an unlisted pair', () => {
    const pair = exchangeOf(SUMMARY, {
      status: 400,
      query: { symbol: 'BTC', country_code: 'GB' },
      body: errorBody(400001, 'Unsupported ETF category: symbol=BTC, country_code=GB', {
        field: 'symbol',
        value: 'BTC',
      }),
    });
    expect(found(pair)).toEqual([]);
  });

  it('is not judged for a parameter that was not sent', () => {
    expect(found(refused(KLINES, {}, { field: 'interval', value: 'none' }))).toEqual([]);
  });
});

describe('keys of details', () => {
  const EMPTY = ['7/details-keys /details'];
  const interval = (details: unknown) => found(refused(KLINES, { interval: '1h' }, details));
  const unlisted = (details: unknown) =>
    found(
      exchangeOf(SUMMARY, {
        status: 400,
        query: { symbol: 'LTC', country_code: 'HK' },
        body: errorBody(400001, 'Unsupported ETF category: symbol=LTC, country_code=HK', details),
      }),
    );
  const missing = (details: unknown) =>
    found(
      exchangeOf('/etfs/{ticker}/history', {
        status: 404,
        path: { ticker: 'ZZ' },
        body: errorBody(400401, 'x', details),
      }),
    );

  it('vary by error: one of those listed is enough', () => {
    for (const details of [
      { field: 'interval', issue: 'no', constraint: ['1d'] },
      { field: 'interval' },
      { value: '1h' },
      { issue: 'no' },
      { constraint: ['1d'] },
      { suggestion: 'Use 1d.' },
      // The value under another name.
      { rejected: '1H' },
    ])
      expect(interval(details)).toEqual([]);
    expect(unlisted({ symbol: 'LTC' })).toEqual([]);
    expect(missing({ suggestion: 'GET /etfs lists them.' })).toEqual([]);
    expect(missing({ ticker: 'ZZ' })).toEqual([]);
  });

  it('are reported as missing if details are empty or meaningless', () => {
    for (const details of [{}, { field: '' }, { issue: null }, { trace: 'a1' }])
      expect(interval(details)).toEqual(EMPTY);
    expect(unlisted({})).toEqual(EMPTY);
    expect(missing({})).toEqual(EMPTY);
    expect(missing({ issue: 'unknown' })).toEqual(EMPTY);
    const filled = refused(SUMMARY, { symbol: 'ZZZ', country_code: 'US' }, { field: 'symbol' });
    expect(found(filled, refused(KLINES, {}, {}))).toEqual(EMPTY);
  });

  it('are shown as they were sent where that is not an object', () => {
    const exchange = exchangeOf('/currencies/{currency_id}', {
      path: { currency_id: 'zz' },
      status: 404,
      body: { code: 400401, message: 'Currency not found', details: null },
    });
    const { requirements } = judge([exchange], { unknownIds: { currency_id: ['zz'] } });
    const actual = (id: '7/details-keys' | '7/not-found-details') =>
      requirements.get(id)?.findings.map((one) => one.actual);
    expect(actual('7/details-keys')).toEqual(['details: null']);
    expect(actual('7/not-found-details')).toEqual(['null']);
  });

  it('are not judged for unspecified parameters', () => {
    expect(found(refused('/news/search', { q: '' }, {}))).toEqual([]);
    expect(found(refused(KLINES, { interval: '1d', start_time: '1000' }, {}))).toEqual([]);
  });
});
