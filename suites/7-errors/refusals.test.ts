import { describe, expect, it } from 'vitest';
import { accepted, errorBody, exchangeOf, findings, judge } from '../../test/judge/exchanges.ts';
import type { Parts } from '../../test/judge/exchanges.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/spec/exchange.ts';

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
  it('may be refused for another error of the request', () => {
    // The search parameters are unspecified, and the identifier may not exist.
    expect(ids(strange(SEARCH, 400, 400002, keyword))).toEqual([]);
    expect(ids(strange(INFO, 404, 400401))).toEqual([]);
    expect(ids(strange('/news', 400, 400003, { query: { page: '0' } }))).toEqual([]);
    expect(ids(strange('/indices', 400, 400002, { role: 'restricted' }))).toEqual([]);
  });

  it('may be refused because there is no such page', () => {
    const later = { query: { page: '2' } };
    expect(ids(strange('/news', 404, 400401, later))).toEqual([]);
    const page = { ...later, body: { page: 2, page_size: 20, total: 30, list: [] } };
    expect(ids(exchangeOf('/news', page), strange('/news', 404, 400401, later))).toEqual([
      '5/unknown-key /code',
    ]);
  });

  it('must be refused as a key if the request works with a valid one', () => {
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

  it('must be refused as a key if nothing else can be wrong', () => {
    expect(ids(strange('/news', 404, 400402))).toEqual(['5/unknown-key /code']);
    expect(ids(strange('/news', 400, 400002, { role: 'none' }))).toEqual(['5/key-required -']);
    expect(ids(strange('/analyses', 403, 400301, { role: 'expired' }))).toEqual([
      '5/expired-key /code',
    ]);
  });

  it('is never accepted, and never refused as another kind of key', () => {
    expect(ids(exchangeOf(SEARCH, { ...keyword, role: 'unknown', body: {} }))).toEqual([
      '5/unknown-key -',
    ]);
    expect(ids(strange(SEARCH, 401, 400102, keyword))).toContain('5/unknown-key /code');
    expect(ids(strange(INFO, 401, 400101, { role: 'expired' }))).toContain('5/expired-key /code');
  });
});

describe('an empty key header', () => {
  const empty = (status: number, code: number): string[] => {
    const sent = strange('/news', status, code, { role: 'none' });
    const request = { ...sent.request, headers: { 'X-API-KEY': '' } };
    return findings(judge([accepted('/currencies'), NEWS, { ...sent, request }])).filter(
      (id) => !id.startsWith('7/') && !id.startsWith('5/details'),
    );
  };

  it('may be dropped on the way, or count as a malformed request', () => {
    expect(empty(401, 400101)).toEqual([]);
    expect(empty(400, 400002)).toEqual([]);
  });

  it('is never accepted, and never crashes the service', () => {
    expect(empty(403, 400301)).toEqual(['5/key-required -']);
    expect(empty(200, 0)).toContain('5/key-required -');
    expect(empty(500, 500001)).toEqual(['4/no-5xx -']);
  });
});

describe('a restricted key', () => {
  const elsewhere = (status: number, code: number) =>
    ids(exchangeOf('/crypto-stocks', { role: 'restricted', status, body: errorBody(code) }));

  it('is not refused by an error about a parameter or identifier', () => {
    expect(elsewhere(400, 400002)).toEqual([]);
    expect(elsewhere(404, 400401)).toEqual([]);
    expect(elsewhere(403, 400301)).toEqual(['5/restricted-elsewhere -']);
  });
});

describe('a restricted key with access', () => {
  const SUMMARY = '/etfs/summary-history';
  const listed = exchangeOf(SUMMARY, {
    role: 'restricted',
    query: { symbol: 'SOL', country_code: 'HK' },
    status: 400,
    body: errorBody(400001, 'Unsupported ETF category: symbol=SOL, country_code=HK'),
  });

  const found = (...others: readonly Exchange[]) =>
    findings(judge([...others, listed])).filter((one) => one.startsWith('4.3/listed'));

  it('confirms a listed pair like a valid key', () => {
    expect(found(accepted(SUMMARY, 'restricted'))).toHaveLength(1);
  });

  it('proves nothing about the pair if it never had access', () => {
    expect(found()).toEqual([]);
    expect(found(accepted('/currencies', 'restricted'))).toEqual([]);
  });

  it('may get 403 for a range, which may be beyond the window, but not for a plain request', () => {
    const refused = (query: Parts['query']) =>
      ids(
        exchangeOf('/news', {
          role: 'restricted',
          status: 403,
          body: errorBody(400301),
          ...(query && { query }),
        }),
      ).filter((id) => id.startsWith('5/restricted-elsewhere'));
    expect(refused({ start_time: '1795651200000' })).toEqual([]);
    expect(refused({ language: 'ja' })).toHaveLength(1);
  });
});

describe('a restricted key and an unknown identifier', () => {
  const judged = (status: number, code: number, forbidden: readonly EndpointPath[] = []) =>
    judge(
      [
        accepted('/currencies', 'restricted'),
        exchangeOf(INFO, {
          role: 'restricted',
          path: { currency_id: 'zz' },
          status,
          body: errorBody(code, 'Currency not found', { currency_id: 'zz', suggestion: 'x' }),
        }),
      ],
      { unknownIds: { currency_id: ['zz'] }, forbidden },
    );
  const unknown = (...answer: Parameters<typeof judged>): string[] => findings(judged(...answer));

  it('get the same error as with a valid key', () => {
    expect(unknown(404, 400401)).toEqual([]);
    expect(unknown(404, 400402)).toContain('7/currency-not-found /code');
    expect(unknown(500, 500001)).toContain('4/no-5xx -');
  });

  it('get a finding about the identifier, not about the key', () => {
    const [found] = judged(404, 400402).requirements.get('7/currency-not-found')?.findings ?? [];
    expect(found?.message).toBe(
      `GET ${INFO} for an unknown currency answered with status 404 and code 400402`,
    );
    expect(found?.facts).toMatchObject({ wrong: 'error code' });
  });

  it('get a refusal only where the key has no access', () => {
    expect(unknown(403, 400301, [INFO])).toEqual([]);
    expect(unknown(403, 400301)).toEqual(['5/restricted-elsewhere -']);
  });
});

describe('a valid key refused for lack of access', () => {
  const forbidden = exchangeOf('/analyses', { status: 403, body: errorBody(400301) });
  const elsewhere = (
    ['/currencies', '/indices', '/etfs', '/news/hot', '/macro/events'] as const
  ).map((path) => accepted(path));
  const red = (...exchanges: Parameters<typeof judge>[0]): string[] => findings(judge(exchanges));

  it('is fully valid if it works on many other endpoints', () => {
    expect(red(...elsewhere, forbidden)).toEqual(['4.6/analyses -']);
  });

  it('may be a restricted key if it works on few', () => {
    expect(red(...elsewhere.slice(1), forbidden)).toEqual([]);
  });

  it.each([402901, '402901', '42901'])('is not kept out by the limiter with code %j', (code) => {
    const body = { code, message: 'Rate limit exceeded', details: {} };
    const limited = exchangeOf('/analyses', { status: 403, body });
    expect(red(...elsewhere, accepted('/analyses'), limited)).not.toContain('4.6/analyses -');
  });

  it('is inconclusive if a firewall refuses it', () => {
    const body = { error: 'blocked' };
    expect(red(...elsewhere, exchangeOf('/analyses', { status: 403, body }))).not.toContain(
      '4.6/analyses -',
    );
  });
});

describe('another parameter next to the invalid one', () => {
  const KLINES: EndpointPath = '/currencies/{currency_id}/klines';
  const range = { start_time: '1767000000000', limit: '5' };
  const refused = exchangeOf(KLINES, {
    query: { interval: '1h', ...range },
    status: 400,
    body: errorBody(400001, 'Invalid parameter: start_time', { field: 'start_time' }),
  });

  it('may be the one refused', () => {
    const plain = exchangeOf(KLINES, { query: { interval: '1d' }, body: [] });
    expect(findings(judge([plain, refused]))).toEqual([]);
  });

  it('is valid if it was accepted before', () => {
    const same = exchangeOf(KLINES, { query: { interval: '1d', ...range }, body: [] });
    expect(findings(judge([same, refused]))).toEqual([
      '4.1/klines-interval-enum /code',
      '7/validation-message /message',
      '7/validation-details /details/field',
    ]);
  });
});

describe('a record for an unknown identifier', () => {
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
  ])('does not count if it only repeats the identifier: %j', (body) => {
    expect(made(body)).toBe(false);
  });

  it('is not the identifier itself, even as a number', () => {
    expect(made({ project_id: '999999999999', name: null }, '999999999999')).toBe(false);
    expect(made({ project_id: 999_999_999_999 }, '999999999999')).toBe(false);
  });

  it.each([
    [{ ticker: 'ZZ', price: 0 }],
    [{ ticker: 'ZZ', price: '1.5' }],
    [[{ name: 'x' }]],
    [{ a: { b: [{ c: 1 }] } }],
  ])('has a figure or a list of objects: %j', (body) => {
    expect(made(body)).toBe(true);
  });
});

describe('a hostile text', () => {
  const quoted = (parts: Parts) =>
    findings(judge([NEWS, exchangeOf('/news', { query: { language: `' OR 1=1` }, ...parts })]));

  it('may get a firewall page', () => {
    const page = '<html>Blocked</html>';
    expect(quoted({ status: 403, text: page, type: 'text/html' })).toEqual([]);
    expect(quoted({ status: 200, text: page, type: 'text/html' })).toEqual([]);
    expect(quoted({ status: 406, body: { error: 'blocked' } })).toEqual([]);
    expect(quoted({ status: 400, text: '' })).toEqual([]);
  });

  it('must not crash the service, whose own refusals keep their form', () => {
    expect(quoted({ status: 500, body: errorBody(500001) })).toContain('4/no-5xx -');
    expect(quoted({ status: 400, body: errorBody(400003, 'No', {}) })).toContain(
      '7/validation-message /message',
    );
    expect(quoted({ status: 400, body: { code: 400003 } })).toContain('7/error-shape /details');
  });

  it('is not just any unknown text', () => {
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
