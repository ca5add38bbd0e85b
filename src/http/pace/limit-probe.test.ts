import { describe, expect, it } from 'vitest';
import { useHarness } from '../../../test/http/harness.ts';
import { LimiterModel } from '../../../test/http/limiter-model.ts';
import { json } from '../../../test/http/loopback.ts';
import { exchangeOf } from '../../../test/judge/exchanges.ts';
import { limitProbe } from './limit-probe.ts';
import { requestTarget } from '../request-url.ts';

const { server, session } = useHarness();
const LIMITS = { requests: 5, windowMs: 60_000, monthlyQuota: 100_000 };

/** A service with a limiter per key; bodies grow with the page number. */
async function service(announces: 'truth' | 'nothing' = 'truth', used = 0) {
  const limiters = new Map<string, LimiterModel>();
  const { requests, windowMs } = LIMITS;
  const started = await server((request, response) => {
    const key = String(request.headers['x-api-key']);
    let limiter = limiters.get(key);
    if (limiter === undefined) {
      limiter = new LimiterModel({ kind: 'from first request', announces, requests, windowMs });
      for (let count = 0; count < used; count += 1) limiter.handle(Date.now());
      limiters.set(key, limiter);
    }
    const { status, announced } = limiter.handle(Date.now());
    const size = 10 + Number(/page=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    json(response, status, 'x'.repeat(size), {
      ...(announced && {
        'X-RateLimit-Remaining': String(announced.remaining),
        'X-RateLimit-Reset': String(announced.resetAt),
      }),
    });
  });
  return { ...started, limiters };
}

/** A future end of a window, epoch ms. */
const RESET_AT = Date.now() + LIMITS.windowMs - 1000;

const answered = (status: number) => exchangeOf('/news', { status, body: {} });

const keys = { valid: ['first-key', 'second-key'] };
const ask = (page: number) => ['/news', { query: { page } }] as const;

describe('the rate limit probe', () => {
  it('uses up the first key, then repeats the smallest successful request once', async () => {
    const { baseUrl, limiters } = await service();
    const api = session(baseUrl, { probeLimit: true }, { limits: LIMITS, keys });
    for (const page of [3, 1, 2, 4, 5, 6, 7]) await api.get(...ask(page));
    expect(api.exchanges.map(({ response }) => response?.status)).toEqual([
      200, 200, 200, 200, 200, 429, 200, 200,
    ]);
    expect(api.exchanges[5]?.request.query).toEqual([['page', '1']]);
    expect(new Set(api.exchanges.slice(0, 6).map(({ key }) => key)).size).toBe(1);
    expect(limiters.get('first-key')).toMatchObject({ admitted: 5, refused: 1 });
    expect(limiters.get('second-key')).toMatchObject({ admitted: 2, refused: 0 });
  });

  it('is sent once per run', async () => {
    const { baseUrl, limiters } = await service();
    const api = session(baseUrl, { probeLimit: true }, { limits: LIMITS, keys });
    for (let page = 1; page <= 10; page += 1) await api.get(...ask(page));
    expect([...limiters.values()].map(({ refused }) => refused)).toEqual([1, 0]);
  });

  it('is also sent to a target that announces no limit', async () => {
    const { baseUrl, limiters } = await service('nothing');
    const api = session(baseUrl, { probeLimit: true }, { limits: LIMITS, keys });
    for (let page = 1; page <= 10; page += 1) await api.get(...ask(page));
    expect([...limiters.values()].map(({ refused }) => refused)).toEqual([1, 0]);
  });

  it('is sent when other clients used part of the window', async () => {
    const { baseUrl, limiters } = await service('truth', 3);
    const api = session(baseUrl, { probeLimit: true }, { limits: LIMITS, keys });
    for (let page = 1; page <= 3; page += 1) await api.get(...ask(page));
    expect(limiters.get('first-key')).toMatchObject({ admitted: 5, refused: 1 });
  });

  it('is sent again when the window ended before it arrived', async () => {
    const probe = limitProbe();
    probe.observe(requestTarget('http://127.0.0.1:1/v1', '/news'), answered(200));
    let available = 0;
    const capacity = () => [
      { keyIndex: 0, available, full: available === 0, allOurs: true, endsAt: 60_000 },
    ];
    const statuses: number[] = [];
    const sendAs = (status: number) => () => {
      statuses.push(status);
      available = status === 200 ? 4 : 0;
      return Promise.resolve(answered(status));
    };
    await probe.run(capacity, sendAs(200), null);
    expect(probe.left()).toBeGreaterThan(0);
    available = 0;
    await probe.run(capacity, sendAs(429), null);
    expect([statuses, probe.left()]).toEqual([[200, 429], 0]);
  });

  it('continues with the next key when the window of the first ended before it arrived', async () => {
    const probe = limitProbe();
    probe.observe(requestTarget('http://127.0.0.1:1/v1', '/news'), answered(200));
    const held = [true, false].map((full, keyIndex) => ({
      keyIndex,
      available: full ? 0 : 5,
      full,
      allOurs: false,
      endsAt: 1,
    }));
    const probed: number[] = [];
    const sendAs = (status: number) => (_: unknown, keyIndex: number) => {
      probed.push(keyIndex);
      return Promise.resolve(answered(status));
    };
    await probe.run(() => held, sendAs(200), null);
    // The first key was never free since, so a probe would show nothing new.
    await probe.run(() => held, sendAs(200), null);
    expect([probed, probe.left()]).toEqual([[0], 3]);
    const second = held.map((key) => ({ ...key, full: true, available: 0, allOurs: true }));
    await probe.run(() => second, sendAs(429), null);
    expect([probed, probe.left()]).toEqual([[0, 1], 0]);
  });

  it('is sent together with the last request of the window', async () => {
    let count = 0;
    // Neither is answered before both are there.
    const held: (() => void)[] = [];
    const { baseUrl } = await server((_request, response) => {
      const left = 4 - count;
      count += 1;
      const answer = (): void =>
        json(response, left < 0 ? 429 : 200, [], {
          'X-RateLimit-Remaining': String(Math.max(0, left)),
          'X-RateLimit-Reset': String(RESET_AT),
        });
      if (left > 0) answer();
      else held.push(answer);
      if (held.length === 2) for (const one of held) one();
    });
    const api = session(baseUrl, { probeLimit: true }, { limits: LIMITS, keys });
    for (let page = 1; page <= 4; page += 1) await api.get(...ask(page));
    expect(count).toBe(4);
    await api.get(...ask(5));
    expect(held).toHaveLength(2);
    expect(api.exchanges.map(({ purpose }) => purpose ?? 'planned')).toEqual([
      ...Array.from({ length: 5 }, () => 'planned'),
      'limit-probe',
    ]);
  });

  it('uses another key when no limit is announced and two windows may have met', async () => {
    const probe = limitProbe();
    probe.observe(requestTarget('http://127.0.0.1:1/v1', '/news'), answered(200));
    const capacity = () =>
      [0, 1].map((keyIndex) => ({
        keyIndex,
        available: 0,
        full: true,
        allOurs: false,
        endsAt: null,
      }));
    const asked: number[] = [];
    const sendAs = (status: number) => (_target: unknown, keyIndex: number) => {
      asked.push(keyIndex);
      return Promise.resolve(answered(status));
    };
    const follows = await probe.run(capacity, sendAs(200), null);
    expect([follows, await probe.run(capacity, sendAs(200), null)]).toEqual([true, false]);
    await probe.run(capacity, sendAs(429), null);
    expect([asked, probe.left()]).toEqual([[0, 0, 1], 0]);
  });

  it('is sent for each key, as far as the budget exceeds that of planned requests', async () => {
    const probed = async (total: number, probedKeys: number): Promise<unknown> => {
      const { baseUrl, limiters } = await service();
      const bounds = { planned: 16, repeat: 0, limiter: 20, total };
      const api = session(
        baseUrl,
        { probeLimit: true, probedKeys, bounds },
        { limits: LIMITS, keys: { valid: ['first-key', 'second-key', 'third-key'] } },
      );
      for (let page = 1; page <= 15; page += 1) await api.get(...ask(page));
      return [...limiters.values()].map(({ refused }) => refused);
    };
    expect(await probed(20, 3)).toEqual([1, 1, 1]);
    expect(await probed(20, 2)).toEqual([1, 1, 0]);
    expect(await probed(18, 3)).toEqual([1, 1, 0]);
  });

  it('is not repeated for keys that an earlier part of the run has probed', () => {
    const first = limitProbe(4, 3, [0]);
    const later = limitProbe(0, 3, [0, 2]);
    expect([0, 1, 2].map((key) => first.isDue(key))).toEqual([true, true, true]);
    expect([0, 1, 2].map((key) => later.isDue(key))).toEqual([false, true, false]);
    expect(limitProbe(0, 1, [0]).fillsWindow()).toBe(false);
  });

  it('is not sent by default', async () => {
    const { baseUrl, limiters } = await service();
    const api = session(baseUrl, {}, { limits: LIMITS, keys });
    for (let page = 1; page <= 10; page += 1) await api.get(...ask(page));
    expect([...limiters.values()].map(({ refused }) => refused)).toEqual([0, 0]);
  });

  it('is not sent when the budget is too small', async () => {
    const { baseUrl, limiters } = await service();
    const api = session(baseUrl, { probeLimit: true, maxRequests: 5 }, { limits: LIMITS, keys });
    for (let page = 1; page <= 5; page += 1) await api.get(...ask(page));
    expect(limiters.get('first-key')).toMatchObject({ admitted: 5, refused: 0 });
  });

  it('does not use a pinned key', async () => {
    const { baseUrl, limiters } = await service();
    const api = session(baseUrl, { probeLimit: true }, { limits: LIMITS });
    const pin = await api.pin('valid', 0);
    for (let page = 1; page <= 5; page += 1) await api.get('/news', { query: { page }, pin });
    pin.release();
    expect([...limiters.values()]).toMatchObject([{ admitted: 5, refused: 0 }]);
  });
});
