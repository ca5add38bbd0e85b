/** A rising rate until answers get slow. */
import { options as optionsOf, rising } from '../lib/options.ts';
import { mixed } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

export const options = optionsOf({ capacity: rising() });

// Not a re-export, which k6 would resolve again for every iteration.
export default mixed;
