/** One burst just before the edge of a window and one just after it, on one key. */
import exec from 'k6/execution';
import { schedule, vuIndex, waitUntil, type Schedule } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, send, warmUp } from '../lib/request.ts';
import { afterEdge, edgeDistance } from '../../src/load/schedule.ts';

export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ boundary: burst(plan.shape.vus, plan.shape.windows) });

/** Edges two windows apart, so that each pair of bursts finds the key fresh. */
export function setup(): Schedule {
  const { bursts } = schedule(1);
  const first = afterEdge(plan.freshAt, plan.windowMs, (bursts[0] ?? 0) + plan.windowMs / 2, 0);
  const edges = Array.from(
    { length: plan.shape.windows },
    (_, index) => first + 3 * index * plan.windowMs,
  );
  return { bursts: edges };
}

export default function boundary({ bursts }: Schedule): Promise<void> {
  return guarded(async () => {
    const step = exec.vu.iterationInScenario;
    const edge = bursts[step];
    if (edge === undefined) throw new Error(`No moment is planned for edge ${step}.`);
    const value = await keyAt(0);
    if (step === 0) warmUp();
    const before = vuIndex() % 2 === 0;
    const distance = edgeDistance(plan.windowMs);
    const due = before ? edge - distance : edge + distance;
    waitUntil(due);
    send({ request: plainRequest(), key: { value, index: 0 }, phase: 'edge', step, due });
  });
}
