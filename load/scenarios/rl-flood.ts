/** Requests on one key at a rising rate, far beyond its limit. */
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { options as optionsOf, ramp } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, send } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';

const { shape } = plan;

export const options = optionsOf({
  flood: ramp(
    shape.rate / 10,
    [
      { rate: shape.rate, ms: shape.durationMs / 2 },
      { rate: shape.rate, ms: shape.durationMs / 2 },
    ],
    shape.vus,
  ),
});

export function setup(): void {
  waitUntil(nextEdge());
}

const request = plainRequest();

export default function flood(): Promise<void> {
  return guarded(async () => {
    const key = { value: await keyAt(0), index: 0 };
    send({ request, key, phase: 'flood' });
  });
}
