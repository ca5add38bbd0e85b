/** A rate that rises step by step until answers get slow. */
import { options as optionsOf, rising } from '../lib/options.ts';
import { mixed } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

export const options = optionsOf({ capacity: rising() });

// An export of this file's own: k6 resolves one that is passed on anew for every iteration.
export default mixed;
