/** One burst just before the edge of a window and one just after it, on one key. */
import { inBursts } from '../lib/bursts.ts';
import { schedule, vuIndex, type Schedule } from '../lib/clock.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { afterEdge, edgeDistance } from '../../src/load/schedule.ts';

export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ boundary: burst(plan.shape.vus, plan.shape.windows) });

/** Edges two windows apart, so that the key has a new window for each pair of bursts. */
export function setup(): Schedule {
  const { bursts } = schedule(1);
  const first = afterEdge(plan.freshAt, plan.windowMs, (bursts[0] ?? 0) + plan.windowMs / 2, 0);
  const edges = Array.from(
    { length: plan.shape.windows },
    (_, index) => first + 3 * index * plan.windowMs,
  );
  return { bursts: edges };
}

const distance = edgeDistance(plan.windowMs);

/** Every other virtual user sends before the edge, the rest after it. */
export default inBursts('edge', (edge) =>
  vuIndex() % 2 === 0 ? edge - distance : edge + distance,
);
