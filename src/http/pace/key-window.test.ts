import { describe, expect, it } from 'vitest';
import { keyWindow } from './key-window.ts';

/** Twenty requests with 10 ms between them, each told what is left of a window of 4 s, of which 0.3 s are left at first. */
function usedUp(resetAt: (now: number, count: number) => number): (now: number) => boolean {
  const key = keyWindow({ requests: 20, windowMs: 4000, skewMs: () => 0 });
  for (let count = 1; count <= 20; count += 1) {
    const now = 1000 + count * 10;
    key.send();
    key.settle(now, {
      status: 200,
      announced: { remaining: 20 - count, resetAt: resetAt(now, count) },
    });
  }
  return (now) => key.full(now);
}

describe('a window that is used up in its last second', () => {
  it('may last a second longer than announced where the rest is rounded down', () => {
    const isFull = usedUp((now, count) => now + (count === 1 ? 200 : 0));
    expect([1210, 2100, 2300].map(isFull)).toEqual([true, true, false]);
  });

  it('ends when it is announced to end where resets do not move', () => {
    const isFull = usedUp(() => 1500);
    expect([1210, 1500].map(isFull)).toEqual([true, false]);
  });
});

describe('a key that is refused after the announced end', () => {
  /** Moments at which a request may be sent next, as each of them is refused and the old end announced again. */
  const refusedAt = (first: number): readonly (number | null)[] => {
    const key = keyWindow({ requests: 20, windowMs: 60_000, skewMs: () => 0 });
    const refuse = (now: number): number | null => {
      key.send();
      key.settle(now, { status: 429, announced: { remaining: 0, resetAt: 100_000 } });
      return key.nextAt(now);
    };
    const next = refuse(first);
    return [next, refuse(next ?? 0)];
  };

  it('is asked again once the end has certainly passed, then after a window', () => {
    expect(refusedAt(101_000)).toEqual([105_200, 166_300]);
  });

  it('waits for the end before that', () => {
    expect(refusedAt(80_000)[0]).toBe(101_100);
  });
});
