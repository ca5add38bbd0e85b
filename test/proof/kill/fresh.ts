import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '#src/contract/exchange.ts';
import { contextOf, type Context } from '#src/rules/context.ts';
import type { Facts } from '#src/rules/facts.ts';
import { UNIT_OPEN } from '#src/rules/range-unit.ts';

/** Tells of exchanges which of them are to be judged by themselves. */
export type FreshAmong = (exchanges: readonly Exchange[]) => (exchange: Exchange) => boolean;

/**
 * Exchanges to be judged by themselves when those of a clean run, in their order, were judged and found without fault:
 * those with another answer, and those that the others now show in another light. The rest is only compared with them.
 */
export function freshAfter(clean: readonly Exchange[], facts: Facts): FreshAmong {
  const before = contextOf(facts, clean);
  return (exchanges) => {
    const changed = exchanges.filter((exchange, index) => exchange !== clean[index]);
    const fresh = new Set(changed);
    const inOtherLight = differently(before, contextOf(facts, exchanges));
    // In which unit a service reads a range decides which of them are judged at all.
    const unitOpen = changed.some(({ endpoint }) => endpoint === UNIT_OPEN);
    return (exchange) =>
      fresh.has(exchange) ||
      (unitOpen && exchange.endpoint === UNIT_OPEN) ||
      inOtherLight(exchange);
  };
}

/** Whether an exchange may be judged in another way because of what all of them say about keys and identifiers. */
function differently(
  { acceptedQueries: before, ...one }: Context,
  { acceptedQueries: after, ...other }: Context,
): (exchange: Exchange) => boolean {
  if (!isDeepStrictEqual(one, other)) return () => true;
  // Of the queries that were accepted only those of its own path matter to an exchange.
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const moved = new Set(
    paths.filter((path) => !isDeepStrictEqual(before.get(path), after.get(path))),
  );
  return ({ request: { path } }) => moved.has(path);
}
