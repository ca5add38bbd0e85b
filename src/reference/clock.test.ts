import { describe, expect, it } from 'vitest';
import { manualClock, movableClock } from './clock.ts';

describe('clocks', () => {
  it('move forward only, by whole milliseconds', () => {
    for (const clock of [movableClock(), manualClock(0)]) {
      for (const step of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(() => clock.advance(step)).toThrow(RangeError);
      }
    }
  });

  it('stand still or go on', () => {
    const clock = manualClock(5);
    clock.advance(10);
    expect(clock.now()).toBe(15);
    const start = Date.UTC(2026, 0, 1);
    const before = Date.now();
    const moving = movableClock(start);
    moving.advance(1_000_000);
    const passed = moving.now() - start - 1_000_000;
    expect(passed).toBeGreaterThanOrEqual(0);
    // However slow the machine is: no more than really passed, but for the rounding of two clocks.
    expect(passed).toBeLessThanOrEqual(Date.now() - before + 2);
  });
});
