import { describe, expect, it } from 'vitest';
import { monthsBefore, windowStart } from './ranges.ts';

describe('windowStart', () => {
  it.each([
    ['klines', '2026-09-09T15:30:00Z', '2026-06-09T00:00:00Z'],
    ['etf', '2026-09-09T15:30:00Z', '2026-08-09T00:00:00Z'],
    ['etf', '2026-03-31T00:00:00Z', '2026-02-28T00:00:00Z'],
    ['etf', '2028-03-31T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['klines', '2026-01-15T00:00:00Z', '2025-10-15T00:00:00Z'],
    ['news', '2026-09-09T15:30:00Z', '2026-09-02T15:30:00Z'],
  ] as const)('puts the start of %s at %s to %s', (name, now, start) => {
    expect(new Date(windowStart(name, Date.parse(now))).toISOString()).toBe(
      new Date(start).toISOString(),
    );
  });

  it('reaches over a year', () => {
    expect(monthsBefore(Date.UTC(2026, 0, 31), 2)).toBe(Date.UTC(2025, 10, 30));
  });
});
