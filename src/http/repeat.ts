import type { Exchange, TransportError } from '../spec/exchange.ts';

/** Maximum number of retries. */
export const MAX_REPEATS = 2;
/** Pause before each retry after a failure, ms. */
export const PAUSES_MS: readonly number[] = [100, 400];

const PASSING: ReadonlySet<TransportError['kind']> = new Set([
  'refused',
  'dns',
  'reset',
  'timeout',
  'other',
]);

/**
 * Why to retry: a transient failure of network or service, or an unexpected 429; `null` for no retry.
 */
export function repeatReason(exchange: Exchange): 'failure' | 'limited' | null {
  // For any method: the service is read-only (§3), and requests have no bodies.
  if (exchange.error !== null) return PASSING.has(exchange.error.kind) ? 'failure' : null;
  if (exchange.request.method !== 'GET') return null;
  if (exchange.response?.status === 503) return 'failure';
  return exchange.response?.status === 429 ? 'limited' : null;
}
