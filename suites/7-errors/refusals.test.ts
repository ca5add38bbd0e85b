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
  it('may be refused for another error that the request may have', () => {
    // The search parameters are unspecified, and the identifier may not exist.
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

describe('an empty key header', () => {
  const empty = (status: number, code: number): string[] => {
    const sent = strange('/news', status, code, { role: 'none' });
    const request = { ...sent.request, headers: { 'X-API-KEY': '' } };
    return findings(judge([accepted('/currencies'), NEWS, { ...sent, request }])).filter(
      (id) => !id.startsWith('7/') && !id.startsWith('5/details'),
    );
  };

  it('may be dropped on the way, or make a malformed request', () => {
    expect(empty(401, 400101)).toEqual([]);
    expect(empty(400, 400002)).toEqual([]);
  });

  it('lets nobody in, and brings nothing down', () => {
    expect(empty(403, 400301)).toEqual(['5/key-required /code']);
    expect(empty(200, 0)).toContain('5/key-required -');
    expect(empty(500, 500001)).toEqual(['4/no-5xx -']);
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

describe('a restricted key where it is let in', () => {
  const SUMMARY = '/etfs/summary-history';
  const listed = exchangeOf(SUMMARY, {
    role: 'restricted',
    query: { symbol: 'SOL', country_code: 'HK' },
    status: 400,
    body: errorBody(400001, 'Unsupported ETF category: symbol=SOL, country_code=HK'),
  });

  const found = (...others: readonly Exchange[]) =>
    findings(judge([...others, listed])).filter((one) => one.startsWith('4.3/listed'));

  it('is told as much of a listed pair as a valid one', () => {
    expect(found(accepted(SUMMARY, 'restricted'))).toHaveLength(1);
  });

  it('says nothing of the pair where it was let in nowhere else', () => {
    expect(found()).toEqual([]);
    expect(found(accepted('/currencies', 'restricted'))).toEqual([]);
  });

  it('may be refused a range with 403, since a range beyond the window may be, but no plain request', () => {
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

describe('a restricted key that asks for what does not exist', () => {
  const unknown = (status: number, code: number, forbidden: readonly EndpointPath[] = []) =>
    findings(
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
      ),
    );

  it('gets the same error for what does not exist as a valid key gets', () => {
    expect(unknown(404, 400401)).toEqual([]);
    expect(unknown(404, 400402)).toContain('7/currency-not-found /code');
    expect(unknown(500, 500001)).toContain('4/no-5xx -');
  });

  it('is refused where it has no access, and nowhere else', () => {
    expect(unknown(403, 400301, [INFO])).toEqual([]);
    expect(unknown(403, 400301)).toEqual(['5/restricted-elsewhere -']);
  });
});

describe('a valid key that is told it has no access', () => {
  const forbidden = exchangeOf('/analyses', { status: 403, body: errorBody(400301) });
  const elsewhere = (
    ['/currencies', '/indices', '/etfs', '/news/hot', '/macro/events'] as const
  ).map((path) => accepted(path));
  const red = (...exchanges: Parameters<typeof judge>[0]): string[] => findings(judge(exchanges));

  it('is a good key when it works on many other endpoints', () => {
    expect(red(...elsewhere, forbidden)).toEqual(['4.6/analyses -']);
  });

  it('may be the wrong key when it works on few', () => {
    expect(red(...elsewhere.slice(1), forbidden)).toEqual([]);
  });

  it('says nothing when somebody in front refuses it', () => {
    const body = { error: 'blocked' };
    expect(red(...elsewhere, exchangeOf('/analyses', { status: 403, body }))).not.toContain(
      '4.6/analyses -',
    );
  });
});

describe('another parameter beside the wrong one', () => {
  const KLINES: EndpointPath = '/currencies/{currency_id}/klines';
  const range = { start_time: '1767000000000', limit: '5' };
  const refused = exchangeOf(KLINES, {
    query: { interval: '1h', ...range },
    status: 400,
    body: errorBody(400001, 'Invalid parameter: start_time', { field: 'start_time' }),
  });

  it('may be what is refused', () => {
    const plain = exchangeOf(KLINES, { query: { interval: '1d' }, body: [] });
    expect(findings(judge([plain, refused]))).toEqual([]);
  });

  it('is right when it was accepted before', () => {
    const same = exchangeOf(KLINES, { query: { interval: '1d', ...range }, body: [] });
    expect(findings(judge([same, refused]))).toEqual([
      '4.1/klines-interval-enum /code',
      '7/validation-message /message',
      '7/validation-details /details/field',
    ]);
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
