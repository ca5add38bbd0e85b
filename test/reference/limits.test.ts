import { describe, expect, it } from 'vitest';
import { start } from './client.ts';

const PATH = '/etfs';

describe('rate limit', () => {
  it('admits exactly 20 of 400 requests at once, on every key alike', async () => {
    const { reference, get } = start({ limit: 20 });
    const keys = reference.keys.valid.slice(0, 4);
    const answers = await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        await Promise.resolve();
        const key = keys[index % 4] ?? '';
        return { key, answer: get(PATH, key) };
      }),
    );
    for (const key of keys) {
      const own = answers.filter((entry) => entry.key === key).map((entry) => entry.answer);
      const admitted = own.filter((answer) => answer.status === 200);
      expect(admitted).toHaveLength(20);
      expect(own.filter((answer) => answer.status === 429)).toHaveLength(80);
      const remaining = admitted.map((answer) => Number(answer.headers['x-ratelimit-remaining']));
      expect(remaining.toSorted((a, b) => b - a)).toEqual(
        Array.from({ length: 20 }, (_, index) => 19 - index),
      );
    }
  });

  it('refuses in the documented shape', () => {
    const { get, clock } = start({ limit: 1 });
    clock.advance(42_500);
    const first = get(PATH);
    const refused = get(PATH);
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toEqual({
      code: 402901,
      message: 'Rate limit exceeded',
      details: { limit: 1, window: '60s', retry_after: 18 },
    });
    const reset = String(clock.now() + 17_500);
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': reset,
    });
    expect(first.headers['x-ratelimit-reset']).toBe(reset);
  });

  it('admits again after the reset', () => {
    const { get, clock } = start({ limit: 2, windowMs: 5000 });
    const statuses = (): number[] => [1, 2, 3].map(() => get(PATH).status);
    expect(statuses()).toEqual([200, 200, 429]);
    clock.advance(4999);
    expect(get(PATH).status).toBe(429);
    clock.advance(1);
    expect(statuses()).toEqual([200, 200, 429]);
  });

  it('counts refused requests with a good key, and nothing without one', () => {
    const { get } = start({ limit: 3 });
    const statuses = ['/nope', '/currencies/abc', PATH, PATH].map((path) => get(path).status);
    expect(statuses).toEqual([404, 400, 200, 429]);
    const bad = Array.from({ length: 30 }, () => get(PATH, 'unknown').status);
    expect(new Set(bad)).toEqual(new Set([401]));
    expect(get(PATH, 'unknown').headers['x-ratelimit-remaining']).toBeUndefined();
  });

  it('counts access refusals too', () => {
    const { get, reference } = start({ limit: 1 });
    const { key } = reference.keys.restricted;
    expect([get('/news', key).status, get('/etfs', key).status]).toEqual([403, 429]);
  });

  it('can leave refused requests out of the count', () => {
    const { get } = start({ limit: 2, variants: ['refused-not-counted'] });
    const refused = [1, 2, 3, 4].map(() => get('/currencies/abc'));
    expect(refused.map((answer) => answer.headers['x-ratelimit-remaining'])).toEqual([
      '2',
      '2',
      '2',
      '2',
    ]);
    expect([1, 2, 3].map(() => get(PATH).status)).toEqual([200, 200, 429]);
  });
});

describe('monthly quota', () => {
  it('ends for the key that is near it, and starts again with the month', () => {
    const { get, reference, clock } = start();
    const { key, remaining } = reference.keys.nearQuota;
    const statuses = Array.from({ length: remaining + 2 }, () => get(PATH, key).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const answer = get(PATH, key);
    expect(JSON.parse(answer.body)).toEqual({
      code: 402901,
      message: 'Monthly quota exceeded',
      details: { quota: 100_000, reset: Date.UTC(2026, 9, 1) },
    });
    clock.advance(Date.UTC(2026, 9, 1) - clock.now());
    expect(get(PATH, key).status).toBe(200);
  });

  it('does not count what the rate limit refused', () => {
    const { get, clock } = start({ limit: 2, quota: 4 });
    const round = (): number[] => [1, 2, 3].map(() => get(PATH).status);
    const rounds = [round(), (clock.advance(60_000), round()), (clock.advance(60_000), round())];
    expect(rounds).toEqual([
      [200, 200, 429],
      [200, 200, 429],
      [429, 429, 429],
    ]);
    clock.advance(60_000);
    expect(JSON.parse(get(PATH).body)).toMatchObject({ message: 'Monthly quota exceeded' });
  });
});

describe('options', () => {
  it('are refused when they make no sense', () => {
    expect(() => start({ limit: -1 })).toThrow('limit must be');
    expect(() => start({ windowMs: 0 })).toThrow('windowMs must be');
    expect(() => start({ basePath: 'v1/' })).toThrow('basePath must be');
    expect(() => start({ control: true, clock: { now: () => 0 } })).toThrow('movableClock');
    expect(() => start({ faults: ['limit-of'] })).toThrow('Did you mean "limit-off"?');
  });
});
