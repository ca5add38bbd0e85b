import { describe, expect, it } from 'vitest';
import { runClock } from './run-clock.ts';

/** A clock with a target that takes a while to advance its own. */
function slowTarget() {
  const moves: number[] = [];
  const told: number[] = [];
  let targetNow = 1_000_000;
  const clock = runClock({
    now: () => 0,
    advance: async (ms) => {
      moves.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
      targetNow += ms;
      return targetNow;
    },
    onAdvance: (target, sentAt) => told.push(target - sentAt),
  });
  return { clock, moves, told };
}

describe('the clock of a run', () => {
  it('combines simultaneous waits', async () => {
    const { clock, moves } = slowTarget();
    await Promise.all([clock.wait(60_000), clock.wait(20_000), clock.wait(75_000)]);
    expect(moves).toEqual([60_000, 15_000]);
    expect(clock.now()).toBe(75_000);
  });

  it('moves the clock in one step at a time, so that the clocks never diverge', async () => {
    const { clock, told } = slowTarget();
    await Promise.all([clock.advance(60_000), clock.wait(90_000), clock.advance(5000)]);
    expect(new Set(told)).toEqual(new Set([1_000_000]));
  });

  it('continues after a failed step', async () => {
    let calls = 0;
    const clock = runClock({
      now: () => 0,
      advance: (ms) => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('not now')) : Promise.resolve(ms);
      },
    });
    await expect(clock.wait(10)).rejects.toThrow('not now');
    await clock.wait(20);
    expect(clock.now()).toBe(20);
  });
});
