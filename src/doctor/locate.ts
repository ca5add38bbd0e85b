import { recognize } from '../judge/origin/recognition.ts';
import { viewOf } from '../judge/view.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import type { Target } from '../target/target.ts';
import { ask } from './ask.ts';
import { guessBaseUrls } from './base-path.ts';

/** An endpoint of stated shape that needs no parameter. */
const PROBE = '/news';
/** Requests that the search may cost, the confirmations with a valid key included. */
const MOST_REQUESTS = 6;

/**
 * The base URL on the same host under which the service answers, when the one of the target is wrong (ruling 23); null
 * when none is found. A guess is tried without a key, which costs no key anything, and confirmed with one.
 * @throws the reason of the signal when it aborts
 */
export async function locateService(target: Target, signal?: AbortSignal): Promise<string | null> {
  let requests = 0;
  for (const baseUrl of guessBaseUrls(target.baseUrl)) {
    const there = { ...target, baseUrl };
    for (const role of ['none', 'valid'] as const) {
      if (requests >= MOST_REQUESTS) return null;
      requests += 1;
      // One after the other: the first that answers ends the search.
      const exchange = await ask(there, PROBE, {
        role,
        ...(role === 'valid' ? { keyIndex: 0 } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
      const view = viewOf(exchange, { ...DEFAULT_FACTS, envelope: target.envelope });
      if (view !== undefined && recognize(view) === 'service') return baseUrl;
      if (view?.status !== 401) break;
    }
  }
  return null;
}
