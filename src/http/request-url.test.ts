import * as fc from '../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { requestTarget } from './request-url.ts';

const BASE = 'https://api.example/v1';

describe('requestTarget', () => {
  it('keeps the path of the base URL and encodes parameters', () => {
    expect(
      requestTarget(BASE, '/macro/events/{event}/history', { event: 'CPI (y/y) 50%?' }),
    ).toEqual({
      endpoint: '/macro/events/{event}/history',
      pathParameters: { event: 'CPI (y/y) 50%?' },
      path: '/macro/events/CPI%20(y%2Fy)%2050%25%3F/history',
      search: '',
      query: [],
      origin: 'https://api.example',
      requestPath: '/v1/macro/events/CPI%20(y%2Fy)%2050%25%3F/history',
      url: 'https://api.example/v1/macro/events/CPI%20(y%2Fy)%2050%25%3F/history',
    });
  });

  it('finds the template of a path', () => {
    const target = requestTarget(BASE, '/etfs/IB%20IT/history');
    expect(target.endpoint).toBe('/etfs/{ticker}/history');
    expect(target.pathParameters).toEqual({ ticker: 'IB IT' });
    expect(requestTarget(BASE, '/no/such/endpoint').endpoint).toBeNull();
    // An empty parameter would make it the path of another endpoint.
    expect(
      requestTarget(BASE, '/currencies/{currency_id}', { currency_id: '' }).endpoint,
    ).toBeNull();
  });

  it('keeps the order of pairs, repeats arrays, omits undefined', () => {
    const pairs = requestTarget(BASE, '/news', {}, [
      ['b', 2],
      ['a', 1],
      ['b', ''],
    ]);
    expect(pairs.search).toBe('b=2&a=1&b=');
    const record = requestTarget(
      BASE,
      '/news/featured',
      {},
      {
        category: '1,2',
        page: [1, 2],
        language: undefined,
        flag: false,
      },
    );
    expect(record.search).toBe('category=1,2&page=1&page=2&flag=false');
  });

  it('escapes only what cannot stand in a request line', () => {
    expect(requestTarget(BASE, '/a/../b%2F%zz/ü#x y').path).toBe('/a/../b%2F%zz/%C3%BC%23x%20y');
  });

  it.each([
    ['news', /start with a slash/],
    ['/news?page=1', /query param/],
    ['/etfs/{ticker}/history', /parameter ticker .* is missing/],
  ])('refuses %s', (path, message) => {
    expect(() => requestTarget(BASE, path)).toThrow(message);
  });

  it('lets a server read back every value as it was given', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (name, value) => {
        const { url, query } = requestTarget(BASE, '/news', {}, [[name, value]]);
        const read = new URL(url).searchParams;
        expect([...read]).toEqual(query);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (event) => {
        const path = '/macro/events/{event}/history';
        const target = requestTarget(BASE, path, { event });
        expect(decodeURIComponent(target.path.split('/')[3] ?? '')).toBe(event);
      }),
    );
  });

  it('replaces half surrogates instead of failing', () => {
    expect(requestTarget(BASE, '/news', {}, { q: '\uD800' }).search).toBe('q=%EF%BF%BD');
  });
});
