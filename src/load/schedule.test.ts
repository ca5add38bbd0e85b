import * as fc from '../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { afterEdge, burstTimes, margin } from './schedule.ts';

const windows = fc.integer({ min: 1000, max: 60_000 });
const moments = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });

describe('burstTimes', () => {
  it('gives each burst a new window of every kind', () => {
    fc.assert(
      fc.property(
        windows,
        moments,
        fc.integer({ min: 0, max: 200_000 }),
        fc.integer({ min: 1, max: 60 }),
        (windowMs, freshAt, later, count) => {
          const times = burstTimes(freshAt, windowMs, count, freshAt + later);
          expect(times).toHaveLength(count);
          for (const [index, at] of times.entries()) {
            const phase = (((at - freshAt) % windowMs) + windowMs) % windowMs;
            expect(at).toBeGreaterThanOrEqual(freshAt + later);
            expect(phase).toBeGreaterThanOrEqual(margin(windowMs) - 1);
            expect(phase).toBeLessThanOrEqual(windowMs * 0.6 + 1);
            // Far enough for windows that slide or start with a request.
            if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThan(windowMs + 30);
          }
        },
      ),
    );
  });
});

describe('afterEdge', () => {
  it('finds the first time after an edge that is not too early', () => {
    expect(afterEdge(1000, 500, 0, 50)).toBe(1050);
    expect(afterEdge(1000, 500, 1050, 50)).toBe(1050);
    expect(afterEdge(1000, 500, 1051, 50)).toBe(1550);
    expect(afterEdge(1000, 500, 9999, 50)).toBe(10_050);
  });
});
