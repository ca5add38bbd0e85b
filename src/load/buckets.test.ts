import * as fc from '../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { addBuckets, bucketOf, GROWTH, percentile, upperEdge } from './buckets.ts';

const counted = (durations: readonly number[]): Record<string, number> =>
  addBuckets(durations.map((ms) => ({ [bucketOf(ms)]: 1 })));

describe('buckets of latency', () => {
  it('hold a duration between their edges', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.06, max: 100_000, noNaN: true }), (ms) => {
        const bucket = bucketOf(ms);
        expect(ms).toBeLessThan(upperEdge(bucket) * 1.000001);
        expect(ms).toBeGreaterThan((upperEdge(bucket) / GROWTH) * 0.999999);
      }),
    );
  });

  it('give the same percentiles however the durations are split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.1, max: 10_000, noNaN: true }), { minLength: 1 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (durations, parts, share) => {
          const shares = Array.from({ length: parts }, (_, part) =>
            counted(durations.filter((_one, index) => index % parts === part)),
          );
          const merged = percentile(addBuckets(shares), share);
          expect(merged).toBe(percentile(counted(durations), share));
          const sorted = durations.toSorted((a, b) => a - b);
          const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
          // The upper edge of the bucket that holds the exact value.
          expect(merged).toBe(upperEdge(bucketOf(exact)));
        },
      ),
    );
  });

  it('have no percentile without counts', () => {
    expect(percentile({}, 0.5)).toBeNull();
  });
});
