import type { Country } from '../../spec/values.ts';
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

/** Trading days of a country from the first of the books, found once and kept. */
export interface TradingDayList {
  /** The list, reaching at least to `day`. */
  upTo(day: number): readonly number[];
  /** Index of a day in the list; undefined when it is no trading day. */
  indexOf(day: number): number | undefined;
}

export function tradingDayList(country: Country): TradingDayList {
  const days: number[] = [];
  const indices = new Map<number, number>();
  let next = BOOKS_BEGIN;
  const upTo = (day: number): readonly number[] => {
    for (; next <= day; next += 1) {
      if (tradesOn(country, next)) indices.set(next, days.push(next) - 1);
    }
    return days;
  };
  return {
    upTo,
    indexOf(day) {
      upTo(day);
      return indices.get(day);
    },
  };
}

/** No day's flow takes more than this part of the assets. */
const MOST_OUT = 0.03;

export function createLedger(
  seed: number,
  facts: EtfFacts,
  currency: Currency,
  calendar: TradingDayList,
): Ledger {
  const flows = stream(seed, 'etf-flow', facts.ticker);
  const idle = stream(seed, 'etf-idle', facts.ticker);
  const turnover = stream(seed, 'etf-turnover', facts.ticker);
  const premiums = stream(seed, 'etf-premium', facts.ticker);
  const start = Math.round(facts.assets * 1e8);
  // Small funds see no creations on most days.
  const idleChance = facts.country === 'HK' ? 0.6 : facts.assets > 1000 ? 0.04 : 0.35;
  // What goes on from day to day, by the index of the day. The rest of an entry is worked out when it is asked for: the
  // books are years long, and answers reach back a month.
  const flow: number[] = [];
  const cumulative: number[] = [];
  const assets: number[] = [];
  const units: number[] = [];
  const entries = new Map<number, LedgerEntry>();

  // The close of a day is the opening of the next one.
  const closeOf = (day: number): number => currency.path.opening(day + 1);

  const write = (day: number): void => {
    const last = flow.length - 1;
    const price = closeOf(day);
    const before = assets[last] ?? start;
    const swing = unit(flows, day * 3) + unit(flows, day * 3 + 1) + unit(flows, day * 3 + 2) - 1.5;
    const wanted = start * 0.004 * (2 * swing + 0.2 * facts.drift);
    const moved =
      unit(idle, day) < idleChance
        ? 0
        : Math.max(Math.round(wanted), -Math.floor(before * MOST_OUT));
    const held =
      (units[last] ?? (facts.assets * 1e6) / currency.path.opening(day)) + moved / 100 / price;
    flow.push(moved);
    cumulative.push((cumulative[last] ?? Math.round(start * 0.55)) + moved);
    units.push(held);
    assets.push(Math.round(held * price * 100));
  };

  const entryOf = (day: number, index: number): LedgerEntry => {
    const price = closeOf(day);
    const before = assets[index - 1] ?? start;
    const sharePrice = round(price * facts.perShare, 4);
    const traded = Math.round(before * (0.006 + 0.035 * unit(turnover, day) ** 2));
    return {
      day,
      flow: flow[index] ?? 0,
      cumulative: cumulative[index] ?? 0,
      assets: assets[index] ?? 0,
      traded,
      share: Math.min(1, Math.max(1e-8, round((units[index] ?? 0) / currency.circulating, 8))),
      premium: round(0.004 * noise(premiums, day / 1.7), 6),
      shares: Math.max(1, Math.round(traded / 100 / sharePrice)),
      price: sharePrice,
    };
  };

  return {
    facts,
    on(day) {
      const index = calendar.indexOf(day);
      if (index === undefined) return undefined;
      const known = entries.get(day);
      if (known !== undefined) return known;
      const days = calendar.upTo(day);
      while (flow.length <= index) write(days[flow.length] ?? day);
      const entry = entryOf(day, index);
      entries.set(day, entry);
      return entry;
    },
  };
}
