/** Realistic traffic over all endpoints, every key within its limit. */
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { options as optionsOf, steady } from '../lib/options.ts';

export { handleSummary } from '../lib/summary.ts';
export { mixed as default } from '../lib/traffic.ts';

export const options = optionsOf({ mix: steady() });

export function setup(): void {
  waitUntil(nextEdge());
}
