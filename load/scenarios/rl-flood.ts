/** Requests on one key at a rising rate, far beyond its limit. */
import { flooding, options as optionsOf } from '../lib/options.ts';
import { plainOn, type Iteration } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

export const options = optionsOf({ flood: flooding() });

export default function flood(): Iteration {
  return plainOn(0, 'flood');
}
