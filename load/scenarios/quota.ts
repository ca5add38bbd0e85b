/** Bursts in one window after the other on a key whose monthly quota runs out among them. */
import exec from 'k6/execution';
import { schedule, waitUntil, type Schedule } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, send, warmUp } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ quota: burst(plan.shape.vus, plan.shape.windows) });
export const setup = (): Schedule => schedule();

export default function quota({ bursts }: Schedule): Promise<void> {
  return guarded(async () => {
    const step = exec.vu.iterationInScenario;
    const due = bursts[step];
    if (due === undefined) throw new Error(`No moment is planned for burst ${step}.`);
    const value = await keyAt(0);
    if (step === 0) warmUp();
    waitUntil(due);
    send({ request: plainRequest(), key: { value, index: 0 }, phase: 'quota', step, due });
  });
}
