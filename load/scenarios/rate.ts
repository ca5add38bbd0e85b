/** Requests at a rate: across all endpoints with every key, or plain ones on one key. */
import { flooding, options as optionsOf, rising, spiking, steady } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { mixed, plainOn, type Iteration } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

const RATES: Readonly<Partial<Record<typeof plan.scenario, typeof steady>>> = {
  capacity: rising,
  spike: spiking,
  'rl-flood': flooding,
};
export const options = optionsOf({ rate: (RATES[plan.scenario] ?? steady)() });

const phase = plan.scenario === 'rl-flood' ? 'flood' : 'recovery';
const onOne = (): Iteration => plainOn(0, phase);

// Not a re-export, which k6 would resolve again for every iteration.
export default plan.scenario.startsWith('rl-') ? onOne : mixed;
