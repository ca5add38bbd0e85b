import { dayNumber, tradesOn } from './calendar.ts';
import type { Currency } from './currencies.ts';
import type { EtfFacts } from './facts/etf-facts.ts';
import { noise, round, stream, unit } from './prng.ts';

/**
 * The books of ETFs, kept in whole cents so that sums and running totals agree to the cent. Books begin on a fixed day,
 * which makes every figure a function of the seed and of its date alone.
 */

/** First day that any book may hold. */
export const BOOKS_BEGIN = dayNumber(2023, 1, 3);

/** Figures of one ETF on one trading day. Money is in cents of USD. */
export interface LedgerEntry {
  readonly day: number;
  readonly flow: number;
  /** Flows since launch; what came in before the books begin is in it. */
  readonly cumulative: number;
  readonly assets: number;
  readonly traded: number;
  /** Fraction of the asset's circulating supply that the ETF holds, in (0, 1]. */
  readonly share: number;
  /** Premium (above 0) or discount of the market price against net assets, as a fraction. */
  readonly premium: number;
  /** Shares that changed hands. */
  readonly shares: number;
  /** Market price of a share, USD. */
  readonly price: number;
}

export interface Ledger {
  readonly facts: EtfFacts;
  /** The entry of a trading day of the country; `undefined` for other days and before the books begin. */
  on(day: number): LedgerEntry | undefined;
}

/** What goes on from day to day. */
interface State {
  readonly flow: number;
  readonly cumulative: number;
  /** Net assets at the end of the day, and before it. */
  readonly assets: number;
  readonly before: number;
  /** Units of the asset that the ETF holds. */
  readonly units: number;
}

/** No day's flow takes more than this part of the assets. */
const MOST_OUT = 0.03;

export function createLedger(seed: number, facts: EtfFacts, currency: Currency): Ledger {
  const { ticker, country, assets, drift, perShare } = facts;
  const flows = stream(seed, 'etf-flow', ticker);
  const idle = stream(seed, 'etf-idle', ticker);
  const turnover = stream(seed, 'etf-turnover', ticker);
  const premiums = stream(seed, 'etf-premium', ticker);
  const start = Math.round(assets * 1e8);
  // Small funds see no creations on most days.
  const idleChance = country === 'HK' ? 0.6 : assets > 1000 ? 0.04 : 0.35;
  // The rest of an entry is worked out when it is asked for: the books are years long, and answers reach back a month.
  const states = new Map<number, State>();
  let last: State | undefined;
  let next = BOOKS_BEGIN;

  // The close of a day is the opening of the next one.
  const closeOf = (day: number): number => currency.path.opening(day + 1);

  const write = (day: number): State => {
    const price = closeOf(day);
    const {
      assets: before = start,
      cumulative = Math.round(start * 0.55),
      units = (assets * 1e6) / currency.path.opening(day),
    } = last ?? {};
    const swing = unit(flows, day * 3) + unit(flows, day * 3 + 1) + unit(flows, day * 3 + 2) - 1.5;
    const wanted = start * 0.004 * (2 * swing + 0.2 * drift);
    const flow =
      unit(idle, day) < idleChance
        ? 0
        : Math.max(Math.round(wanted), -Math.floor(before * MOST_OUT));
    const held = units + flow / 100 / price;
    return {
      flow,
      cumulative: cumulative + flow,
      assets: Math.round(held * price * 100),
      before,
      units: held,
    };
  };

  return {
    facts,
    on(day) {
      for (; next <= day; next += 1)
        if (tradesOn(country, next)) states.set(next, (last = write(next)));
      const state = states.get(day);
      if (state === undefined) return undefined;
      const price = round(closeOf(day) * perShare, 4);
      const traded = Math.round(state.before * (0.006 + 0.035 * unit(turnover, day) ** 2));
      return {
        day,
        ...state,
        traded,
        share: Math.min(1, Math.max(1e-8, round(state.units / currency.circulating, 8))),
        premium: round(0.004 * noise(premiums, day / 1.7), 6),
        shares: Math.max(1, Math.round(traded / 100 / price)),
        price,
      };
    },
  };
}
