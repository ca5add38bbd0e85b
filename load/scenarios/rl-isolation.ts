/** The second key stays within its limit, first alone and then during a flood on the first key. */
import { STEADY } from '../../src/load/plan.ts';
import { arrivals, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainOn, type Iteration } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

const { limit, windowMs, shape } = plan;
const half = shape.durationMs / 2;

export const options = optionsOf({
  flood: {
    ...arrivals(shape.rate, half, shape.vus),
    startTime: `${Math.ceil(half)}ms`,
    exec: 'flood',
  },
  steady: {
    ...arrivals((0.9 * limit * 1000) / windowMs, shape.durationMs, 5),
    exec: 'steady',
  },
});

export const flood = (): Iteration => plainOn(0, 'flood');
export const steady = (): Iteration => plainOn(1, STEADY);
