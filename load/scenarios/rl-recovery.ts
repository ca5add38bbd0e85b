/** Three times the limit on one key, spread evenly over several windows: refusals must not lengthen the wait. */
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { arrivals, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, send } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';

const { shape } = plan;

export const options = optionsOf({ recovery: arrivals(shape.rate, shape.durationMs, shape.vus) });

export function setup(): void {
  waitUntil(nextEdge());
}

export default function recovery(): Promise<void> {
  return guarded(async () => {
    const key = { value: await keyAt(0), index: 0 };
    send({ request: plainRequest(), key, phase: 'recovery' });
  });
}
