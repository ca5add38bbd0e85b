/** Realistic traffic over all endpoints, every key within its limit. */
import { options as optionsOf, steady } from '../lib/options.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';
export { mixed as default } from '../lib/traffic.ts';

export const options = optionsOf({ mix: steady() });
