import { sleep } from 'k6';
import exec from 'k6/execution';
import { afterEdge, burstTimes, margin } from '../../src/load/schedule.ts';
import { plan } from './plan.ts';

/** Waits until a time. The last millisecond is a busy wait, because sleep may wake up too late. */
export function waitUntil(time: number): void {
  const ahead = time - Date.now() - 1;
  if (ahead > 0) sleep(ahead / 1000);
  while (Date.now() < time);
}

/** Result of setup: times only, because k6 writes it to its summary. */
export interface Schedule {
  readonly bursts: readonly number[];
}

/** Chooses the times of the bursts; several machines choose the same ones because they share `startAt`. */
export function schedule(count: number): Schedule {
  // Virtual users need time to start and to open their connections before the first burst.
  const ready = Date.now() + 600 + 8 * plan.shape.vus;
  const earliest = Math.max(plan.startAt ?? ready, plan.notBefore);
  return { bursts: burstTimes(plan.freshAt, plan.windowMs, count, earliest) };
}

/** Setup of a scenario with a burst in each window. It takes no parameter, because k6 passes one. */
export function plannedBursts(): Schedule {
  return schedule(plan.shape.windows);
}

/** The next edge of a window that leaves time to prepare. */
export function nextEdge(offset = margin(plan.windowMs)): number {
  const earliest = Math.max(plan.startAt ?? Date.now() + 150, plan.notBefore);
  return afterEdge(plan.freshAt, plan.windowMs, earliest, offset);
}

/** Setup of a scenario that starts when every key has a new window. */
export function freshWindow(): void {
  waitUntil(nextEdge());
}

/** Zero-based number of this virtual user over all machines. */
export function vuIndex(): number {
  return exec.vu.idInTest - 1;
}
