/** Realistic traffic across all endpoints, with every key within its limit. */
import { options as optionsOf, steady } from '../lib/options.ts';
import { mixed } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

export const options = optionsOf({ mix: steady() });

// Not a re-export, which k6 would resolve again for every iteration.
export default mixed;
