import { describe, expect, it } from 'vitest';
import { accepted, errorBody, exchangeOf, findings, judge } from '../../test/rules/exchanges.ts';
import type { Parts } from '../../test/rules/exchanges.ts';
import type { EndpointPath } from '../contract/endpoints.ts';

const INFO: EndpointPath = '/currencies/{currency_id}';
const SEARCH: EndpointPath = '/news/search';
const NEWS = exchangeOf('/news', { body: { list: [], page: 1, page_size: 20, total: 0 } });
const keyword = { query: { keyword: 'x' } };

const ids = (...exchanges: Parameters<typeof judge>[0]): string[] =>
  findings(judge([accepted('/currencies'), ...exchanges], { forbidden: ['/indices'] })).filter(
    (id) => id.startsWith('5/'),
  );
const strange = (endpoint: EndpointPath, status: number, code: number, parts: Parts = {}) =>
  exchangeOf(endpoint, { role: 'unknown', status, body: errorBody(code), ...parts });

describe('a bad key', () => {
  it('may be refused for another error that the request may have', () => {
    // Which keyword the search wants is not shown, and whether the identifier exists was not seen.
    expect(ids(strange(SEARCH, 400, 400002, keyword))).toEqual([]);
    expect(ids(strange(INFO, 404, 400401))).toEqual([]);
    expect(ids(strange('/news', 400, 400003, { query: { page: '0' } }))).toEqual([]);
    expect(ids(strange('/indices', 400, 400002, { role: 'restricted' }))).toEqual([]);
  });

  it('is refused as a key when the same request works with a good one', () => {
    expect(
      ids(exchangeOf(SEARCH, { ...keyword, body: {} }), strange(SEARCH, 400, 400002, keyword)),
    ).toEqual(['5/unknown-key /code']);
    expect(ids(exchangeOf(INFO, { body: {} }), strange(INFO, 404, 400401))).toEqual([
      '5/unknown-key /code',
    ]);
    expect(
      ids(accepted('/indices'), strange('/indices', 400, 400002, { role: 'restricted' })),
    ).toEqual(['5/forbidden /code']);
  });

  it('is refused as a key when nothing else can be wrong', () => {
    expect(ids(strange('/news', 404, 400402))).toEqual(['5/unknown-key /code']);
    expect(ids(strange('/news', 400, 400002, { role: 'none' }))).toEqual(['5/key-required /code']);
    expect(ids(strange('/analyses', 403, 400301, { role: 'expired' }))).toEqual([
      '5/expired-key /code',
    ]);
  });

  it('is never let in, and never refused as another kind of key', () => {
    expect(ids(exchangeOf(SEARCH, { ...keyword, role: 'unknown', body: {} }))).toEqual([
      '5/unknown-key -',
    ]);
    expect(ids(strange(SEARCH, 401, 400102, keyword))).toContain('5/unknown-key /code');
    expect(ids(strange(INFO, 401, 400101, { role: 'expired' }))).toContain('5/expired-key /code');
  });
});

describe('a restricted key', () => {
  const elsewhere = (status: number, code: number) =>
    ids(exchangeOf('/crypto-stocks', { role: 'restricted', status, body: errorBody(code) }));

  it('is not refused by a complaint about a parameter or an identifier', () => {
    expect(elsewhere(400, 400002)).toEqual([]);
    expect(elsewhere(404, 400401)).toEqual([]);
    expect(elsewhere(403, 400301)).toEqual(['5/restricted-elsewhere -']);
  });
});

describe('a record for an identifier that does not exist', () => {
  const made = (body: unknown, ticker = 'ZZ') =>
    findings(
      judge([exchangeOf('/etfs/{ticker}/market-snapshot', { path: { ticker }, body })], {
        unknownIds: { ticker: [ticker] },
      }),
    ).includes('7/unknown-resource-no-record ');

  it.each([
    [{ ticker: 'ZZ', history: [] }],
    [{ ticker: 'ZZ', name: '', price: null }],
    [{ page: 1, page_size: 20, total: 0, list: [] }],
    [{ ticker: 'ZZ', timestamp: 1_767_000_000_000, rows: [] }],
    [errorBody(400401, 'Not found', { value: 7 })],
  ])('is not one that only repeats the identifier: %j', (body) => {
    expect(made(body)).toBe(false);
  });

  it('is not the identifier itself, be it a number', () => {
    expect(made({ project_id: '999999999999', name: null }, '999999999999')).toBe(false);
    expect(made({ project_id: 999_999_999_999 }, '999999999999')).toBe(false);
  });

  it.each([
    [{ ticker: 'ZZ', price: 0 }],
    [{ ticker: 'ZZ', price: '1.5' }],
    [[{ name: 'x' }]],
    [{ a: { b: [{ c: 1 }] } }],
  ])('is one with a figure or a list of objects: %j', (body) => {
    expect(made(body)).toBe(true);
  });
});

describe('a hostile text', () => {
  const quoted = (parts: Parts) =>
    findings(judge([NEWS, exchangeOf('/news', { query: { language: `' OR 1=1` }, ...parts })]));

  it('may get the page of a firewall', () => {
    const page = '<html>Blocked</html>';
    expect(quoted({ status: 403, text: page, type: 'text/html' })).toEqual([]);
    expect(quoted({ status: 200, text: page, type: 'text/html' })).toEqual([]);
    expect(quoted({ status: 406, body: { error: 'blocked' } })).toEqual([]);
    expect(quoted({ status: 400, text: '' })).toEqual([]);
  });

  it('may not break the service, and its own refusal keeps the form', () => {
    expect(quoted({ status: 500, body: errorBody(500001) })).toContain('4/no-5xx -');
    expect(quoted({ status: 400, body: errorBody(400003, 'No', {}) })).toContain(
      '7/validation-message /message',
    );
    expect(quoted({ status: 400, body: { code: 400003 } })).toContain('7/error-shape /details');
  });

  it('is not any text that is unknown', () => {
    const plain = (language: string) =>
      findings(
        judge([NEWS, exchangeOf('/news', { query: { language }, status: 403, text: 'no' })]),
      );
    expect(plain('xx')).toEqual(['4/json-body -', '4.2/language-unknown -']);
    expect(plain('日本語')).toEqual(['4/json-body -', '4.2/language-unknown -']);
    expect(plain('%00')).toEqual([]);
    expect(plain('x'.repeat(300))).toEqual([]);
  });
});
