/** Realistic traffic over all endpoints, every key within its limit. */
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { arrivals, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';

export { handleSummary } from '../lib/summary.ts';
export { mixed as default } from '../lib/traffic.ts';

const { shape } = plan;

export const options = optionsOf({ mix: arrivals(shape.rate, shape.durationMs, shape.vus) });

export function setup(): void {
  waitUntil(nextEdge());
}
