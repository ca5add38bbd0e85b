/** Steady traffic for a long time. */
import { options as optionsOf, steady } from '../lib/options.ts';
import { mixed } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

export const options = optionsOf({ soak: steady() });

// An export of this file's own: k6 resolves one that is passed on anew for every iteration.
export default mixed;
