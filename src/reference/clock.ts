/** Source of time for everything the reference server does: limits, quota, data, the `Date` header. */
import { DAY } from '../spec/time.ts';

export interface Clock {
  /** Current time, epoch ms. */
  now(): number;
  /** Moves the clock forward by whole milliseconds. Absent when the clock cannot be moved. */
  advance?(ms: number): void;
}

/** A clock that can be moved. */
export type MovableClock = Clock & { advance(ms: number): void };

/** The time of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * The time of the machine plus an offset that `advance` increases. `start` (epoch ms) sets what it shows at first;
 * without it the clock starts at the present.
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

/** A clock that stands still at `start` (epoch ms) and moves only by `advance`: for answers that repeat exactly. */
export function standingClock(start: number): MovableClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += checkedStep(ms);
    },
  };
}

/** Longest step that a clock takes at once: ten years. */
export const LONGEST_STEP_MS = 10 * 366 * DAY;

function checkedStep(ms: number): number {
  if (!Number.isInteger(ms) || ms < 0 || ms > LONGEST_STEP_MS) {
    throw new RangeError(
      `A clock moves forward by 0 to ${LONGEST_STEP_MS} whole milliseconds; got ${ms}.`,
    );
  }
  return ms;
}
