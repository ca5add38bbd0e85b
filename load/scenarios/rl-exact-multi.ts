/** Twice the limit at the same moment on each of several keys. */
import exec from 'k6/execution';
import { schedule, vuIndex, waitUntil, type Schedule } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, send, warmUp } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ multi: burst(plan.shape.vus, plan.shape.windows) });
export const setup = (): Schedule => schedule();

export default function multi({ bursts }: Schedule): Promise<void> {
  return guarded(async () => {
    const step = exec.vu.iterationInScenario;
    const due = bursts[step];
    if (due === undefined) throw new Error(`No moment is planned for burst ${step}.`);
    const index = vuIndex() % plan.keys;
    const value = await keyAt(index);
    if (step === 0) warmUp();
    waitUntil(due);
    send({ request: plainRequest(), key: { value, index }, phase: 'burst', step, due });
  });
}
