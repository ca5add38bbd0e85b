import { DAY } from '../../spec/time.ts';
import type { JsonObject } from '../world.ts';
import { dayOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
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

/** All pairs of a currency at a time, by turnover_24h descending, without ties (§2.5). */
export function createPairs(
  seed: number,
): (currency: Currency, time: number) => readonly JsonObject[] {
  const markets = new WeakMap<Currency, readonly Market[]>();
  const marketsOf = (currency: Currency): readonly Market[] => {
    const known = markets.get(currency);
    if (known !== undefined) return known;
    const source = stream(seed, 'markets', currency.symbol);
    const all = EXCHANGES.flatMap((exchange, e) =>
      QUOTES.map((quote, q): Market => {
        const index = e * QUOTES.length + q;
        const weight = exchange.weight * quote.weight * (0.3 + unit(source, index));
        return { market: exchange.name, target: quote.symbol, usd: quote.usd, weight, index };
      }),
    );
    const chosen = all
      .filter(({ target }) => target !== currency.symbol)
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, currency.pairs);
    markets.set(currency, chosen);
    return chosen;
  };

  // Shares move once a day: within a day the order of pairs stands still, so pages fit together.
  const ordered = (currency: Currency, day: number) => {
    const source = stream(seed, 'pair-share', currency.symbol);
    const weighed = marketsOf(currency).map((market) => ({
      market,
      weight: market.weight * Math.exp(0.35 * noise(source + market.index, day / 2)),
    }));
    const sum = weighed.reduce((total, one) => total + one.weight, 0);
    return weighed
      .map(({ market, weight }) => ({ market, share: weight / sum }))
      .toSorted((a, b) => b.share - a.share);
  };

  return (currency, time) => {
    const price = currency.path.at(time);
    const total = currency.turnover24h(time);
    const spread = stream(seed, 'spread', currency.symbol);
    let above = Number.POSITIVE_INFINITY;
    return ordered(currency, dayOf(time)).map(
      ({ market: { market, target, usd, index }, share }) => {
        const turnover = Math.min(round(total * share, 2), round(above - 0.01, 2));
        above = turnover;
        const here = price * (1 + 0.0006 * noise(spread + index, (time / DAY) * 24));
        const quoted = here / usd;
        const depth = turnover * (0.0004 + 0.0008 * unit(spread, index));
        return {
          base: currency.symbol,
          target,
          market,
          price: round(quoted, decimalsFor(quoted)),
          turnover_24h: turnover,
          cost_to_move_up_usd: round(depth, 2),
          cost_to_move_down_usd: round(depth * (0.8 + 0.4 * unit(spread, -1 - index)), 2),
        };
      },
    );
  };
}
