import { openClient } from '../http/client.ts';
import { clockControl, sleep, type AdvanceClock } from '../http/pace/run-clock.ts';
import type { Target } from '../target/target.ts';

/** Time of the monitor, epoch ms. */
export interface MonitorClock {
  now(): Promise<number>;
  /** Waits until a time; returns early if the signal is aborted. */
  until(moment: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Longest sleep before the clock is read again, ms: it may have been set, and timers do not count time in which the
 * machine slept.
 */
const LOOK_MS = 20_000;

/** The clock of this machine. */
export const machineClock: MonitorClock = {
  now: () => Promise.resolve(Date.now()),
  async until(moment, signal) {
    for (let left = moment - Date.now(); left > 0 && !signal.aborted; left = moment - Date.now()) {
      await sleep(Math.min(left, LOOK_MS), signal);
    }
  },
  close: () => Promise.resolve(),
};

/**
 * The clock for monitoring a target. That of a test target is advanced instead of waiting.
 * @throws TargetError if a test target does not return its time
 */
export function clockFor({ http, clock }: Target): MonitorClock {
  if (clock === undefined) return machineClock;
  const client = openClient(http, Date.now);
  const move: AdvanceClock = clockControl(clock.control, client);
  return {
    now: () => move(0),
    async until(moment, signal) {
      const left = moment - (await move(0));
      if (left > 0 && !signal.aborted) await move(Math.ceil(left));
    },
    close: () => client.close(),
  };
}
