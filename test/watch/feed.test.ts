import { describe, expect, it } from 'vitest';
import { Feed, type FeedState } from '../../src/watch/feed.ts';
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
  readonly feed = new Feed(
    (message) => {
      if (message.type === 'exchanges') this.taken.push(...message.exchanges);
      else if (message.type === 'missed') {
        this.log.push(`${message.count} missed: ${message.reason}`);
      } else this.log.push(message.type);
    },
    7,
    (state) => this.states.push(state),
  );
  catchUp(): void {
    const taken = this.taken.splice(0);
    const bytes = taken.reduce((sum, { body }) => sum + (body?.byteLength ?? 0), 0);
    this.feed.done(taken.length, bytes);
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
  ])('is skipped contiguously if too many %s wait, and that is reported', (_, count, bytes) => {
    const slow = new Slow();
    const { feed } = slow;
    for (let number = 1; number <= count; number += 1) feed.take(exchange(number, bytes));
    expect(slow.states).toHaveLength(1);
    expect(feed.state.isSampling).toBe(true);
    const { sampled } = feed.state;
    expect(sampled).toBeGreaterThan(10);
    // What was taken is whole up to a point, and nothing behind it.
    feed.flush();
    expect(slow.taken.map(({ number }) => number)).toEqual(
      Array.from({ length: count - sampled }, (__, at) => at + 1),
    );
    slow.catchUp();
    expect(slow.states.at(-1)).toMatchObject({ isSampling: false, sampled });
    // Said before anything that comes behind it.
    expect(slow.log.at(-1)).toBe('gap');
    expect(slow.log[0]).toMatch(/^\d+ missed: the judge was behind/);
    feed.take(exchange(count + 1, bytes));
    feed.flush();
    expect(slow.taken.map(({ number }) => number)).toEqual([count + 1]);
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
