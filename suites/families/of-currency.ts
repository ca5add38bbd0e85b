import { SAME_MINUTES_MS } from '../numbers.ts';
import type { Context } from '../../src/judge/context.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** Currency id of an answer, or an empty string. */
export const currencyOf = (view: View): string => view.exchange.pathParameters['currency_id'] ?? '';

/** Whether two answers are close enough in time to be compared. */
export const areNear = (a: View, b: View): boolean => Math.abs(a.now - b.now) <= SAME_MINUTES_MS;

/** Upper-case names of each currency by id, from currency info (§2.1): how a pair names its sides is not specified (§2.5). */
export function namesOf(
  views: readonly View[],
  context: Context,
): ReadonlyMap<string, CurrencyNames> {
  const names = new Map<string, CurrencyNames>();
  for (const view of views) {
    for (const { value } of objectsOf(view, context, 'currency-info')) {
      const [id, symbol] = [currencyOf(view), value['symbol']];
      if (id === '' || typeof symbol !== 'string' || symbol === '') continue;
      const contracts = Array.isArray(value['contracts']) ? value['contracts'] : [];
      const texts = [
        symbol,
        id,
        value['currency_id'],
        value['name'],
        ...contracts.map((one) => (isObject(one) ? one['contract'] : undefined)),
      ];
      const all = texts.flatMap((one) => (typeof one === 'string' ? [one.toUpperCase()] : []));
      names.set(id, { symbol: symbol.toUpperCase(), all: new Set(all) });
    }
  }
  return names;
}

interface CurrencyNames {
  readonly symbol: string;
  /** Symbol, identifier, full name and contract addresses. */
  readonly all: ReadonlySet<string>;
}

/** Symbols that some exchanges use instead. */
const ALIASES: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

/** A contract address, which may belong to any token on a chain missing from currency info. */
const ADDRESS = /^(?:0X[0-9A-F]{40}|[0-9A-Z]{32,})$/;

/** Base and target of a pair, in upper case. */
export function sidesOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return [record['base'], record['target']].flatMap((side) =>
    typeof side === 'string' ? [side.toUpperCase()] : [],
  );
}

/** Whether a currency may be a side of a pair, by one of its names or a derived symbol such as 1000PEPE or WBTC. */
export const hasSide = (
  record: Readonly<Record<string, unknown>>,
  { symbol, all }: CurrencyNames,
): boolean =>
  sidesOf(record).some(
    (side) =>
      all.has(side) || side === ALIASES[symbol] || isMadeOf(side, symbol) || ADDRESS.test(side),
  );

const isMadeOf = (side: string, symbol: string): boolean =>
  symbol.length >= 3 && (side.endsWith(symbol) || side.startsWith(symbol));
