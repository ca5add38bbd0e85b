/** Steady traffic for a long time. */
import { options as optionsOf, steady } from '../lib/options.ts';
import { mixed } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

export const options = optionsOf({ soak: steady() });

// Not a re-export, which k6 would resolve again for every iteration.
export default mixed;
