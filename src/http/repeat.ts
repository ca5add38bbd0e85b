import type { Exchange, TransportError } from '../spec/exchange.ts';

/** Repeats after the first attempt. */
export const MAX_REPEATS = 2;
/** Pause before each repeat after a failure, ms. */
export const PAUSES_MS: readonly number[] = [100, 400];

const PASSING: ReadonlySet<TransportError['kind']> = new Set([
  'refused',
  'dns',
  'reset',
  'timeout',
  'other',
]);

/**
 * Why an exchange is worth a repeat: a passing failure of network or service, or a 429 although the window was
 * believed to have room. `null` when it is evidence as it stands.
 */
export function repeatReason(exchange: Exchange): 'failure' | 'limited' | null {
  // Whatever the method: the service is read-only (§3), and nothing is sent that it could keep.
  if (exchange.error !== null) return PASSING.has(exchange.error.kind) ? 'failure' : null;
  if (exchange.request.method !== 'GET') return null;
  if (exchange.response?.status === 503) return 'failure';
  return exchange.response?.status === 429 ? 'limited' : null;
}
