import { describe, expect, it } from 'vitest';
import {
  errorBody,
  exchangeOf,
  findings,
  judge,
  readings,
  recordOf,
} from '../../test/judge/exchanges.ts';
import {
  INFO,
  KLINES,
  ETF,
  KEYED,
  facts,
  judgeWith,
  refusal,
} from '../../test/judge/refusal-exchanges.ts';

describe('conforming refusals', () => {
  it.each([
    [
      '5/key-required',
      refusal('/news', 401, errorBody(400101, 'Missing API key', KEYED), { role: 'none' }),
    ],
    [
      '5/unknown-key',
      refusal('/news', 401, errorBody(40101, 'Invalid API key', KEYED), { role: 'unknown' }),
    ],
    [
      '5/disabled-key',
      refusal('/news', 401, errorBody(400101, 'Invalid', KEYED), { role: 'disabled' }),
    ],
    [
      '5/expired-key',
      refusal('/news', 401, errorBody(400102, 'Expired', KEYED), { role: 'expired' }),
    ],
    ['5/forbidden', refusal('/news', 403, errorBody(400301), { role: 'restricted' })],
    [
      '7/malformed-currency-id',
      refusal(
        INFO,
        400,
        errorBody(400001, 'Invalid parameter: currency_id', { field: 'currency_id' }),
        { path: { currency_id: 'bad!' } },
      ),
    ],
    [
      '7/currency-not-found',
      refusal(
        INFO,
        404,
        errorBody(400401, 'Currency not found', { currency_id: '404', suggestion: 'x' }),
        {
          path: { currency_id: '404' },
        },
      ),
    ],
    [
      '7/unknown-resource',
      refusal(ETF, 404, errorBody(400401, 'ETF not found', { ticker: 'ZZ', suggestion: 'x' }), {
        path: { ticker: 'ZZ' },
      }),
    ],
    ['7/unknown-path', refusal(null, 404, errorBody(400402))],
  ] as const)('%s', (id, exchange) => {
    const judgement = judgeWith(exchange);
    expect(findings(judgement)).toEqual([]);
    expect(judgement.requirements.get(id)?.exchanges).toContain(exchange.id);
  });
});

describe('wrong refusals', () => {
  it.each([
    [
      'no key, answered',
      exchangeOf('/crypto-stocks', { role: 'none', body: [{ a: 1 }] }),
      ['5/key-required -'],
    ],
    [
      'an unknown key, as expired',
      refusal('/news', 401, errorBody(400102, 'Expired', KEYED), { role: 'unknown' }),
      ['5/unknown-key /code'],
    ],
    [
      'an unknown key, with the right code and another status',
      refusal('/news', 403, errorBody(400101, 'Unknown', KEYED), { role: 'unknown' }),
      ['5/unknown-key -', '7/status-agrees -'],
    ],
    [
      'an expired key, as unknown',
      refusal('/news', 401, errorBody(400101, 'Unknown', KEYED), { role: 'expired' }),
      ['5/expired-key /code'],
    ],
    [
      'a forbidden endpoint, answered',
      exchangeOf('/news', {
        role: 'restricted',
        body: { list: [], page: 1, page_size: 20, total: 0 },
      }),
      ['5/forbidden -'],
    ],
    [
      'an endpoint that is not forbidden, refused',
      refusal('/currencies', 403, errorBody(400301), { role: 'restricted' }),
      ['5/restricted-elsewhere -'],
    ],
    [
      'an unknown currency, as malformed',
      refusal(INFO, 400, errorBody(400001), { path: { currency_id: '404' } }),
      ['7/currency-not-found /code'],
    ],
    [
      'an unknown currency, with another message',
      refusal(INFO, 404, errorBody(400401, 'Not found', { id: '404', suggestion: 'x' }), {
        path: { currency_id: '404' },
      }),
      ['7/currency-not-found-message /message'],
    ],
    [
      'an unknown currency, without the id',
      refusal(INFO, 404, errorBody(400401, 'Currency not found'), { path: { currency_id: '404' } }),
      ['7/details-keys /details', '7/not-found-details /details'],
    ],
    [
      'a malformed id, as unknown',
      refusal(INFO, 404, errorBody(400401), { path: { currency_id: 'bad!' } }),
      ['7/malformed-currency-id /code'],
    ],
    ['a wrong path, answered', exchangeOf(null, { body: {} }), ['7/unknown-path -']],
    ['a wrong path, as resource', refusal(null, 404, errorBody(400401)), ['7/unknown-path /code']],
  ] as const)('%s', (_title, exchange, found) => {
    expect(findings(judgeWith(exchange)).filter((id) => !id.startsWith('2.'))).toEqual(found);
  });

  it('are not reported if the limiter, a failure or a bad key interferes', () => {
    const exchanges = [
      refusal(INFO, 429, errorBody(402901), { path: { currency_id: '404' } }),
      refusal(INFO, 503, errorBody(500301), { path: { currency_id: '404' } }),
      refusal(INFO, 302, '', { path: { currency_id: '404' } }),
    ];
    expect(judgeWith(...exchanges).requirements.has('7/currency-not-found')).toBe(false);
    const rejected = refusal(INFO, 401, errorBody(400101, 'No', KEYED), {
      path: { currency_id: '404' },
    });
    expect(judge([rejected], facts).requirements.has('7/currency-not-found')).toBe(false);
  });

  it('are not reported for doubtful ids, nor for paths outside §4', () => {
    const exchanges = [
      refusal(INFO, 404, errorBody(400402), { path: { currency_id: 'maybe' } }),
      refusal(
        INFO,
        400,
        errorBody(400001, 'Invalid parameter: currency_id', { field: 'currency_id' }),
        {
          path: { currency_id: 'maybe' },
        },
      ),
      exchangeOf(null, { wrongPath: '/health', body: { up: true } }),
    ];
    expect(findings(judgeWith(...exchanges))).toEqual([]);
  });
});

describe('unknown identifiers', () => {
  const etf = (status: number, body: unknown) =>
    refusal(ETF, status, body, { path: { ticker: 'ZZ' } });
  it.each([
    [
      'a record',
      etf(200, [recordOf('etf-history-row')]),
      ['7/unknown-resource-no-record ', '7/unknown-resource -'],
    ],
    ['an empty array', etf(200, []), ['7/unknown-resource -']],
    ['a crash', etf(500, errorBody(500001)), ['4/no-5xx -', '7/unknown-resource-no-record -']],
    ['another code', etf(400, errorBody(400001)), ['7/unknown-resource /code']],
    ['maintenance', etf(503, errorBody(500301)), []],
  ] as const)('get %s', (_title, exchange, found) => {
    const own = findings(judgeWith(exchange)).filter((id) => /^[47]\/(no|un)/.test(id));
    expect(own.toSorted()).toEqual([...found].toSorted());
  });

  it.each([[null], [{}], [{ list: [], total: null }], [{ ticker: null }]])(
    'return no record in %j',
    (body) => {
      const exchange = exchangeOf('/etfs/{ticker}/market-snapshot', {
        path: { ticker: 'ZZ' },
        body,
      });
      expect(findings(judgeWith(exchange))).not.toContain('7/unknown-resource-no-record ');
    },
  );
});

describe('error bodies', () => {
  it.each([
    ['no object', [], ['7/error-shape /code', '7/error-shape /message', '7/error-shape /details']],
    ['no details', { code: 400402, message: 'x' }, ['7/error-shape /details']],
    [
      'details in an array',
      { code: 400402, message: 'x', details: [] },
      ['7/error-shape /details'],
    ],
    ['code as text', { ...errorBody(0), code: '400402' }, ['7/error-shape /code']],
    ['message missing', { code: 400402, details: {} }, ['7/error-shape /message']],
  ] as const)('with %s', (_title, body, found) => {
    const own = findings(judgeWith(refusal(null, 404, body)));
    expect(own.filter((id) => id.startsWith('7/error-shape'))).toEqual(found);
  });

  it('match the status of their code, even with a success status', () => {
    expect(findings(judgeWith(refusal(null, 400, errorBody(400402))))).toContain(
      '7/status-agrees -',
    );
    const success = exchangeOf(INFO, { body: errorBody(400401, 'Currency not found') });
    expect(findings(judgeWith(success))).toEqual(['4.1/info ', '7/status-agrees -']);
  });

  it('may use the generic code with 403 for a range beyond the window', () => {
    const query = { interval: '1d', start_time: '1700000000000', end_time: '1700900000000' };
    const body = errorBody(40001, 'Invalid parameter: start_time');
    const beyond = refusal(KLINES, 403, body, { query });
    expect(findings(judgeWith(beyond))).not.toContain('7/status-agrees -');
    const plain = refusal(KLINES, 403, body, { query: { interval: '1d' } });
    expect(findings(judgeWith(plain))).toContain('7/status-agrees -');
    const precise = refusal(KLINES, 403, errorBody(400001, 'x'), { query });
    expect(findings(judgeWith(precise))).toContain('7/status-agrees -');
  });

  it('are one reading if only the status differs', () => {
    const pages = [401, 403].map((status) =>
      refusal(ETF, status, errorBody(400101, 'Unknown', KEYED), {
        role: 'unknown',
        path: { ticker: 'ZZ' },
      }),
    );
    const question = 'Which error wins: bad key or unknown identifier';
    expect(readings(judgeWith(...pages), question)).toEqual(['bad key', 'bad key']);
  });

  it('may have any code with the 401 for a missing key', () => {
    const refused = refusal('/news', 401, errorBody(400002, 'x', KEYED), { role: 'none' });
    expect(findings(judgeWith(refused))).toEqual([]);
  });

  it('may have unlisted codes for a missing key and for the monthly quota', () => {
    const keyless = refusal('/news', 401, errorBody(400100, 'x', KEYED), { role: 'none' });
    const spent = refusal('/news', 429, errorBody(402902, 'x'), { role: 'nearQuota' });
    expect(findings(judgeWith(keyless, spent))).toEqual([]);
    const other = refusal('/news', 401, errorBody(400199, 'x', KEYED), { role: 'unknown' });
    expect(findings(judgeWith(other))).toContain('7/code-listed /code');
  });

  it('have a listed code', () => {
    expect(findings(judgeWith(refusal(null, 404, errorBody(404))))).toContain(
      '7/code-listed /code',
    );
  });

  it('record which form of codes is used', () => {
    const judgement = judgeWith(
      refusal(null, 404, errorBody(40402)),
      refusal(null, 404, errorBody(400402)),
    );
    expect(readings(judgement, 'How many digits error codes have')).toEqual([
      'five-digit',
      'six-digit',
    ]);
  });
});
