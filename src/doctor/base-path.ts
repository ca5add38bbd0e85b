import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import { isSuccess, ask } from './ask.ts';
import { recognize } from '../judge/origin/recognition.ts';
import { viewOf } from '../judge/view.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import type { Target } from '../target/target.ts';

/** Maximum number of guesses to try. */
export const MOST_GUESSES = 6;
/** Maximum number of guesses to confirm with a valid key. */
export const MOST_CONFIRMATIONS = 3;

const HEADS: ReadonlySet<string> = new Set(ENDPOINT_PATHS.map((path) => path.split('/')[1] ?? ''));

/**
 * Alternatives to a base URL without endpoints, likeliest first: without the path of an endpoint, without a doubled
 * segment, with and without a version or `/api`.
 */
export function guessBaseUrls(baseUrl: string): string[] {
  const { origin, pathname } = new URL(baseUrl);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const guesses: (readonly string[])[] = [];
  const endpoint = segments.findIndex((segment) => HEADS.has(segment));
  if (endpoint >= 0) guesses.push(segments.slice(0, endpoint));
  const doubled = segments.findIndex((segment, index) => segment === segments[index + 1]);
  if (doubled >= 0) guesses.push(segments.toSpliced(doubled, 1));
  if (segments.at(-1) !== 'v1') guesses.push([...segments, 'v1']);
  if (segments.length > 0) guesses.push(segments.slice(0, -1));
  guesses.push(['api', 'v1'], ['v1'], ['api'], []);
  const urls = guesses.map((parts) => [origin, ...parts].join('/'));
  return [...new Set(urls)].filter((url) => url !== baseUrl).slice(0, MOST_GUESSES);
}

/**
 * The first guess with a service; null when there is none. Guesses are tried without a key, which costs no quota, and
 * confirmed with one, since a service may check the key before the path.
 * @param askAt sends a request below a base URL
 */
export async function findBaseUrl(
  baseUrl: string,
  askAt: (baseUrl: string, role: 'valid' | 'none') => Promise<Exchange>,
  isService: (exchange: Exchange) => boolean = isSuccess,
): Promise<string | null> {
  let confirmations = 0;
  for (const guess of guessBaseUrls(baseUrl)) {
    // Sequentially: the first hit ends the search.
    const keyless = await askAt(guess, 'none');
    if (keyless.response?.status !== 401 && !isService(keyless)) continue;
    if (confirmations >= MOST_CONFIRMATIONS) return null;
    confirmations += 1;
    if (isService(await askAt(guess, 'valid'))) return guess;
  }
  return null;
}

/** An endpoint with a specified shape and no required parameters. */
const PROBE = '/news';

/**
 * Searches the same host for the service when the base URL of the target is wrong (ruling 23).
 * @returns its URL, null when it is not there, and how many requests were sent with a valid key and without one
 * @throws the reason of the signal when it aborts
 */
export async function locateService(target: Target, signal?: AbortSignal) {
  const sent = { valid: 0, none: 0 };
  const url = await findBaseUrl(
    target.baseUrl,
    (baseUrl, role) => {
      sent[role] += 1;
      return ask({ ...target, baseUrl }, PROBE, { role, signal });
    },
    (exchange) => {
      const view = viewOf(exchange, { ...DEFAULT_FACTS, envelope: target.envelope });
      return view !== undefined && recognize(view) === 'service';
    },
  );
  return { url, sent };
}
