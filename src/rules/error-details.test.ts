import { describe, expect, it } from 'vitest';
import { accepted, errorBody, exchangeOf, findings, judge } from '../../test/rules/exchanges.ts';
import type { EndpointPath } from '../contract/endpoints.ts';
import type { Exchange } from '../contract/exchange.ts';

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

  it('is what was sent, in any writing', () => {
    for (const value of ['1h', ' 1H', null, '', undefined, ['1h'], {}])
      expect(interval(value)).toEqual([]);
    // The small form of this letter is two characters.
    expect(interval('İ'.toLowerCase(), 'İ')).toEqual([]);
    expect(interval('y'.repeat(20) + '…', 'y'.repeat(50))).toEqual([]);
    const limit = (value: unknown, sent: string) =>
      found(refused('/macro/events/{event}/history', { limit: sent }, { field: 'limit', value }));
    expect(limit(-1, '-1')).toEqual([]);
    expect(limit(1, '1.5')).toEqual([]);
    expect(limit(100, '101')).toEqual(['7/details-value /details/value']);
  });

  it('is found when it is another one', () => {
    expect(interval('1d')).toEqual(['7/details-value /details/value']);
    expect(interval(7)).toEqual(['7/details-value /details/value']);
  });

  it('may be that of either half of a pair that is not listed', () => {
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
  const full = {
    field: 'interval',
    value: '1h',
    issue: 'no',
    constraint: ['1d'],
    suggestion: 'Use 1d.',
  };
  const four = (...details: readonly [unknown, unknown, unknown]) => [
    refused(KLINES, { interval: '1h' }, details[0]),
    refused(KLINES, { interval: '1h' }, details[0]),
    refused(SUMMARY, { symbol: 'ZZZ', country_code: 'US' }, details[1]),
    refused(SUMMARY, { symbol: 'BTC', country_code: 'GB' }, details[2]),
  ];

  it('may vary by error', () => {
    const { suggestion, issue, value, constraint } = full;
    expect(found(...four({ suggestion, value: '1h' }, { issue }, { constraint }))).toEqual([]);
    expect(value).toBe('1h');
  });

  it('may do without a constraint as long as only identifiers were refused, and one date', () => {
    const { constraint: _constraint, ...others } = full;
    const malformed = (endpoint: EndpointPath): Exchange =>
      exchangeOf(endpoint, {
        status: 400,
        path: { currency_id: 'not-an-id' },
        body: errorBody(400001, 'Invalid parameter: currency_id', others),
      });
    const date = refused('/macro/events/{event}/history', { start_date: 'abc' }, others);
    const ids = (
      [
        '/currencies/{currency_id}/pairs',
        '/currencies/{currency_id}/fundraising',
        '/currencies/{currency_id}/market-snapshot',
      ] as const
    ).map(malformed);
    expect(
      findings(
        judge([accepted('/currencies'), ...ids, date], { malformedCurrencyIds: ['not-an-id'] }),
      ).filter((id) => id.startsWith('7/details-keys')),
    ).toEqual([]);
  });

  it('are found to be missing from all errors', () => {
    const { suggestion: _suggestion, issue: _issue, ...others } = full;
    expect(found(...four(others, { ...others, value: 'ZZZ' }, {}))).toEqual([
      '7/details-keys /details',
      '7/details-keys /details',
    ]);
  });

  it('are not judged on three refusals', () => {
    expect(found(...four({}, {}, {}).slice(0, 3))).toEqual([]);
  });

  it('tell what to do about an identifier that is not found', () => {
    const missing = (details: unknown) =>
      found(
        exchangeOf('/etfs/{ticker}/history', {
          status: 404,
          path: { ticker: 'ZZ' },
          body: errorBody(400401, 'x', details),
        }),
      );
    expect(missing({ ticker: 'ZZ', suggestion: 'GET /etfs lists them.' })).toEqual([]);
    expect(missing({ ticker: 'ZZ' })).toEqual(['7/details-keys /details']);
  });
});
