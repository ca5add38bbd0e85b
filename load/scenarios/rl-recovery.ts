/** Three times the limit on one key, spread evenly over several windows: refusals must not lengthen the wait. */
import { arrivals, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainOn, type Iteration } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

const { shape } = plan;

export const options = optionsOf({ recovery: arrivals(shape.rate, shape.durationMs, shape.vus) });

export default function recovery(): Iteration {
  return plainOn(0, 'recovery');
}
