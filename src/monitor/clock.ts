import { Client } from '../http/client.ts';
import { clockControl } from '../http/pace/clock-control.ts';
import { sleep, type AdvanceClock } from '../http/pace/run-clock.ts';
import type { Target } from '../target/target.ts';

/** Time as a monitor counts it, epoch ms. */
export interface MonitorClock {
  now(): Promise<number>;
  /** Waits until a moment; returns early when the signal is aborted. */
  until(moment: number, signal: AbortSignal): Promise<void>;
  /** True when time is that of a test target and passes on demand. */
  readonly moved: boolean;
  close(): Promise<void>;
}

/**
 * Longest time that is slept at once, ms. The clock is looked at again then: it may have been set, and the machine may have
 * slept meanwhile, which timers do not count.
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
  moved: false,
  close: () => Promise.resolve(),
};

/**
 * The clock of a test target, which is moved instead of waited for: days pass in the time that the runs take.
 * @throws TargetError when the target does not tell its time
 */
export function targetClock(target: Target, control: string): MonitorClock {
  const client = new Client({ http: target.http, now: Date.now });
  const move: AdvanceClock = clockControl(control, client);
  return {
    now: () => move(0),
    async until(moment, signal) {
      const left = moment - (await move(0));
      if (left > 0 && !signal.aborted) await move(Math.ceil(left));
    },
    moved: true,
    close: () => client.close(),
  };
}

/** The clock that a target is monitored by. */
export const clockFor = (target: Target): MonitorClock =>
  target.clock === undefined ? machineClock : targetClock(target, target.clock.control);
