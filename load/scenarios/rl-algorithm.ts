/**
 * Three concurrent probes with a key each. The first uses up the current window and polls until it is admitted again.
 * The second sends half of the limit, the other half later, and a full burst when only the first half has expired. With
 * the third, which starts at another time, they show whether the windows of all keys end together.
 */
import { nextEdge, vuIndex, waitUntil } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, send, warmUp } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ algorithm: burst(3, 1) });

const { limit, windowMs } = plan;
const half = Math.floor(limit / 2);

export default function algorithm(): Promise<void> {
  return guarded(async () => {
    const index = vuIndex() % 3;
    const key = await keyAt(index);
    const once = (phase: string): number => send(plainRequest(), key, phase).status;
    const times = (count: number, phase: string): void => {
      for (let sent = 0; sent < count; sent += 1) once(phase);
    };
    warmUp();
    const edge = nextEdge(0.3 * windowMs);
    if (index === 0) {
      waitUntil(edge);
      once('phase');
      times(limit, 'exhaust');
      const end = edge + 1.3 * windowMs;
      for (let at = edge + windowMs / 50; at < end; at += windowMs / 50) {
        waitUntil(at);
        if (once('poll') === 200) break;
      }
    } else if (index === 1) {
      const start = edge + 0.1 * windowMs;
      waitUntil(start);
      once('phase');
      times(half - 1, 'half');
      waitUntil(start + windowMs / 2);
      times(limit - half, 'half');
      waitUntil(start + windowMs * 1.05);
      times(limit + half, 'late');
    } else {
      waitUntil(edge + 0.25 * windowMs);
      once('phase');
    }
  });
}
