import type { Exchange } from '../../spec/exchange.ts';
import { knownAbout } from '../../requirements/catalogue.ts';
import {
  curlLine,
  curlSequence,
  keyVariable,
  type KeyVariables,
  type Repeats,
} from '../../text/curl.ts';
import { keyName } from '../model/key-names.ts';
import type { Results } from '../model/results.ts';
import { limitsOf } from './rate-windows.ts';

/** Kinds of findings in which a limiter may check before it counts, which only requests at the same moment show. */
const RACES: readonly string[] = ['admitted-beyond-limit', 'remaining-twice'];

const kindsAt = (id: string, { id: at }: Exchange, { requirements }: Results): readonly string[] =>
  requirements
    .flatMap((one) => (one.id === id ? one.findings : []))
    .flatMap(({ exchange, kind = '' }) => (exchange === at ? kind : []));

/** Kinds that only requests with two keys show. */
const OF_KEYS: readonly string[] = ['keys-share-a-count', 'refused-for-all-keys'];

/** A good request with a key from another variable, for findings about two keys. */
function withOtherKey(id: string, exchange: Exchange, results: Results): Exchange | undefined {
  const isOfKeys = kindsAt(id, exchange, results).some((kind) => OF_KEYS.includes(kind));
  const variableOf = (one: Exchange) => keyVariable(one, results.target.keyVariables);
  return results.exchanges.find(
    (one) =>
      isOfKeys &&
      ['valid', 'restricted'].includes(one.role) &&
      one.response?.status === 200 &&
      variableOf(one) !== variableOf(exchange),
  );
}

/** How often a request must be sent to show the finding; null when once is enough. */
function repeatsOf(id: string, exchange: Exchange, results: Results): Repeats | null {
  const { requests, windowMs } = limitsOf(results);
  const windowSeconds = Math.ceil(windowMs / 1000) + 1;
  const { needs = [], repeat } = knownAbout(id);
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
    atOnce: kindsAt(id, exchange, results).some((kind) => RACES.includes(kind)),
    other: withOtherKey(id, exchange, results),
  };
}

/** An exchange as it is sent again, and its key variables. A used-up near-quota key is replaced unless it is the point. */
export function resent(
  { exchanges, target: { keyVariables = {} } }: Results,
  id: string,
  exchange: Exchange,
): readonly [exchange: Exchange, variables: KeyVariables] {
  const { needs = [] } = knownAbout(id);
  const isAdmitted = (exchange.response?.status ?? 600) < 400;
  if (exchange.role !== 'nearQuota' || !isAdmitted || needs.includes('near-quota-key'))
    return [exchange, keyVariables];
  const valid = exchanges.find(({ role }) => role === 'valid')?.key ?? '';
  const variables = { ...keyVariables, [exchange.key ?? '']: keyVariables[valid] ?? '' };
  return [{ ...exchange, role: 'valid' }, variables];
}

/** True if only several requests show the finding. */
export const isRepeated = (results: Results, id: string, exchange: Exchange): boolean =>
  repeatsOf(id, exchange, results) !== null;

/** The POSIX shell command that reproduces a finding: one request, or several in one window (§8). */
export function sendAgain(results: Results, id: string, exchange: Exchange): string {
  const repeats = repeatsOf(id, exchange, results);
  const [own, variables] = resent(results, id, exchange);
  if (repeats === null) return curlLine(own, variables);
  const place = (print: string) =>
    print === own.key ? print : keyName(results.target.keys, print);
  return curlSequence(own, repeats, variables, results.target.keys.valid?.map(place));
}
