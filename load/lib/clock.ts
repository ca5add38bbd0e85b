import { sleep } from 'k6';
import exec from 'k6/execution';
import { afterEdge, burstTimes, margin } from '../../src/load/schedule.ts';
import { plan, startAt } from './plan.ts';

/** Waits for a moment. The last millisecond is spent looking at the clock: sleep alone wakes up too late by chance. */
export function waitUntil(time: number): void {
  const ahead = time - Date.now() - 1;
  if (ahead > 0) sleep(ahead / 1000);
  while (Date.now() < time);
}

/** Time that virtual users get for starting and for opening their connections before the first burst, ms. */
function lead(): number {
  return 600 + 8 * plan.shape.vus;
}

/** What setup hands to the virtual users: moments only, since k6 writes it into its summary. */
export interface Schedule {
  readonly bursts: readonly number[];
}

/** Chooses the moments of the bursts; several machines choose the same ones because they share `startAt`. */
export function schedule(count: number): Schedule {
  const earliest = Math.max(startAt ?? Date.now() + lead(), plan.notBefore);
  return { bursts: burstTimes(plan.freshAt, plan.windowMs, count, earliest) };
}

/** Setup of a scenario with a burst in each window. k6 hands an argument to setup, so it takes none of its own. */
export function plannedBursts(): Schedule {
  return schedule(plan.shape.windows);
}

/** The next edge of a window that leaves time to get ready. */
export function nextEdge(offset = margin(plan.windowMs)): number {
  const earliest = Math.max(startAt ?? Date.now() + 150, plan.notBefore);
  return afterEdge(plan.freshAt, plan.windowMs, earliest, offset);
}

/** Setup of a scenario that starts when every key has a fresh window. */
export function freshWindow(): void {
  waitUntil(nextEdge());
}

/** Zero-based number of this virtual user over all machines. */
export function vuIndex(): number {
  return exec.vu.idInTest - 1;
}
