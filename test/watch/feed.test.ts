import { describe, expect, it } from 'vitest';
import { feedOf, type FeedState } from '../../src/watch/feed.ts';
import type { CallJudge } from '../../src/watch/judge-link.ts';
import type { RawExchange } from '../../src/watch/raw-exchange.ts';

function exchange(number: number, bytes: number): RawExchange {
  return {
    number,
    method: 'GET',
    path: '/v1/etfs',
    requestHeaders: [],
    status: 200,
    responseHeaders: [],
    body: new Uint8Array(bytes),
    sentAt: 0,
    receivedAt: 1,
    client: '127.0.0.1',
  };
}

/** A judge that takes what it is given and does nothing until it is told to. */
class Slow {
  readonly log: string[] = [];
  readonly states: FeedState[] = [];
  readonly taken: RawExchange[] = [];
  #results: ((result: true | undefined) => void)[] = [];
  readonly feed = feedOf(
    ((name: string, first: unknown, count: unknown) => {
      if (name === 'take') {
        this.taken.push(...(first as RawExchange[]));
        return new Promise((resolve) => this.#results.push(resolve));
      }
      this.log.push(name === 'miss' ? `${String(count)} missed: ${String(first)}` : name);
      return Promise.resolve(true);
    }) as unknown as CallJudge,
    7,
    (state) => this.states.push(state),
  );
  async catchUp(isCrashed = false): Promise<void> {
    this.taken.length = 0;
    for (const done of this.#results.splice(0)) done(isCrashed ? undefined : true);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('what the proxy sees, on its way to the judge', () => {
  it('continues the numbers of an earlier watch', () => {
    const { feed } = new Slow();
    expect([feed.begin(), feed.begin()]).toEqual([8, 9]);
  });

  it.each([
    ['exchanges', 5000, 10],
    ['bytes', 60, 1024 * 1024],
  ])(
    'is skipped contiguously if too many %s wait, and that is reported',
    async (_, count, bytes) => {
      const slow = new Slow();
      const { feed } = slow;
      for (let number = 1; number <= count; number += 1) feed.take(exchange(number, bytes));
      expect(slow.states).toHaveLength(1);
      expect(feed.state().isSampling).toBe(true);
      const { sampled } = feed.state();
      expect(sampled).toBeGreaterThan(10);
      // What was taken is whole up to a point, and nothing behind it.
      feed.flush();
      expect(slow.taken.map(({ number }) => number)).toEqual(
        Array.from({ length: count - sampled }, (__, at) => at + 1),
      );
      await slow.catchUp();
      expect(slow.states.at(-1)).toMatchObject({ isSampling: false, sampled });
      // Said before anything that comes behind it.
      expect(slow.log.at(-1)).toBe('gap');
      expect(slow.log[0]).toMatch(/^\d+ missed: the judge was behind/);
      feed.take(exchange(count + 1, bytes));
      feed.flush();
      expect(slow.taken.map(({ number }) => number)).toEqual([count + 1]);
    },
  );

  it('counts what a crashed judge had not taken, and reports a gap', async () => {
    const slow = new Slow();
    for (let number = 1; number <= 3; number += 1) slow.feed.take(exchange(number, 10));
    slow.feed.flush();
    await slow.catchUp(true);
    expect(slow.feed.state()).toEqual({ sampled: 3, isSampling: false });
    expect(slow.log).toEqual([expect.stringMatching(/^3 missed: the judge was behind/), 'gap']);
  });

  it('reports a judge that is gone once', async () => {
    const states: FeedState[] = [];
    const gone = () => Promise.resolve(undefined);
    const feed = feedOf(gone, 0, (state) => states.push(state));
    for (let number = 1; number <= 3; number += 1) {
      feed.take(exchange(number, 10));
      feed.flush();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(states).toEqual([{ sampled: 1, isSampling: true }]);
    expect(feed.state()).toEqual({ sampled: 3, isSampling: true });
  });

  it('keeps no more bodies of open answers than the budget allows', () => {
    const { feed } = new Slow();
    let kept = 0;
    while (feed.keep(1024 * 1024)) kept += 1;
    expect(kept).toBe(64);
    feed.release(1024 * 1024);
    expect(feed.keep(1024 * 1024)).toBe(true);
  });
});
