import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { machineClock } from './clock.ts';

const START = Date.parse('2026-11-23T06:00:00Z');
const HOUR = 3_600_000;

describe('the clock of this machine', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** True once the wait for a moment is over. */
  function waiting(moment: number, signal = new AbortController().signal): { over: boolean } {
    const state = { over: false };
    void machineClock.until(moment, signal).then(() => {
      state.over = true;
      return null;
    });
    return state;
  }

  it('waits until a time', async () => {
    const wait = waiting(START + HOUR);
    await vi.advanceTimersByTimeAsync(HOUR - 1000);
    expect(wait.over).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(wait.over).toBe(true);
  });

  it('notices within half a minute that the machine has slept', async () => {
    const wait = waiting(START + 6 * HOUR);
    await vi.advanceTimersByTimeAsync(60_000);
    // Timers stand still meanwhile, and the clock does not.
    vi.setSystemTime(START + 8 * HOUR);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(wait.over).toBe(true);
  });

  it('waits longer when the clock is set back', async () => {
    const wait = waiting(START + HOUR);
    await vi.advanceTimersByTimeAsync(HOUR / 2);
    vi.setSystemTime(START);
    await vi.advanceTimersByTimeAsync(HOUR - 60_000);
    expect(wait.over).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(wait.over).toBe(true);
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const wait = waiting(START + 24 * HOUR, stop.signal);
    await vi.advanceTimersByTimeAsync(1000);
    stop.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(wait.over).toBe(true);
  });

  it('tells the time', async () => {
    expect(await machineClock.now()).toBe(START);
  });
});
