import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useHarness } from '../../../test/http/harness.ts';
import { LimiterModel } from '../../../test/http/limiter-model.ts';
import { json } from '../../../test/http/loopback.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { SessionOptions } from '../session-options.ts';
import type { Session } from '../session.ts';

const { server, session } = useHarness();

const KEY = 'x-api-key';

/** A slow service, and its maximum number of concurrent requests: in total and per key. */
async function busy(ms = 15, status = 200) {
  const now = { all: 0, keys: new Map<string, number>() };
  const most = { all: 0, key: 0 };
  const asked: string[] = [];
  const target = await server((request: IncomingMessage, response: ServerResponse) => {
    const key = String(request.headers[KEY] ?? '');
    const ofKey = (now.keys.get(key) ?? 0) + 1;
    asked.push(request.url ?? '');
    now.all += 1;
    now.keys.set(key, ofKey);
    most.all = Math.max(most.all, now.all);
    if (key !== '') most.key = Math.max(most.key, ofKey);
    setTimeout(() => {
      now.all -= 1;
      now.keys.set(key, (now.keys.get(key) ?? 1) - 1);
      json(response, status, { a: 1 });
    }, ms);
  });
  return { ...target, most, asked };
}

/** A session with only successful responses. */
function open(
  baseUrl: string,
  options: Partial<SessionOptions>,
  changes: Parameters<typeof session>[2] = {},
): Session {
  const opened: Session = session(
    baseUrl,
    {
      ...options,
      onExchange: ({ response }: Exchange) => {
        if (response?.status === 200) opened.widen();
      },
    },
    changes,
  );
  return opened;
}

const keys = (count: number): { keys: { valid: string[] } } => ({
  keys: { valid: Array.from({ length: count }, (_, index) => `key-${index + 1}`) },
});

const pages = (api: Session, count: number, role: 'valid' | 'none'): Promise<Exchange[]> =>
  Promise.all(
    Array.from({ length: count }, (_, page) => api.get('/news', { query: { page }, role })),
  );

describe('concurrent requests', () => {
  it('use the full concurrency, and those of one key are sent in sequence', async () => {
    const { baseUrl, most } = await busy();
    // A window that is used up soon even on a slow machine: only slow responses allow more concurrent requests per key.
    const limits = { requests: 5, windowMs: 60_000, monthlyQuota: 100_000 };
    const api = open(baseUrl, { concurrency: 4 }, { ...keys(8), limits });
    await pages(api, 40, 'valid');
    expect(most).toEqual({ all: 4, key: 1 });
  });

  it('proceed without keys while waiting for a key', async () => {
    const { baseUrl, most } = await busy();
    const api = open(baseUrl, { concurrency: 4 }, keys(1));
    await Promise.all([pages(api, 10, 'valid'), pages(api, 30, 'none')]);
    expect(most.all).toBe(4);
  });

  it('increase only with each successful response', async () => {
    const { baseUrl, most } = await busy(5, 404);
    const api = open(baseUrl, { concurrency: 4 }, keys(8));
    await Promise.allSettled(
      Array.from({ length: 5 }, (_, page) => api.get('/news', { query: { page } })),
    );
    expect(most.all).toBe(1);
  });

  it('drop to one after a failure', async () => {
    let failing = true;
    let [now, most] = [0, 0];
    const { baseUrl } = await server((_, response) => {
      now += 1;
      if (!failing) most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        json(response, failing ? 500 : 200, {});
      }, 5);
    });
    const api = session(baseUrl, { concurrency: 4 }, keys(8));
    for (let good = 0; good < 5; good += 1) api.widen();
    await api.get('/news');
    failing = false;
    await pages(api, 6, 'none');
    expect(most).toBe(1);
  });

  it('spend the rest of a budget in the order of the run', async () => {
    const { baseUrl, asked } = await busy(2);
    const position = new AsyncLocalStorage<number>();
    const options = { concurrency: 4, maxRequests: 10, position: () => position.getStore() ?? 0 };
    const api = open(baseUrl, options, keys(8));
    // Callers arrive in reverse order of the run, and each sends two requests.
    const askers = Array.from({ length: 10 }, (_, index) => 10 - index).map((own) =>
      position.run(own, async () => {
        await api.get('/news', { query: { page: own } });
        await api.get('/news', { query: { page: own, page_size: 20 } });
      }),
    );
    const ends = await Promise.allSettled(askers);
    const order = asked.map((url) => Number(/page=(\d+)/.exec(url)?.[1]));
    expect(asked).toHaveLength(10);
    // The first request was sent before the others arrived.
    expect(order).toEqual([10, 1, 1, 2, 2, 3, 3, 4, 4, 5]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });

  it('use up the window of the first key first, so that the limit is probed early', async () => {
    const requests = 5;
    const limits = { requests, windowMs: 60_000, monthlyQuota: 100_000 };
    const limiters = new Map<string, LimiterModel>();
    const asked: string[] = [];
    const { baseUrl } = await server((request, response) => {
      const key = String(request.headers[KEY]);
      asked.push(key);
      const options = { kind: 'from first request', announces: 'truth', ...limits } as const;
      const limiter = limiters.get(key) ?? new LimiterModel(options);
      limiters.set(key, limiter);
      const { status, announced } = limiter.handle(Date.now());
      const headers = {
        'X-RateLimit-Remaining': String(announced?.remaining),
        'X-RateLimit-Reset': String(announced?.resetAt),
      };
      json(response, status, {}, headers);
    });
    const api = open(baseUrl, { concurrency: 4, probeLimit: true }, { ...keys(4), limits });
    await pages(api, 15, 'valid');
    // The sixth request of the first key is the probe.
    expect(asked.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'key-1'));
    expect(asked).toHaveLength(16);
  });
});

describe('a check that is not alone', () => {
  it('may neither pin a key nor move the clock', async () => {
    const { baseUrl, asked } = await busy();
    const api = session(baseUrl, { concurrency: 4, alone: () => false });
    await expect(api.pin('valid', 0)).rejects.toThrow(TypeError);
    await expect(api.together(() => Promise.resolve())).rejects.toThrow(TypeError);
    await expect(api.advanceClock(1)).rejects.toThrow(TypeError);
    await expect(api.pass(1)).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });
});
