/**
 * Uses up a window, is refused three times in it and again halfway to its end, and returns after the stated wait; if that
 * is refused too, once more after the second that an announcement may be off.
 */
import { RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import { nextEdge, waitUntil } from '../lib/clock.ts';
import { guarded } from '../lib/guard.ts';
import { keyAt } from '../lib/keys.ts';
import { burst, options as optionsOf } from '../lib/options.ts';
import { plan } from '../lib/plan.ts';
import { plainRequest, resetOf, send, warmUp } from '../lib/request.ts';

export { handleSummary } from '../lib/summary.ts';
export const options = optionsOf({ 'retry-after': burst(1, 1) });

const { limit, windowMs } = plan;

/** The announced end of the wait; an implausible one is replaced by the longest possible. */
function endOf(refusal: ReturnType<typeof send>, now: number): number {
  const announced = resetOf(refusal);
  return Number.isFinite(announced) && announced < now + 2 * windowMs ? announced : now + windowMs;
}

export default function retryAfter(): Promise<void> {
  return guarded(async () => {
    const key = await keyAt(0);
    const once = (phase: string): ReturnType<typeof send> => send(plainRequest(), key, phase);
    warmUp();
    const start = nextEdge();
    waitUntil(start);
    for (let sent = 0; sent < limit; sent += 1) once('spend');
    let last = once('refused');
    for (const phase of [0.3, 0.6]) {
      waitUntil(start + phase * windowMs);
      last = once('refused');
    }
    const now = Date.now();
    waitUntil(now + (endOf(last, now) - now) / 2);
    // The last refusal counts, because refused requests may extend the wait.
    last = once('refused');
    // A little later than announced: the clocks may differ by the time of an answer.
    const later = Math.min(200, windowMs / 20);
    const end = endOf(last, now) + later;
    waitUntil(end);
    if (once('again').status !== 429) return;
    waitUntil(end + Math.min(RESET_TOLERANCE_MS, windowMs / 2) + later);
    once('again');
  });
}
