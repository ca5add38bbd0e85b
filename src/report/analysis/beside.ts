import type { Exchange } from '../../spec/exchange.ts';
import type { ResultFinding } from '../model/results.ts';

/** Others than these are in the report. */
const MOST = 2;

/**
 * Exchanges that a finding was made beside: a page is wrong only next to the one before it. What the finding says names
 * them by id; without them, the one it was seen in looks fine.
 */
export function besideOf(
  { exchange: own, message, expected, actual }: ResultFinding,
  exchanges: ReadonlyMap<string, Exchange>,
): readonly Exchange[] {
  if (own === null) return [];
  const named = [message, expected, actual].flatMap((text) => text.match(/\bx\d+\b/g) ?? []);
  return [...new Set(named)]
    .filter((id) => id !== own)
    .flatMap((id) => exchanges.get(id) ?? [])
    .slice(0, MOST);
}
