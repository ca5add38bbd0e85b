import { describe, expect, it } from 'vitest';
import { SkewEstimate } from './skew.ts';

const T = 1_750_000_000_000;
const date = (time: number): string => new Date(time).toUTCString();

describe('SkewEstimate', () => {
  it('treats clocks as equal within the resolution of the header', () => {
    const skew = new SkewEstimate();
    expect([skew.ms, skew.uncertaintyMs]).toEqual([0, Number.POSITIVE_INFINITY]);
    skew.observe(date(T + 999), T + 980, T + 1000);
    expect(skew.ms).toBe(0);
    expect(skew.uncertaintyMs).toBe(1000);
  });

  it.each([90_000, -90_000, 2500])('finds a difference of %d ms and narrows it', (truth) => {
    const skew = new SkewEstimate();
    for (let index = 0; index < 30; index += 1) {
      const sentAt = T + index * 1037;
      skew.observe(date(sentAt + 10 + truth), sentAt, sentAt + 20);
    }
    expect(Math.abs(skew.ms - truth)).toBeLessThanOrEqual(skew.uncertaintyMs);
    expect(skew.uncertaintyMs).toBeLessThan(120);
  });

  it('does not mistake a slow response for a wrong clock', () => {
    const skew = new SkewEstimate();
    skew.observe(date(T + 9000), T, T + 9500);
    expect(skew.ms).toBe(0);
  });

  it('restarts when a clock was set', () => {
    const skew = new SkewEstimate();
    skew.observe(date(T), T, T + 10);
    skew.observe(date(T + 3_600_000), T + 1000, T + 1010);
    expect(Math.abs(skew.ms - 3_599_000)).toBeLessThan(1200);
  });

  it('keeps its estimate when a single response is old, as from a cache', () => {
    const skew = new SkewEstimate();
    skew.observe(date(T), T, T + 10);
    skew.observe(date(T - 60_000), T + 1000, T + 1010);
    expect(skew.ms).toBe(0);
    skew.observe(date(T + 2000), T + 2000, T + 2010);
    skew.observe(date(T - 60_000), T + 3000, T + 3010);
    expect(skew.ms).toBe(0);
  });

  it('restarts when several responses in a row show that a clock was set back', () => {
    const skew = new SkewEstimate();
    skew.observe(date(T), T, T + 10);
    for (let seconds = 1; seconds <= 4; seconds += 1) {
      expect(skew.ms).toBe(0);
      const sentAt = T + seconds * 1000;
      skew.observe(date(sentAt - 3_600_000), sentAt, sentAt + 10);
    }
    expect(Math.abs(skew.ms + 3_600_000)).toBeLessThan(1200);
  });

  it('accepts an exact time', () => {
    const skew = new SkewEstimate();
    skew.observe(date(T + 60_000), T, T + 10);
    skew.observeExact(T + 60_505, T + 500, T + 510);
    expect(skew.ms).toBe(60_000);
    expect(skew.uncertaintyMs).toBe(5);
  });

  it.each([undefined, '', 'tomorrow', '2025-06-15T00:00:00Z', '12'])(
    'passes over the header %j',
    (header) => {
      const skew = new SkewEstimate();
      skew.observe(header, T, T + 10);
      expect(skew.uncertaintyMs).toBe(Number.POSITIVE_INFINITY);
    },
  );
});
