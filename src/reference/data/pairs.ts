import { DAY } from '../../spec/time.ts';
import type { JsonObject } from '../world.ts';
import { dayOf, minuteOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { latest } from './memo.ts';
import facts from './facts/pair-facts.json' with { type: 'json' };
import { decimalsFor } from './paths.ts';
import { noise, round, stream, unit } from './prng.ts';

/** Exchanges and how much trading they draw. */
const EXCHANGES: readonly { readonly name: string; readonly weight: number }[] = facts.exchanges;

/** Quote currencies, how much trading they draw, and their price in USD. */
const QUOTES: readonly {
  readonly symbol: string;
  readonly weight: number;
  readonly usd: number;
}[] = facts.quotes;

/** Names of all exchanges that appear in pairs. */
export const EXCHANGE_NAMES: readonly string[] = EXCHANGES.map(({ name }) => name);

interface Market {
  readonly market: string;
  readonly target: string;
  readonly usd: number;
  readonly weight: number;
  readonly index: number;
}

export interface Pairs {
  /** All pairs of a currency, by turnover_24h descending, without ties (§2.5). */
  of(currency: Currency, now: number): readonly JsonObject[];
}

export function createPairs(seed: number): Pairs {
  const rows = latest<readonly JsonObject[]>();
  const markets = new Map<string, readonly Market[]>();
  const orders = latest<readonly { market: Market; share: number }[]>();

  const marketsOf = (currency: Currency): readonly Market[] => {
    const known = markets.get(currency.id);
    if (known !== undefined) return known;
    const source = stream(seed, 'markets', currency.symbol);
    const all: Market[] = [];
    for (const [e, exchange] of EXCHANGES.entries()) {
      for (const [q, quote] of QUOTES.entries()) {
        if (quote.symbol === currency.symbol) continue;
        const index = e * QUOTES.length + q;
        const weight = exchange.weight * quote.weight * (0.3 + unit(source, index));
        all.push({ market: exchange.name, target: quote.symbol, usd: quote.usd, weight, index });
      }
    }
    const chosen = all.toSorted((a, b) => b.weight - a.weight).slice(0, currency.pairs);
    markets.set(currency.id, chosen);
    return chosen;
  };

  // Shares move once a day: within a day the order of pairs stands still, so pages fit together.
  const ordered = (currency: Currency, day: number): readonly { market: Market; share: number }[] =>
    orders.get(currency.id, day, () => {
      const source = stream(seed, 'pair-share', currency.symbol);
      const weighed = marketsOf(currency).map((market) => ({
        market,
        weight: market.weight * Math.exp(0.35 * noise(source + market.index, day / 2)),
      }));
      const sum = weighed.reduce((total, one) => total + one.weight, 0);
      return weighed
        .map(({ market, weight }) => ({ market, share: weight / sum }))
        .toSorted((a, b) => b.share - a.share);
    });

  return {
    of(currency, now) {
      const time = minuteOf(now);
      return rows.get(currency.id, time, () => {
        const price = currency.path.at(time);
        const total = currency.turnover24h(time);
        const spread = stream(seed, 'spread', currency.symbol);
        let above = Number.POSITIVE_INFINITY;
        return ordered(currency, dayOf(time)).map(({ market, share }) => {
          const turnover = Math.min(round(total * share, 2), round(above - 0.01, 2));
          above = turnover;
          const here = price * (1 + 0.0006 * noise(spread + market.index, (time / DAY) * 24));
          const quoted = here / market.usd;
          const depth = turnover * (0.0004 + 0.0008 * unit(spread, market.index));
          return {
            base: currency.symbol,
            target: market.target,
            market: market.market,
            price: round(quoted, decimalsFor(quoted)),
            turnover_24h: turnover,
            cost_to_move_up_usd: round(depth, 2),
            cost_to_move_down_usd: round(depth * (0.8 + 0.4 * unit(spread, -1 - market.index)), 2),
          };
        });
      });
    },
  };
}
