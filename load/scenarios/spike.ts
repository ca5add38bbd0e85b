/** A tenth of the rate, all of it at once, and a tenth again. */
import { options as optionsOf, ramp } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';
export { mixed as default } from '../lib/traffic.ts';

const { shape } = plan;
const third = shape.durationMs / 3;

export const options = optionsOf({
  spike: ramp(
    shape.rate / 10,
    [
      { rate: shape.rate / 10, ms: third },
      { rate: shape.rate, ms: 100 },
      { rate: shape.rate, ms: third },
      { rate: shape.rate / 10, ms: 100 },
      { rate: shape.rate / 10, ms: third },
    ],
    shape.vus,
  ),
});
