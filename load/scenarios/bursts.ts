/** One request of every virtual user at the same time, in each of several windows. */
import { inBursts } from '../lib/bursts.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';

export { plannedBursts as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ burst: burst(plan.shape.vus, plan.shape.windows) });
export default inBursts(plan.scenario === 'quota' ? 'quota' : 'burst');
