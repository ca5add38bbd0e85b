/** Sequential requests with one key, up to its limit and two beyond. */
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, send, warmUp } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ headers: burst(1, 1) });

export default function headers(): Promise<void> {
  return guarded(async () => {
    const key = await keyAt(0);
    warmUp();
    const at = nextEdge();
    waitUntil(at);
    for (let index = 0; index < plan.limit + 2; index += 1) {
      send(plainRequest(), key, 'burst', 0, at);
    }
  });
}
