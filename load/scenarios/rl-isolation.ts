/** A flood on the first key while the second one keeps to its limit. */
import exec from 'k6/execution';
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { arrivals, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, send } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';

const { limit, windowMs, shape } = plan;

export const options = optionsOf({
  flood: { ...arrivals(shape.rate, shape.durationMs, shape.vus), exec: 'flood' },
  steady: {
    ...arrivals((0.9 * limit * 1000) / windowMs, shape.durationMs, 5),
    exec: 'steady',
  },
});

/** Starts both when every key has a fresh window. */
export function setup(): void {
  waitUntil(nextEdge());
}

export function flood(): Promise<void> {
  return guarded(async () => {
    const key = { value: await keyAt(0), index: 0 };
    send({ request: plainRequest(), key, phase: 'flood' });
  });
}

export function steady(): Promise<void> {
  return guarded(async () => {
    const key = { value: await keyAt(1), index: 1 };
    send({
      request: plainRequest(),
      key,
      phase: 'steady',
      step: exec.scenario.iterationInTest,
    });
  });
}
