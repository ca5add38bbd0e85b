/** Every endpoint once, no faster than the keys allow. */
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { resetOf, send } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ smoke: burst(1, 1) });

export default function smoke(): Promise<void> {
  return guarded(async () => {
    let reset = Number.NaN;
    waitUntil(nextEdge());
    let began = Date.now();
    for (const [index, request] of plan.requests.entries()) {
      const slot = index % (plan.keys * plan.limit);
      if (slot === 0 && index > 0) {
        // Every key has used up its window.
        waitUntil((Number.isNaN(reset) ? began + plan.windowMs : reset) + 50);
        began = Date.now();
      }
      const key = await keyAt(index % plan.keys);
      reset = resetOf(send(request, key, 'endpoint', index));
    }
  });
}
