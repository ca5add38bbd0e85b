import exec from 'k6/execution';
import { vuIndex, waitUntil, type Schedule } from './clock.ts';
import { guarded } from './guard.ts';
import { keyAt } from './keys.ts';
import { plan } from './plan.ts';
import { plainRequest, send, warmUp } from './request.ts';

/**
 * Every virtual user sends one request per planned burst on its key, in one iteration. Connections are opened before the first
 * burst, without a key, so that all requests of a burst leave simultaneously.
 * @param dueOf time at which this virtual user sends, given the time of the burst
 */
export function inBursts(phase: 'burst' | 'edge' | 'quota', dueOf = (moment: number) => moment) {
  return ({ bursts }: Schedule): Promise<void> =>
    guarded(async () => {
      const step = exec.vu.iterationInScenario;
      const moment = bursts[step];
      if (moment === undefined) throw new Error(`No time is planned for burst ${step}.`);
      const sender = await keyAt(vuIndex() % plan.keys);
      if (step === 0) warmUp();
      const due = dueOf(moment);
      waitUntil(due);
      send(plainRequest(), sender, phase, step, due);
    });
}
