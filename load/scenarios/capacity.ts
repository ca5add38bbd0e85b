/** A rate that rises step by step until answers get slow. */
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { options as optionsOf, rising } from '../lib/options.ts';

export { handleSummary } from '../lib/summary.ts';
export { mixed as default } from '../lib/traffic.ts';

export const options = optionsOf({ capacity: rising() });

export function setup(): void {
  waitUntil(nextEdge());
}
