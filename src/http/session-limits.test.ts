import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useHarness } from '../../test/http/harness.ts';
import { LimiterModel, type LimiterKind } from '../../test/http/limiter-model.ts';
import { json } from '../../test/http/loopback.ts';

const { server, session } = useHarness();

const ok = (_: IncomingMessage, response: ServerResponse): void => json(response, 200, { a: 1 });

/** A service with a limiter on the real clock. */
async function limited(windowMs: number, requests: number, kind: LimiterKind = 'aligned') {
  const limiter = new LimiterModel({ kind, announces: 'truth', requests, windowMs });
  const target = await server((_, response) => {
    const { status, announced } = limiter.handle(Date.now());
    json(
      response,
      status,
      {},
      {
        'X-RateLimit-Limit': String(requests),
        'X-RateLimit-Remaining': String(announced?.remaining),
        'X-RateLimit-Reset': String(announced?.resetAt),
      },
    );
  });
  const limits = { requests, windowMs, monthlyQuota: 100_000 };
  return { ...target, limiter, limits };
}

describe('limits', () => {
  it('stays within the limit and waits for the reset', async () => {
    const { baseUrl, limiter, limits } = await limited(400, 5);
    const waits: number[] = [];
    const api = session(baseUrl, { onWait: ({ ms }) => waits.push(ms) }, { limits });
    const answers = await Promise.all(
      Array.from({ length: 17 }, (_, page) => api.get('/news', { query: { page } })),
    );
    expect(answers.every(({ response }) => response?.status === 200)).toBe(true);
    expect(limiter).toMatchObject({ admitted: 17, refused: 0 });
    expect(waits.length).toBeGreaterThanOrEqual(2);
    expect(api.stats().waitedMs).toBeGreaterThan(400);
  });

  it('fills a window of a pinned key, is refused once, and goes on after the reset', async () => {
    const { baseUrl, limits } = await limited(600, 5, 'from first request');
    const api = session(baseUrl, {}, { limits });
    const pin = await api.pin('valid', 0);
    let exchange = await api.get('/news', { pin });
    while (pin.capacity().available > 0) exchange = await api.get('/news', { pin });
    expect(exchange.response?.headers['x-ratelimit-remaining']).toBe('0');
    const refused = await api.get('/news', { pin, force: true });
    expect(refused.response?.status).toBe(429);
    const after = await api.get('/news', { pin });
    expect(after).toMatchObject({ attempt: 1, response: { status: 200 } });
    const reset = Number(refused.response?.headers['x-ratelimit-reset']);
    expect(after.sentAt).toBeGreaterThanOrEqual(reset);
    pin.release();
  });

  it('retries an unexpected 429 after the reset', async () => {
    const { baseUrl } = await server((_, response, count) =>
      json(
        response,
        count === 1 ? 429 : 200,
        {},
        {
          'X-RateLimit-Remaining': '0',
          'X-RateLimit-Reset': String(Date.now() + 200),
        },
      ),
    );
    const limits = { requests: 20, windowMs: 500, monthlyQuota: 100 };
    const api = session(baseUrl, {}, { limits });
    const exchange = await api.get('/news');
    expect(exchange).toMatchObject({ attempt: 2, response: { status: 200 } });
    // Not since the refusal arrived, which may take a while on a busy machine.
    const reset = Number(api.exchanges[0]?.response?.headers['x-ratelimit-reset']);
    expect(exchange.sentAt).toBeGreaterThanOrEqual(reset - 10);
  });

  it('ends a run against a target that answers everything with 429', async () => {
    const { baseUrl, requests } = await server((_, response) => json(response, 429, {}));
    const limits = { requests: 20, windowMs: 50, monthlyQuota: 100 };
    const api = session(baseUrl, {}, { limits });
    expect((await api.get('/news')).response?.status).toBe(429);
    await expect(api.get('/etfs')).rejects.toMatchObject({ code: 'ASSAY_TARGET_THROTTLED' });
    expect(requests).toHaveLength(3);
  });

  it('continues when some requests are always refused and others are admitted', async () => {
    const { baseUrl } = await server((request, response) =>
      json(response, request.url === '/news' ? 429 : 200, {}),
    );
    const limits = { requests: 20, windowMs: 50, monthlyQuota: 100 };
    const keys = { valid: ['first-key', 'second-key'] };
    const api = session(baseUrl, {}, { limits, keys });
    const [refused] = await Promise.all([
      api.get('/news'),
      api.get('/etfs'),
      api.get('/indices', { keyIndex: 1 }),
    ]);
    expect(refused).toMatchObject({ attempt: 4, response: { status: 429 } });
    expect((await api.get('/analyses')).response?.status).toBe(200);
  });

  it('moves the clock of a test target instead of waiting', async () => {
    let offset = 0;
    const limiter = new LimiterModel({
      kind: 'aligned',
      announces: 'truth',
      requests: 5,
      windowMs: 60_000,
    });
    const { baseUrl, requests } = await server((request, response) => {
      if (request.url === '/_clock') {
        let body = '';
        request.on('data', (chunk) => (body += String(chunk)));
        request.on('end', () => {
          offset += Number(/^\{"advanceMs":(\d+)\}$/.exec(body)?.[1]);
          json(response, 200, { now: Date.now() + offset });
        });
        return;
      }
      const now = Date.now() + offset;
      const { status, announced } = limiter.handle(now);
      json(
        response,
        status,
        {},
        {
          date: new Date(now).toUTCString(),
          'X-RateLimit-Remaining': String(announced?.remaining),
          'X-RateLimit-Reset': String(announced?.resetAt),
        },
      );
    });
    const limits = { requests: 5, windowMs: 60_000, monthlyQuota: 100 };
    const clock = { control: `${baseUrl}/_clock` };
    const api = session(`${baseUrl}/v1`, {}, { limits, clock });
    const startedAt = Date.now();
    await Promise.all(
      Array.from({ length: 23 }, (_, page) => api.get('/news', { query: { page } })),
    );
    expect(limiter).toMatchObject({ admitted: 23, refused: 0 });
    const control = requests.filter(({ url }) => url === '/_clock');
    expect(control.length).toBeGreaterThanOrEqual(4);
    expect(control.every(({ headers }) => headers['x-api-key'] === undefined)).toBe(true);
    const last = api.exchanges.at(-1);
    expect(Math.abs((last?.skewMs ?? 0) - offset)).toBeLessThan(30_000);
    expect(Math.abs(api.targetNow() - (Date.now() + offset))).toBeLessThan(30_000);
    expect(api.stats().waitedMs - offset).toBeGreaterThanOrEqual(0);
    expect(api.stats().waitedMs - offset).toBeLessThan(30_000);
    // Skipped windows do not count as a change of day; a step of a check does.
    const start = api.targetAtStart();
    expect(Math.abs(start - startedAt)).toBeLessThan(30_000);
    await api.advanceClock(86_400_000);
    expect(api.targetAtStart() - start).toBe(86_400_000);
  });
});

describe('budget', () => {
  it('limits only the requests with valid keys', async () => {
    const { baseUrl, requests } = await server(ok);
    const api = session(baseUrl, { maxRequests: 2 });
    await api.get('/news');
    expect(api.budgetLeft('valid')).toBe(1);
    await api.get('/etfs');
    await expect(api.get('/indices')).rejects.toMatchObject({ code: 'ASSAY_BUDGET_EXHAUSTED' });
    await api.get('/indices', { role: 'none' });
    expect(await api.get('/news')).toMatchObject({ id: 'x1' });
    expect(requests).toHaveLength(3);
    expect(api.budgetLeft('valid')).toBe(0);
    // What could no longer be seen is no reason to move a clock.
    await expect(api.advanceClock(1)).rejects.toMatchObject({ code: 'ASSAY_BUDGET_EXHAUSTED' });
    expect(api.budgetLeft('none')).toBe(Number.POSITIVE_INFINITY);
  });

  it('is not exceeded by concurrent requests, and drops retries first', async () => {
    const { baseUrl, requests } = await server((_, response) => json(response, 503, {}));
    const api = session(baseUrl, { maxRequests: 4 });
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, page) => api.get('/news', { query: { page } })),
    );
    expect(requests).toHaveLength(4);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });
});
