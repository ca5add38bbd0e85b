/** A tenth of the rate, then suddenly the full rate, then a tenth again. */
import { options as optionsOf, ramp } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { mixed } from '../lib/traffic.ts';

export { freshWindow as setup } from '../lib/clock.ts';
export { handleSummary } from '../lib/summary.ts';

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

// Not a re-export, which k6 would resolve again for every iteration.
export default mixed;
