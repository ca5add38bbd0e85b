import { describe, expect, it } from 'vitest';
import { anchoredWindow, fixedWindow, monthlyQuota, slidingWindow } from './limiter.ts';

const WINDOW = 60_000;
const START = Date.UTC(2026, 8, 9, 14, 0, 0);
const settings = { limit: 20, windowMs: WINDOW };

function admitted(kind: typeof fixedWindow, times: readonly number[]): number {
  const limiter = kind(settings);
  return times.filter((time) => limiter.take('key', time).admitted).length;
}

describe.each([
  ['fixed', fixedWindow],
  ['anchored', anchoredWindow],
  ['sliding', slidingWindow],
] as const)('%s window', (_name, kind) => {
  it('admits exactly the limit and counts down to zero', () => {
    const limiter = kind(settings);
    const taken = Array.from({ length: 25 }, () => limiter.take('key', START));
    expect(taken.map((admission) => admission.remaining)).toEqual(
      Array.from({ length: 25 }, (_, index) => Math.max(0, 19 - index)),
    );
    expect(taken.filter((admission) => admission.admitted)).toHaveLength(20);
  });

  it('admits again at the announced reset, not a millisecond earlier', () => {
    const limiter = kind(settings);
    for (let count = 0; count < 20; count += 1) limiter.take('key', START + 7);
    const { resetAt, admitted: late } = limiter.take('key', START + 40_000);
    expect(late).toBe(false);
    expect(limiter.take('key', resetAt - 1).admitted).toBe(false);
    expect(limiter.take('key', resetAt).admitted).toBe(true);
  });

  it('keeps buckets apart', () => {
    const limiter = kind(settings);
    for (let count = 0; count < 21; count += 1) limiter.take('one', START);
    expect(limiter.take('other', START)).toMatchObject({ admitted: true, remaining: 19 });
  });

  it('gives a slot back', () => {
    const limiter = kind(settings);
    const first = limiter.take('key', START);
    expect(limiter.refund('key', START, first).remaining).toBe(20);
    expect(limiter.take('key', START).remaining).toBe(19);
  });

  it('is not extended by refused requests', () => {
    const limiter = kind(settings);
    for (let count = 0; count < 20; count += 1) limiter.take('key', START);
    for (let time = START; time < START + WINDOW; time += 500) limiter.take('key', time);
    expect(limiter.take('key', START + WINDOW).admitted).toBe(true);
  });
});

describe('difference between the windows', () => {
  const straddle = [
    ...Array.from({ length: 20 }, () => START + WINDOW - 10),
    ...Array.from({ length: 20 }, () => START + WINDOW + 10),
  ];

  it('lets a fixed window admit twice the limit around its edge', () => {
    expect(admitted(fixedWindow, straddle)).toBe(40);
  });

  it('lets the others admit the limit only', () => {
    expect(admitted(anchoredWindow, straddle)).toBe(20);
    expect(admitted(slidingWindow, straddle)).toBe(20);
  });

  it('frees slots one by one in a sliding window', () => {
    const limiter = slidingWindow(settings);
    for (let count = 0; count < 20; count += 1) limiter.take('key', START + count * 1000);
    expect(limiter.take('key', START + WINDOW).admitted).toBe(true);
    expect(limiter.take('key', START + WINDOW).admitted).toBe(false);
    expect(limiter.take('key', START + WINDOW + 1000).admitted).toBe(true);
  });
});

describe('monthlyQuota', () => {
  it('counts calendar months in UTC', () => {
    const start = Date.UTC(2026, 11, 31, 23, 59, 59);
    const quota = monthlyQuota(3, new Map([['near', 1]]), start);
    expect(quota.take('near', start)).toBe(true);
    expect(quota.take('near', start)).toBe(false);
    expect(quota.remaining('other', start)).toBe(3);
    expect(quota.resetAt(start)).toBe(Date.UTC(2027, 0, 1));
    expect(quota.take('near', start + 1000)).toBe(true);
    expect(quota.remaining('near', start + 1000)).toBe(2);
  });
});
