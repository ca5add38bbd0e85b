import type { Context } from './context.ts';
import { objectsOf } from './currency-values.ts';
import { show, type Rule } from './judgement.ts';
import { judgePlaces } from './places.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';

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

/** Names under which some exchanges trade what the rest of the world calls otherwise. */
const ALIASES: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

function sidesOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return [record['base'], record['target']].flatMap((side) =>
    typeof side === 'string' ? [side.toUpperCase()] : [],
  );
}

/** Whether a currency is on a side of a pair: by its symbol, or by one made of it, as 1000PEPE or WBTC are. */
export const hasSide = (record: Readonly<Record<string, unknown>>, symbol: string): boolean =>
  sidesOf(record).some(
    (side) => side === symbol || side === ALIASES[symbol] || isMadeOf(side, symbol),
  );

const isMadeOf = (side: string, symbol: string): boolean =>
  symbol.length >= 3 && (side.endsWith(symbol) || side.startsWith(symbol));

/** §2.5: the currency is on one side of each of its pairs. Its symbol comes from currency info (§2.1). */
const pairSides: Rule = {
  name: 'pair-sides',
  requirements: ['2.5/base-or-target'],
  all(views, context, into) {
    const symbols = symbolsOf(views, context);
    for (const view of views) {
      const symbol = symbols.get(view.exchange.pathParameters['currency_id'] ?? '');
      if (symbol === undefined) continue;
      judgePlaces(
        view,
        objectsOf(view, context, 'trading-pair').filter(({ value }) => sidesOf(value).length === 2),
        {
          requirement: '2.5/base-or-target',
          message: `${place(view)} has a pair that the currency is not part of`,
          expected: `${symbol} as base or target`,
          holds: (value) => isObject(value) && hasSide(value, symbol),
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
