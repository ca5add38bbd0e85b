import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useHarness } from '../../test/http/harness.ts';
import { json } from '../../test/http/loopback.ts';
import { VALID_KEY } from '../../test/http/targets.ts';
import type { Exchange } from '../spec/exchange.ts';

const { server, session } = useHarness();

const ok = (_: IncomingMessage, response: ServerResponse): void => json(response, 200, { a: 1 });

describe('requests', () => {
  it('records what was sent and received, without the key', async () => {
    const { baseUrl, requests } = await server((request, response) => {
      json(response, 200, { echo: request.headers['x-api-key'] }, { 'X-Echo': VALID_KEY });
    });
    const seen: Exchange[] = [];
    const api = session(`${baseUrl}/v1`, { onExchange: (exchange) => seen.push(exchange) });
    const exchange = await api.get('/currencies/{currency_id}/klines', {
      pathParameters: { currency_id: 'a b/ü' },
      query: { interval: '1d', limit: 5, skip: undefined, tag: ['x', 'y&z'] },
    });
    expect(requests[0]?.url).toBe(
      '/v1/currencies/a%20b%2F%C3%BC/klines?interval=1d&limit=5&tag=x&tag=y%26z',
    );
    expect(requests[0]?.headers).toMatchObject({
      'x-api-key': VALID_KEY,
      'accept-encoding': 'identity',
    });
    expect(exchange).toMatchObject({
      id: 'x1',
      endpoint: '/currencies/{currency_id}/klines',
      pathParameters: { currency_id: 'a b/ü' },
      role: 'valid',
      attempt: 1,
      error: null,
      skewMs: 0,
      request: {
        method: 'GET',
        path: '/currencies/a%20b%2F%C3%BC/klines',
        query: [
          ['interval', '1d'],
          ['limit', '5'],
          ['tag', 'x'],
          ['tag', 'y&z'],
        ],
      },
      response: { status: 200 },
    });
    expect(exchange.key).toMatch(/^k:[0-9a-f]{8}$/);
    expect(exchange.response?.text).toBe(`{"echo":"[redacted:${exchange.key}]"}`);
    expect(exchange.response?.headers['x-echo']).toBe(`[redacted:${exchange.key}]`);
    expect(JSON.parse(exchange.response?.text ?? '')).toEqual({
      echo: `[redacted:${exchange.key}]`,
    });
    expect(JSON.stringify(exchange).toLowerCase()).not.toContain(VALID_KEY.toLowerCase());
    expect(seen).toEqual([exchange]);
    expect(api.exchanges).toEqual([exchange]);
  });

  it('sends the key of the role, a never-issued key, or no key', async () => {
    const { baseUrl, requests } = await server(ok);
    const api = session(baseUrl, {}, { keys: { valid: [VALID_KEY], expired: 'expired-key' } });
    const roles = ['expired', 'unknown', 'none'] as const;
    for (const role of roles) await api.get('/news', { role });
    const sent = requests.map((request) => request.headers['x-api-key']);
    expect(sent[0]).toBe('expired-key');
    expect(sent[1]).toMatch(/^[A-Z][a-z]\d[a-z]{2}[A-Z][a-z]{2}-\d{4}-[a-z]{6}$/);
    expect(sent[1]).not.toBe(VALID_KEY);
    expect(sent[2]).toBeUndefined();
    expect(api.stats()).toEqual({
      total: 3,
      byRole: { expired: 1, unknown: 1, none: 1 },
      waitedMs: 0,
    });
  });

  it('records the fingerprint of the key that was sent, and how it varies the valid one', async () => {
    const { baseUrl, requests } = await server(ok);
    const api = session(baseUrl, {}, { keys: { valid: [VALID_KEY] } });
    const variations = [undefined, 'longer', 'shorter', 'other-case', 'prefixed', 'null'];
    for (const [keyIndex, variation] of variations.entries()) {
      const exchange = await api.get('/news', { role: 'unknown', keyIndex });
      expect(exchange.variation).toBe(variation);
      expect(exchange.request.headers['X-API-KEY']).toBe(`[redacted:${exchange.key}]`);
      const text = JSON.stringify(exchange).toLowerCase();
      expect(text).not.toContain(VALID_KEY.slice(0, -1).toLowerCase());
    }
    expect(new Set(api.exchanges.map(({ key }) => key)).size).toBe(variations.length);
    expect(requests[1]?.headers['x-api-key']).toBe(`${VALID_KEY}x`);
  });

  it('names the setting of a missing key', async () => {
    const api = session('http://127.0.0.1:9');
    await expect(api.get('/news', { role: 'expired' })).rejects.toMatchObject({
      code: 'ASSAY_MISSING_KEY',
      setting: 'keys.expired',
    });
    await expect(api.get('/news', { keyIndex: 4 })).rejects.toThrow('keys.valid[4]');
    expect(api.stats().total).toBe(0);
  });

  it('adds configured headers, hides credentials among them, and lets the request win', async () => {
    const { baseUrl, requests } = await server((request, response) => {
      json(response, 200, request.headers);
    });
    const secret = 'Basic c3RhZ2luZzpzZWNyZXQ=';
    const headers = { Authorization: secret, 'X-Stage': 'blue', 'x-api-key': 'configured-key' };
    const api = session(baseUrl, {}, { http: { headers } });
    const exchange = await api.get('/news', { role: 'none', headers: { 'x-stage': 'green' } });
    expect(requests[0]?.headers).toMatchObject({ authorization: secret, 'x-stage': 'green' });
    expect(requests[0]?.headers).not.toHaveProperty('x-api-key');
    expect(JSON.stringify(exchange)).not.toContain('c3RhZ2luZzpzZWNyZXQ');
  });

  it('records a long body in full, since rules judge the record', async () => {
    const long = 'ü'.repeat(200_000);
    const { baseUrl } = await server((_, response) => json(response, 200, { long, end: 1 }));
    const { response } = await session(baseUrl).get('/news');
    expect(response?.bytes).toBe(400_000 + 19);
    expect(JSON.parse(response?.text ?? '')).toEqual({ long, end: 1 });
  });
});

describe('cache', () => {
  it('dates exchanges so that they tell which was answered before another was sent', async () => {
    const { baseUrl } = await server(ok);
    const api = session(baseUrl);
    const all: Exchange[] = [];
    for (let page = 1; page <= 20; page += 1) {
      all.push(await api.get('/news', { role: 'none', query: { page } }));
    }
    for (const [index, { sentAt, receivedAt }] of all.entries()) {
      expect(receivedAt).toBeGreaterThan(sentAt);
      expect(sentAt).toBeGreaterThanOrEqual(all[index - 1]?.receivedAt ?? 0);
    }
    expect(all.some(({ sentAt }) => !Number.isInteger(sentAt))).toBe(true);
    expect(Number.isInteger(api.targetNow())).toBe(true);
  });

  it('requests the same URL and role once, also concurrently', async () => {
    const { baseUrl, requests } = await server(ok);
    const api = session(baseUrl);
    const query = { page: 1, page_size: 20 };
    const [one, two] = await Promise.all([
      api.get('/news', { query }),
      api.get('/news', { query }),
    ]);
    expect(two).toBe(one);
    expect(await api.get('/news', { query })).toBe(one);
    expect(requests).toHaveLength(1);
    await api.get('/news', { query, fresh: true });
    await api.get('/news', { query: { page_size: 20, page: 1 } });
    await api.get('/news', { query, role: 'none' });
    expect(requests).toHaveLength(4);
  });

  it.each([500, 429])('does not keep a %d', async (status) => {
    const { baseUrl, requests } = await server((_, response, count) =>
      json(response, count === 1 ? status : 200, {}),
    );
    const api = session(baseUrl);
    expect((await api.get('/news', { repeat: false, role: 'none' })).response?.status).toBe(status);
    expect((await api.get('/news', { role: 'none' })).response?.status).toBe(200);
    expect(requests).toHaveLength(2);
  });
});

describe('retries', () => {
  it('retries a 503 twice, records every attempt and returns the last', async () => {
    const { baseUrl } = await server((_, response, count) =>
      json(response, count < 3 ? 503 : 200, {}),
    );
    const api = session(baseUrl);
    const exchange = await api.get('/news');
    expect(exchange).toMatchObject({ id: 'x3', attempt: 3, response: { status: 200 } });
    expect(api.exchanges.map(({ attempt, response }) => [attempt, response?.status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 200],
    ]);
    expect(api.stats().total).toBe(3);
  });

  it('retries after a broken connection', async () => {
    const { baseUrl } = await server((request, response, count) => {
      if (count === 1) request.socket.destroy();
      else json(response, 200, {});
    });
    const api = session(baseUrl);
    expect((await api.get('/news')).attempt).toBe(2);
    expect(api.exchanges[0]).toMatchObject({ response: null, error: { kind: 'reset' } });
  });

  it('returns a lasting failure as evidence', async () => {
    const { baseUrl, requests } = await server((_, response) => json(response, 503, {}));
    const exchange = await session(baseUrl).get('/news');
    expect(exchange.response?.status).toBe(503);
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['another method', { method: 'POST' }],
    ['repeat: false', { repeat: false }],
  ])('does not repeat with %s', async (_, options) => {
    const { baseUrl, requests } = await server((__, response) => json(response, 503, {}));
    await session(baseUrl).get('/news', options);
    expect(requests).toHaveLength(1);
  });
});

describe('fixtures', () => {
  it('shares the list request with the checks', async () => {
    const { baseUrl, requests } = await server((_, response) =>
      json(response, 200, { list: [{ currency_id: 'c1' }, { currency_id: 'c2' }] }),
    );
    const api = session(baseUrl);
    const [answer, exchange] = await Promise.all([
      api.fixtures.get('currencyIds'),
      api.get('/currencies'),
    ]);
    // The second id is requested first, which reveals a service that knows only its first record.
    expect(answer).toMatchObject({ ids: ['c2', 'c1'], exchanges: [exchange.id] });
    expect(requests).toHaveLength(1);
  });
});
