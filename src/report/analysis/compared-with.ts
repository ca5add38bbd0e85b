import type { Exchange } from '../../spec/exchange.ts';
import type { ResultFinding } from '../model/results.ts';

/** Others than these are in the report. */
const MOST = 2;

/** Exchanges that a finding was compared with: a page is wrong only next to the one before it. */
export function comparedWith(
  { against = [] }: ResultFinding,
  exchanges: ReadonlyMap<string, Exchange>,
): readonly Exchange[] {
  return against.flatMap((id) => exchanges.get(id) ?? []).slice(0, MOST);
}
