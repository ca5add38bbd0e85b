/** Bursts in consecutive windows on a key whose monthly quota runs out. */
import { inBursts } from '../lib/bursts.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';

export { plannedBursts as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ quota: burst(plan.shape.vus, plan.shape.windows) });
export default inBursts({ phase: 'quota' });
