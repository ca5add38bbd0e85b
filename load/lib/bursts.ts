import exec from 'k6/execution';
import { waitUntil } from './clock.ts';
import type { Schedule } from './clock.ts';
import { guarded } from './guard.ts';
import { keyAt } from './keys.ts';
import { plainRequest, send, warmUp } from './request.ts';

/** What tells the bursts of one scenario from those of another. */
interface Bursts {
  readonly phase: 'burst' | 'edge' | 'quota';
  /** Index of the key that this virtual user sends; the first one by default. */
  readonly keyIndex?: () => number;
  /** When this virtual user sends, given the moment of the burst; exactly then by default. */
  readonly dueOf?: (moment: number) => number;
}

/**
 * Every virtual user sends one request in each planned burst, an iteration each. Connections are opened before the first
 * one, without a key, so that all of a burst leave at the same moment.
 */
export function inBursts({
  phase,
  keyIndex = () => 0,
  dueOf = (moment) => moment,
}: Bursts): (schedule: Schedule) => Promise<void> {
  return ({ bursts }) =>
    guarded(async () => {
      const step = exec.vu.iterationInScenario;
      const moment = bursts[step];
      if (moment === undefined) throw new Error(`No moment is planned for burst ${step}.`);
      const sender = await keyAt(keyIndex());
      if (step === 0) warmUp();
      const due = dueOf(moment);
      waitUntil(due);
      send(plainRequest(), sender, phase, step, due);
    });
}
