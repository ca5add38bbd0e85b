/** A rate that rises step by step until answers get slow. */
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { options as optionsOf, ramp } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';

export { handleSummary } from '../lib/summary.ts';
export { mixed as default } from '../lib/traffic.ts';

const { shape } = plan;

export const options = optionsOf({
  capacity: ramp(shape.rate / 20, [{ rate: shape.rate, ms: shape.durationMs }], shape.vus),
});

export function setup(): void {
  waitUntil(nextEdge());
}
