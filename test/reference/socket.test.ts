import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY } from '../../src/spec/time.ts';
import { createReference, movableClock } from '../../src/reference/reference.ts';
import type { ReferenceOptions } from '../../src/reference/reference.ts';
import type { Listening } from '../../src/reference/http-server.ts';
import { goodPaths, OPEN_MARKET, world } from './client.ts';

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(options: ReferenceOptions = {}) {
  const clock = movableClock(OPEN_MARKET);
  const reference = createReference({ world, clock, ...options });
  const server = await reference.listen();
  open.push(server);
  const [key = ''] = reference.keys.valid;
  const get = (path: string, apiKey = key): Promise<Response> =>
    fetch(`${server.baseUrl}${path}`, { headers: { 'X-API-KEY': apiKey } });
  return { reference, server, clock, get };
}

describe('over a socket', () => {
  it('gives the same answers as without one', async () => {
    const { get, reference } = await serve({ limit: 1000 });
    const headers = { 'X-API-KEY': reference.keys.valid[1] ?? '' };
    for (const path of [...goodPaths(), '/nope', '/currencies/abc']) {
      const answer = await get(path);
      const same = reference.handle({ method: 'GET', path: `/v1${path}`, headers });
      expect([answer.status, await answer.text()]).toEqual([same.status, same.body]);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
    }
  });

  it('tells of every request with its key', async () => {
    const reference = createReference({ world, clock: movableClock(OPEN_MARKET) });
    const told: unknown[] = [];
    const server = await reference.listen({
      onRequest(key, rawHeaders) {
        told.push([key, rawHeaders.includes('blue')]);
      },
    });
    open.push(server);
    const [key = ''] = reference.keys.valid;
    await fetch(`${server.baseUrl}/etfs`, { headers: { 'X-API-KEY': key, 'X-Colour': 'blue' } });
    await fetch(`${server.baseUrl}/nope`);
    expect(told).toEqual([
      [key, true],
      [undefined, false],
    ]);
  });

  it('admits exactly 20 of 400 requests that arrive together', async () => {
    const { get } = await serve();
    const statuses = await Promise.all(
      Array.from({ length: 400 }, async () => {
        const answer = await get('/etfs');
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(380);
  });

  it('shows its own time in Date', async () => {
    const { get, clock } = await serve();
    clock.advance(DAY);
    const before = clock.now();
    const date = Date.parse((await get('/etfs')).headers.get('date') ?? '');
    // Date has whole seconds.
    expect(date).toBeGreaterThan(before - 1000);
    expect(date).toBeLessThanOrEqual(clock.now());
  });

  it('reads past request bodies and answers HEAD without one', async () => {
    const { server, reference } = await serve({ variants: ['head-answered'] });
    const headers = { 'X-API-KEY': reference.keys.valid[0] ?? '' };
    const posted = await fetch(`${server.baseUrl}/news`, {
      method: 'POST',
      headers,
      body: 'x'.repeat(200_000),
    });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
    await posted.arrayBuffer();
    const head = await fetch(`${server.baseUrl}/etfs`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('treats a repeated key header as unknown', async () => {
    const { server, reference } = await serve();
    const [first = '', second = ''] = reference.keys.valid;
    const status = await new Promise((resolve, reject) => {
      request(`${server.baseUrl}/etfs`, { headers: { 'X-API-KEY': [first, second] } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(401);
  });

  it('listens on loopback only and says when a port is taken', async () => {
    const { server, reference } = await serve();
    await expect(reference.listen({ port: server.port })).rejects.toThrow('EADDRINUSE');
    expect(new URL(server.baseUrl).hostname).toBe('127.0.0.1');
  });
});

describe('target file', () => {
  it('names keys, limits and identifiers that fit the server', async () => {
    const { server, reference } = await serve({ limit: 7, windowMs: 900, quota: 50 });
    const target = reference.targetFile(server.baseUrl);
    expect(target).toMatchObject({
      baseUrl: server.baseUrl,
      auth: { header: 'X-API-KEY' },
      keys: reference.keys,
      limits: { requests: 7, windowMs: 900, monthlyQuota: 50 },
      envelope: null,
    });
    expect(target).not.toHaveProperty('clock');
    expect(world.currencyIds).not.toContain(target.fixtures.unknownCurrencyId);
    expect(target.fixtures.unknownCurrencyId).toMatch(/^\d{1,20}$/);
  });

  it('names the envelope when there is one', () => {
    const reference = createReference({ world, variants: ['wrapped-body'] });
    expect(reference.targetFile('http://127.0.0.1:1/v1').envelope).toBe('data');
  });
});

describe('control of the clock', () => {
  const advance = (url: string, body: unknown): Promise<Response> =>
    fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

  it('moves the clock without touching keys and limits', async () => {
    const { reference, server, clock, get } = await serve({ control: true, limit: 1 });
    const url = reference.targetFile(server.baseUrl).clock?.control ?? '';
    expect(url).toBe(`http://127.0.0.1:${server.port}/_reference/clock`);
    const statuses = [(await get('/etfs')).status, (await get('/etfs')).status];
    const before = clock.now();
    const moved = (await (await advance(url, { advanceMs: 60_000 })).json()) as { now: number };
    expect(moved.now - before).toBeGreaterThanOrEqual(60_000);
    const read = (await (await fetch(url)).json()) as { now: number };
    expect(read.now).toBeGreaterThanOrEqual(moved.now);
    statuses.push((await get('/etfs')).status);
    expect(statuses).toEqual([200, 429, 200]);
  });

  it('refuses steps that make no sense', async () => {
    const { reference, server } = await serve({ control: true });
    const url = reference.targetFile(server.baseUrl).clock?.control ?? '';
    for (const body of [{ advanceMs: -1 }, { advanceMs: 'x' }, {}, 'no json', 'x'.repeat(5000)]) {
      const answer = await advance(url, body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ error: expect.any(String) as string });
    }
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
  });

  it('is not there unless asked for', async () => {
    const { server } = await serve();
    const answer = await fetch(new URL('/_reference/clock', server.baseUrl));
    expect(answer.status).toBe(401);
  });
});
