/** A rate that rises step by step until answers get slow. */
import { options as optionsOf, rising } from '../lib/options.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';
export { mixed as default } from '../lib/traffic.ts';

export const options = optionsOf({ capacity: rising() });
