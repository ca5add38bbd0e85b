/** Source of time for everything the reference server does: limits, quota, data, the `Date` header. */
import { DAY } from '../spec/time.ts';

export interface Clock {
  /** Current time, epoch ms. */
  now(): number;
  /** Advances the clock by whole milliseconds. Absent when it cannot be advanced. */
  advance?(ms: number): void;
}

/** A clock that can be advanced. */
export type MovableClock = Clock & { advance(ms: number): void };

/** The system clock. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * The system clock plus an offset that `advance` increases. `start` (epoch ms) sets the initial time; the present by default.
 */
export function movableClock(start?: number): MovableClock {
  let offset = start === undefined ? 0 : start - Date.now();
  return {
    now: () => Date.now() + offset,
    advance(ms) {
      offset += checkedStep(ms);
    },
  };
}

/** A clock that only moves by `advance`, for reproducible responses. */
export function manualClock(start: number): MovableClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += checkedStep(ms);
    },
  };
}

/** Longest step: ten years. */
export const LONGEST_STEP_MS = 10 * 366 * DAY;

function checkedStep(ms: number): number {
  if (!Number.isInteger(ms) || ms < 0 || ms > LONGEST_STEP_MS) {
    throw new RangeError(
      `A clock moves forward by 0 to ${LONGEST_STEP_MS} whole milliseconds; got ${ms}.`,
    );
  }
  return ms;
}
