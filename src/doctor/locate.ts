import { recognize } from '../judge/origin/recognition.ts';
import { viewOf } from '../judge/view.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import type { Target } from '../target/target.ts';
import { ask } from './ask.ts';
import { guessBaseUrls } from './base-path.ts';

/** An endpoint with a specified shape and no required parameters. */
const PROBE = '/news';
/** Maximum number of requests of the search, including confirmations with a valid key. */
const MOST_REQUESTS = 6;

/**
 * Searches the same host for the service when the base URL of the target is wrong (ruling 23); null when it is not
 * found. Guesses are tried without a key, which costs no quota, and confirmed with one.
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
