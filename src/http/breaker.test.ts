import { describe, expect, it } from 'vitest';
import type { Exchange, TransportError } from '../spec/exchange.ts';
import { breakerOf } from './breaker.ts';

const ENDPOINTS = [
  '/news',
  '/etfs',
  '/indices',
  '/analyses',
  '/currencies',
  '/macro/events',
  '/news/hot',
] as const;

let ids = 0;
function exchange(index: number, outcome: number | TransportError['kind']): Exchange {
  const endpoint = ENDPOINTS[index % ENDPOINTS.length] ?? '/news';
  ids += 1;
  return {
    id: `x${ids}`,
    endpoint,
    pathParameters: {},
    role: 'valid',
    key: 'k:01234567',
    request: {
      method: 'GET',
      url: `http://t.example${endpoint}`,
      path: endpoint,
      query: [],
      headers: {},
    },
    response:
      typeof outcome === 'number' ? { status: outcome, headers: {}, text: '', bytes: 0 } : null,
    error: typeof outcome === 'number' ? null : { kind: outcome, message: outcome },
    sentAt: 0,
    receivedAt: 10_000,
    skewMs: 0,
    attempt: 1,
  };
}

/** Number of answers after which the breaker opens, at most `most`; -1 if it does not. */
function opensAfter(
  breaker: ReturnType<typeof breakerOf>,
  most: number,
  next: (index: number) => Exchange,
): number {
  for (let index = 0; index < most; index += 1) {
    breaker.observe(next(index));
    try {
      breaker.check();
    } catch {
      return index + 1;
    }
  }
  return -1;
}

const fresh = (): ReturnType<typeof breakerOf> =>
  breakerOf({ baseUrl: 'http://t.example', keyHeader: 'X-API-KEY', timeoutMs: 10_000 });
const answered = (): ReturnType<typeof breakerOf> => {
  const breaker = fresh();
  breaker.observe(exchange(0, 200));
  return breaker;
};

describe('a target that refuses every request', () => {
  it.each([
    [403, /no access/],
    [404, /base URL is wrong/],
    [302, /base URL is not the final one/],
  ])('is given up after six answers of %i, with the likely cause', (status, cause) => {
    const breaker = fresh();
    expect(opensAfter(breaker, 20, (index) => exchange(index, status))).toBe(6);
    expect(() => breaker.check()).toThrow(
      expect.objectContaining({ code: 'ASSAY_TARGET_REFUSES', hint: expect.stringMatching(cause) }),
    );
  });

  it.each([
    [400101, 400101, /key is unknown or disabled: /],
    [400102, 40102, /key has expired: /],
    [400101, 400301, /no access/],
  ])(
    'is said to lack the right key if all answers of 403 say so: %i, %i',
    (first, other, cause) => {
      const breaker = fresh();
      const refusal = (index: number): Exchange => {
        const one = exchange(index, 403);
        const text = JSON.stringify({ code: index % 2 === 0 ? first : other, message: 'x' });
        return { ...one, response: one.response && { ...one.response, text } };
      };
      expect(opensAfter(breaker, 20, refusal)).toBe(6);
      expect(() => breaker.check()).toThrow(
        expect.objectContaining({ hint: expect.stringMatching(cause) }),
      );
    },
  );

  it('is not concluded from one endpoint, a mixture, or anything after a success', () => {
    expect(opensAfter(fresh(), 40, () => exchange(0, 404))).toBe(-1);
    expect(opensAfter(fresh(), 40, (index) => exchange(index, index % 4 === 3 ? 400 : 404))).toBe(
      -1,
    );
    expect(opensAfter(answered(), 40, (index) => exchange(index, 404))).toBe(-1);
  });

  it('is given up when it starts to forbid everything', () => {
    expect(opensAfter(answered(), 40, (index) => exchange(index, 403))).toBe(16);
    expect(opensAfter(answered(), 40, (index) => exchange(index % 5, 403))).toBe(-1);
  });
});

describe('a target that fails on every request', () => {
  it('is given up after a dozen responses from several endpoints', () => {
    const breaker = fresh();
    expect(opensAfter(breaker, 40, (index) => exchange(index, index % 2 === 0 ? 500 : 502))).toBe(
      12,
    );
    expect(() => breaker.check()).toThrow(expect.objectContaining({ code: 'ASSAY_TARGET_FAILS' }));
  });

  it('is not concluded from one endpoint or after another response', () => {
    expect(opensAfter(fresh(), 40, () => exchange(0, 500))).toBe(-1);
    expect(opensAfter(fresh(), 40, (index) => exchange(index, index === 3 ? 404 : 500))).toBe(-1);
    expect(opensAfter(answered(), 40, (index) => exchange(index, 500))).toBe(-1);
  });
});

describe('a target that does not answer', () => {
  it('is given up at once at the start, later only after several endpoints failed', () => {
    expect(opensAfter(fresh(), 9, (index) => exchange(index, 'timeout'))).toBe(3);
    expect(opensAfter(answered(), 40, (index) => exchange(index, 'reset'))).toBe(12);
    expect(opensAfter(answered(), 40, () => exchange(0, 'reset'))).toBe(-1);
    expect(
      opensAfter(answered(), 40, (index) => exchange(index, index % 3 === 0 ? 200 : 'reset')),
    ).toBe(-1);
  });

  it('costs at most three minutes, however hanging requests are spread', () => {
    const breaker = answered();
    const after = opensAfter(breaker, 200, (index) =>
      exchange(index, index % 2 === 0 ? 'timeout' : 200),
    );
    expect(after).toBe(35);
    expect(() => breaker.check()).toThrow(/18 requests to .* timed out, after 180 s in total/);
  });

  it('is given up when every response exceeds a limit', () => {
    expect(opensAfter(fresh(), 40, (index) => exchange(index, 'too-large'))).toBe(8);
    expect(opensAfter(answered(), 40, (index) => exchange(index, 'too-large'))).toBe(-1);
  });
});

describe('one endpoint', () => {
  it('is not requested after four attempts hung, until it answers', () => {
    const breaker = answered();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      breaker.checkEndpoint('/news');
      breaker.observe(exchange(0, 'timeout'));
    }
    expect(() => breaker.checkEndpoint('/news')).toThrow(/4 consecutive requests to .* timed out/);
    expect(() => breaker.checkEndpoint('/etfs')).not.toThrow();
    breaker.observe(exchange(0, 200));
    expect(() => breaker.checkEndpoint('/news')).not.toThrow();
  });

  it('is not retried after six failed attempts', () => {
    const breaker = answered();
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect(breaker.worthRepeating('/news')).toBe(true);
      breaker.observe(exchange(0, 'reset'));
    }
    expect(breaker.worthRepeating('/news')).toBe(false);
    expect(breaker.worthRepeating('/etfs')).toBe(true);
  });
});
