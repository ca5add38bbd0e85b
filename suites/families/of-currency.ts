// Answers about one currency: what it is called, and which of them can be compared.
import { SAME_MINUTES_MS } from '../numbers.ts';
import type { Context } from '../../src/judge/context.ts';
import { objectsOf } from '../../src/judge/places.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** The identifier of the currency that an answer is about; empty where it is about none. */
export const currencyOf = (view: View): string => view.exchange.pathParameters['currency_id'] ?? '';

/** Whether two answers are near enough in time to be compared. */
export const areNear = (a: View, b: View): boolean => Math.abs(a.now - b.now) <= SAME_MINUTES_MS;

/** Symbols in upper case by currency id, as currency info gives them (§2.1). */
export function symbolsOf(views: readonly View[], context: Context): ReadonlyMap<string, string> {
  const symbols = new Map<string, string>();
  for (const view of views) {
    const id = view.exchange.pathParameters['currency_id'];
    for (const { value } of objectsOf(view, context, 'currency-info')) {
      const symbol = value['symbol'];
      if (id !== undefined && typeof symbol === 'string' && symbol !== '') {
        symbols.set(id, symbol.toUpperCase());
      }
    }
  }
  return symbols;
}

/** Names in upper case of each currency, by its id: what the side of a pair may call it is not stated (§2.5). */
export function namesOf(
  views: readonly View[],
  context: Context,
): ReadonlyMap<string, CurrencyNames> {
  const symbols = symbolsOf(views, context);
  const names = new Map<string, CurrencyNames>();
  for (const view of views) {
    const id = view.exchange.pathParameters['currency_id'] ?? '';
    const symbol = symbols.get(id);
    if (symbol === undefined) continue;
    for (const { value } of objectsOf(view, context, 'currency-info')) {
      const contracts = Array.isArray(value['contracts']) ? value['contracts'] : [];
      const texts = [
        id,
        value['currency_id'],
        value['name'],
        ...contracts.map((one) => (isObject(one) ? one['contract'] : undefined)),
      ];
      const all = texts.flatMap((one) => (typeof one === 'string' ? [one.toUpperCase()] : []));
      names.set(id, { symbol, all: new Set([symbol, ...all]) });
    }
  }
  return names;
}

/** What a currency is called, in upper case. */
export interface CurrencyNames {
  readonly symbol: string;
  /** The symbol, the identifier, the full name and the addresses of its contracts. */
  readonly all: ReadonlySet<string>;
}

/** Names under which some exchanges trade what the rest of the world calls otherwise. */
const ALIASES: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

/** The address of a contract: on a chain that currency info does not list it may be that of any token. */
const ADDRESS = /^(?:0X[0-9A-F]{40}|[0-9A-Z]{32,})$/;

/** What a pair has as base and target, in upper case. */
export function sidesOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return [record['base'], record['target']].flatMap((side) =>
    typeof side === 'string' ? [side.toUpperCase()] : [],
  );
}

/** Whether a currency may be on a side of a pair: by a name of its own, or by one made of its symbol, as 1000PEPE or WBTC are. */
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
