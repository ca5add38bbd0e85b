import type { Context } from './context.ts';
import { objectsOf } from './currency-values.ts';
import { show, type Rule } from './judgement.ts';
import { judgePlaces } from './places.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const PAIR_SIDES = criteria('baseOrTarget');

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

function sidesOf(record: Readonly<Record<string, unknown>>): readonly string[] {
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

/** §2.5: the currency is on one side of each of its pairs. Its names come from currency info (§2.1). */
const pairSides: Rule = {
  name: 'pair-sides',
  judges: [PAIR_SIDES.baseOrTarget],
  all(views, context, into) {
    const known = namesOf(views, context);
    for (const view of views) {
      const names = known.get(view.exchange.pathParameters['currency_id'] ?? '');
      if (names === undefined) continue;
      judgePlaces(
        view,
        objectsOf(view, context, 'trading-pair').filter(({ value }) => sidesOf(value).length === 2),
        {
          criterion: PAIR_SIDES.baseOrTarget,
          message: `${place(view)} has a pair that the currency is not part of`,
          expected: `${names.symbol} as base or target`,
          holds: (value) => isObject(value) && hasSide(value, names),
          actual: ({ value }) =>
            isObject(value)
              ? `base ${show(value['base'])}, target ${show(value['target'])}`
              : show(value),
        },
        into,
      );
    }
  },
};

export const PAIR_SIDE_RULES: readonly Rule[] = [pairSides];
