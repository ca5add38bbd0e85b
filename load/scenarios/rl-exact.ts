/** Three times the limit at the same time on one key, in several new windows. */
import { inBursts } from '../lib/bursts.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';

export { plannedBursts as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ exact: burst(plan.shape.vus, plan.shape.windows) });
export default inBursts({ phase: 'burst' });
