/** Twice the limit at the same time on each of several keys. */
import { inBursts } from '../lib/bursts.ts';
import { vuIndex } from '../lib/clock.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';

export { plannedBursts as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ multi: burst(plan.shape.vus, plan.shape.windows) });
export default inBursts({ phase: 'burst', keyIndex: () => vuIndex() % plan.keys });
