import { describe, expect, it } from 'vitest';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { goodPaths, start, world } from './client.ts';

const fixture = start();
const { get, body, reference } = fixture;
const { keys } = reference;
const id = world.currencyIds[0] ?? '';
const K = `/currencies/${id}/klines`;
const S = `/crypto-stocks/${world.stockTickers[0]}/klines`;
const P = `/currencies/${id}/pairs`;
const F = '/news/featured';
const E = '/etfs/summary-history';
const H = `/etfs/${world.etfs[0]?.ticker}/history`;
const M = `/macro/events/${encodeURIComponent(world.macroEvents[0] ?? '')}/history`;

/** path, status, code, message */
const REFUSALS: readonly (readonly [string, number, number, string])[] = [
  ['/currencies/abc', 400, 400001, 'Invalid parameter: currency_id'],
  ['/currencies/123456789012345678901', 400, 400001, 'Invalid parameter: currency_id'],
  [`/currencies/${'9'.repeat(300)}`, 400, 400001, 'Invalid parameter: currency_id'],
  ['/currencies/1%2F2', 400, 400001, 'Invalid parameter: currency_id'],
  ['/currencies/1', 404, 400401, 'Currency not found'],
  ['/currencies/1/market-snapshot', 404, 400401, 'Currency not found'],
  ['/currencies/x/token-economics', 400, 400001, 'Invalid parameter: currency_id'],
  ['/currencies/1/fundraising', 404, 400401, 'Currency not found'],
  ['/currencies/1/pairs', 404, 400401, 'Currency not found'],
  ['/currencies/1/klines?interval=1d', 404, 400401, 'Currency not found'],
  [K, 400, 400002, 'Invalid parameter: interval'],
  [`${K}?interval=`, 400, 400003, 'Invalid parameter: interval'],
  [`${K}?interval=1D`, 400, 400003, 'Invalid parameter: interval'],
  [`${K}?interval=1h`, 400, 400003, 'Invalid parameter: interval'],
  [`${K}?interval=1d&limit=501`, 400, 400003, 'Invalid parameter: limit'],
  [`${K}?interval=1d&limit=0`, 400, 400003, 'Invalid parameter: limit'],
  [`${K}?interval=1d&limit=-1`, 400, 400003, 'Invalid parameter: limit'],
  [`${K}?interval=1d&limit=ten`, 400, 400003, 'Invalid parameter: limit'],
  [`${K}?interval=1d&limit=1e2`, 400, 400003, 'Invalid parameter: limit'],
  [`${K}?interval=1d&start_time=yesterday`, 400, 400001, 'Invalid parameter: start_time'],
  [S, 400, 400002, 'Invalid parameter: interval'],
  [`${S}?interval=1w`, 400, 400003, 'Invalid parameter: interval'],
  [`${P}?page_size=101`, 400, 400003, 'Invalid parameter: page_size'],
  [`${P}?page=0`, 400, 400003, 'Invalid parameter: page'],
  [`${P}?order_by=colour`, 400, 400003, 'Invalid parameter: order_by'],
  ['/news?language=xx', 400, 400003, 'Invalid parameter: language'],
  ['/news?language=EN', 400, 400003, 'Invalid parameter: language'],
  ['/news?language=', 400, 400003, 'Invalid parameter: language'],
  ['/news?category=5', 400, 400003, 'Invalid parameter: category'],
  ['/news?category=1,5', 400, 400003, 'Invalid parameter: category'],
  ['/news?page_size=101', 400, 400003, 'Invalid parameter: page_size'],
  ['/news?currency_id=abc', 400, 400001, 'Invalid parameter: currency_id'],
  ['/news?start_time=abc', 400, 400001, 'Invalid parameter: start_time'],
  [`${F}?page_size=20`, 400, 400002, 'Invalid parameter: page'],
  [`${F}?page=1`, 400, 400002, 'Invalid parameter: page_size'],
  [`${F}?page=0&page_size=20`, 400, 400003, 'Invalid parameter: page'],
  [`${F}?page=1&page_size=19`, 400, 400003, 'Invalid parameter: page_size'],
  [`${F}?page=1&page_size=101`, 400, 400003, 'Invalid parameter: page_size'],
  [`${E}?country_code=US`, 400, 400002, 'Invalid parameter: symbol'],
  [`${E}?symbol=BTC`, 400, 400002, 'Invalid parameter: country_code'],
  [`${E}?symbol=ADA&country_code=US`, 400, 400003, 'Invalid parameter: symbol'],
  [`${E}?symbol=&country_code=US`, 400, 400003, 'Invalid parameter: symbol'],
  [`${E}?symbol=BTC&country_code=CN`, 400, 400003, 'Invalid parameter: country_code'],
  [
    `${E}?symbol=ltc&country_code=hk`,
    400,
    400001,
    'Unsupported ETF category: symbol=LTC, country_code=HK',
  ],
  [`${E}?symbol=BTC&country_code=US&limit=301`, 400, 400003, 'Invalid parameter: limit'],
  [
    `${E}?symbol=BTC&country_code=US&start_date=2026-02-30`,
    400,
    400001,
    'Invalid parameter: start_date',
  ],
  [`${H}?end_date=09/09/2026`, 400, 400001, 'Invalid parameter: end_date'],
  [`${M}?limit=101`, 400, 400003, 'Invalid parameter: limit'],
  ['/etfs/NOPE/history', 404, 400401, 'ETF not found'],
  ['/etfs/NOPE/market-snapshot', 404, 400401, 'ETF not found'],
  ['/crypto-stocks/NOPE/market-snapshot', 404, 400401, 'Stock not found'],
  ['/crypto-stocks/NOPE/market-cap', 404, 400401, 'Stock not found'],
  ['/crypto-stocks/sector/nope/index', 404, 400401, 'Sector not found'],
  ['/indices/NOPE/klines', 404, 400401, 'Index not found'],
  ['/macro/events/nope/history', 404, 400401, 'Event not found'],
  ['/analyses/nope', 404, 400401, 'Chart not found'],
  ['/fundraising/projects/nope', 404, 400401, 'Project not found'],
  ['/news/search', 400, 400002, 'Invalid parameter: keyword'],
  ['/nope', 404, 400402, 'Endpoint not found'],
  ['/currencies/', 404, 400402, 'Endpoint not found'],
  ['/currencies//klines', 404, 400402, 'Endpoint not found'],
  ['/Currencies', 404, 400402, 'Endpoint not found'],
  ['/currencies/%E0%A4%A', 404, 400402, 'Endpoint not found'],
  ['', 404, 400402, 'Endpoint not found'],
];

describe('refusals', () => {
  it.each(REFUSALS)('GET %s: %i %i', (path, status, code, message) => {
    const answer = get(path);
    const value = JSON.parse(answer.body) as Record<string, unknown>;
    expect([answer.status, value['code'], value['message']]).toEqual([status, code, message]);
    expect(value['details']).toBeTypeOf('object');
    expect(answer.headers['x-ratelimit-limit']).toBe('100000');
  });

  it('say what is wrong and how to put it right', () => {
    expect(body(`${E}?symbol=ADA&country_code=US`)['details']).toMatchObject({
      field: 'symbol',
      value: 'ADA',
      constraint: ['BTC', 'ETH', 'SOL', 'LTC', 'HBAR', 'XRP', 'DOGE', 'LINK', 'AVAX', 'DOT'],
      issue: expect.any(String) as string,
      suggestion: expect.any(String) as string,
    });
    expect(body('/currencies/1')['details']).toMatchObject({
      currency_id: '1',
      suggestion: expect.stringContaining('/currencies') as string,
    });
  });

  it('do not reach outside the base path', () => {
    const answer = reference.handle({
      method: 'GET',
      path: '/v2/news',
      headers: { 'x-api-key': keys.valid[0] ?? '' },
    });
    expect(answer.status).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('meet %s with 404', (method) => {
    const answer = reference.handle({
      method,
      path: '/v1/news',
      headers: { 'X-API-KEY': keys.valid[0] ?? '' },
    });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      404,
      expect.objectContaining({ code: 400402 }),
    ]);
  });
});

describe('keys', () => {
  /** role, key, status, code */
  const BAD: readonly (readonly [string, string | null, number, number])[] = [
    ['missing', null, 401, 400101],
    ['empty', '', 401, 400101],
    ['unknown', 'no-such-key', 401, 400101],
    ['disabled', keys.disabled, 401, 400101],
    ['expired', keys.expired, 401, 400102],
  ];

  it.each(BAD)('that are %s are refused everywhere', (_role, key, status, code) => {
    for (const path of [...goodPaths(), '/nope', '/currencies/abc']) {
      const answer = get(path, key);
      const value = JSON.parse(answer.body) as { code: number; details: object };
      expect([answer.status, value.code]).toEqual([status, code]);
      expect(value.details).toMatchObject({
        header: 'X-API-KEY',
        solution: expect.any(String) as string,
      });
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit');
    }
  });

  it('without access are refused on their forbidden endpoints only', () => {
    const { key, forbidden } = keys.restricted;
    const refused = goodPaths().filter((path) => get(path, key).status === 403);
    expect(refused).toEqual(['/news', '/analyses']);
    expect(forbidden).toHaveLength(2);
    expect(body('/news', key)).toMatchObject({ code: 400301, details: { header: 'X-API-KEY' } });
  });

  it('are found whatever the case of the header name', () => {
    for (const name of ['x-api-key', 'X-Api-Key', 'X-API-KEY']) {
      const headers = { [name]: keys.valid[0] ?? '' };
      expect(reference.handle({ method: 'GET', path: '/v1/etfs', headers }).status).toBe(200);
    }
  });

  it('must differ and may forbid known endpoints only', () => {
    expect(() => start({ keys: { expired: keys.disabled } })).toThrow('issued twice');
    const forbidden = ['/newz' as EndpointPath];
    expect(() => start({ keys: { restricted: { key: 'r', forbidden } } })).toThrow(
      'Did you mean "/news"?',
    );
  });
});
