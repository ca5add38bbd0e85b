import type { Exchange } from '../../spec/exchange.ts';
import { isRequirementId, requirementOf } from '../../requirements/catalogue.ts';
import { curlLine, curlSequence, type Repeats } from '../../text/curl.ts';
import type { Results } from '../model/results.ts';
import { limitsOf } from './rate-windows.ts';

/** How often a request must be sent to show the finding; null when once is enough. */
function repeatsOf(id: string, exchange: Exchange, results: Results): Repeats | null {
  const { requests, windowMs } = limitsOf(results);
  const windowSeconds = Math.ceil(windowMs / 1000) + 1;
  const { needs = [], repeat } = isRequirementId(id) ? requirementOf(id) : {};
  if (needs.includes('near-quota-key')) {
    const left = results.settings?.quotaLeft ?? null;
    // Beyond one window the limiter refuses before the quota does.
    return left === null || left >= requests ? null : { times: left + 1, windowSeconds };
  }
  const isOfWindow = repeat !== undefined || needs.includes('window');
  if (!isOfWindow && exchange.response?.status !== 429) return null;
  return {
    times: requests + 1,
    windowSeconds,
    ...(repeat === 'after-reset' && { thenAfter: windowSeconds }),
  };
}

/** True if only several requests show the finding. */
export const isRepeated = (results: Results, id: string, exchange: Exchange): boolean =>
  repeatsOf(id, exchange, results) !== null;

/** The POSIX shell command that reproduces a finding: one request, or several in one window (§8). */
export function sendAgain(results: Results, id: string, exchange: Exchange): string {
  const repeats = repeatsOf(id, exchange, results);
  const variables = results.target.keyVariables;
  return repeats === null
    ? curlLine(exchange, variables)
    : curlSequence(exchange, repeats, variables);
}
