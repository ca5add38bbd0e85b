import { DAY } from '../../spec/time.ts';
import type { Json, JsonObject } from '../world.ts';
import { dayNumber, dayOf, minuteOf, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import rows from './facts/index-facts.json' with { type: 'json' };
import { createKlines, type Klines } from './klines.ts';
import { latest } from './memo.ts';
import { STEP, type PricePath } from './paths.ts';
import { noise, round, stream } from './prng.ts';

/** Indices of currencies (§4.7; their shapes are not stated, so they follow the shapes of §2.2 and §2.4). */
export interface Indices {
  readonly tickers: readonly string[];
  list(): readonly Json[];
  constituents(ticker: string, now: number): readonly JsonObject[] | undefined;
  snapshot(ticker: string, now: number): JsonObject | undefined;
  klines(ticker: string, now: number): readonly JsonObject[] | undefined;
}

interface IndexFacts {
  readonly ticker: string;
  readonly name: string;
  readonly symbols: readonly string[];
}

const INDEX_FACTS: readonly IndexFacts[] = rows;

/** Day on which every index stands at 1000. */
const BASE_DAY = dayNumber(2024, 1, 1);
const BASE = 1000;

interface Index {
  readonly ticker: string;
  readonly name: string;
  readonly members: readonly { currency: Currency; units: number }[];
  readonly path: PricePath;
  readonly klines: Klines;
}

function createIndex(seed: number, facts: IndexFacts, all: readonly Currency[]): Index {
  const { ticker, name, symbols } = facts;
  const chosen = symbols.flatMap((symbol) => all.find((one) => one.symbol === symbol) ?? []);
  // Square-root weights on the base day: large members lead without drowning the rest.
  const rooted = chosen.map((one) => Math.sqrt(one.path.opening(BASE_DAY) * one.circulating));
  const sum = rooted.reduce((a, b) => a + b, 0);
  const members = chosen.map((currency, i) => ({
    currency,
    units: (((rooted[i] ?? 0) / sum) * BASE) / currency.path.opening(BASE_DAY),
  }));
  const level = (time: number): number =>
    round(
      members.reduce((total, { currency, units }) => total + units * currency.path.at(time), 0),
      4,
    );
  const path: PricePath = {
    decimals: 4,
    ceiling: Number.POSITIVE_INFINITY,
    floor: 0,
    at: level,
    opening: (day) =>
      round(
        members.reduce(
          (total, { currency, units }) => total + units * currency.path.opening(day),
          0,
        ),
        4,
      ),
    range(from, to) {
      // Sums of straight pieces are straight between knots, so the knots hold the extremes here too.
      let high = Math.max(level(from), level(to));
      let low = Math.min(level(from), level(to));
      for (let time = Math.ceil(from / STEP) * STEP; time <= to; time += STEP) {
        const value = level(time);
        if (value > high) high = value;
        if (value < low) low = value;
      }
      return { high, low };
    },
  };
  const source = stream(seed, 'index-volume', ticker);
  const klines = createKlines({
    path,
    hours: 'always',
    volume: (day) => 1e6 * Math.exp(0.5 * noise(source, day / 2)),
  });
  return { ticker, name, members, path, klines };
}

export function createIndices(seed: number, currencies: readonly Currency[]): Indices {
  const indices = new Map<string, Index>();
  const find = (ticker: string): Index | undefined => {
    const known = indices.get(ticker);
    if (known !== undefined) return known;
    const facts = INDEX_FACTS.find((one) => one.ticker === ticker);
    if (facts === undefined) return undefined;
    const index = createIndex(seed, facts, currencies);
    indices.set(ticker, index);
    return index;
  };
  const weights = latest<readonly JsonObject[]>();
  const snapshots = latest<JsonObject>();
  const list: readonly Json[] = INDEX_FACTS.map(({ ticker, name, symbols }) => ({
    index_ticker: ticker,
    name,
    constituent_count: symbols.length,
  }));
  return {
    tickers: INDEX_FACTS.map(({ ticker }) => ticker),
    list: () => list,
    constituents(ticker, now) {
      const index = find(ticker);
      const today = dayOf(now);
      return index && weights.get(ticker, today, () => constituents(index, today));
    },
    snapshot(ticker, now) {
      const index = find(ticker);
      const time = minuteOf(now);
      return index && snapshots.get(ticker, time, () => snapshot(index, time));
    },
    klines: (ticker, now) => find(ticker)?.klines.at(now),
  };
}

/** Weights in percent as of 00:00 UTC; hundredths are shared out by largest remainder, so they sum to 100. */
function constituents(index: Index, today: number): JsonObject[] {
  const worth = index.members.map(({ currency, units }) => units * currency.path.opening(today));
  const sum = worth.reduce((a, b) => a + b, 0);
  const exact = worth.map((one) => (one / sum) * 10_000);
  const parts = exact.map(Math.floor);
  const missing = 10_000 - parts.reduce((a, b) => a + b, 0);
  const largest = exact
    .map((value, i) => ({ i, rest: value - Math.floor(value) }))
    .toSorted((a, b) => b.rest - a.rest)
    .slice(0, missing);
  for (const { i } of largest) parts[i] = (parts[i] ?? 0) + 1;
  return index.members
    .map(({ currency }, i) => ({
      currency_id: currency.id,
      symbol: currency.symbol,
      name: currency.name,
      weight: (parts[i] ?? 0) / 100,
    }))
    .toSorted((a, b) => b.weight - a.weight);
}

function snapshot(index: Index, time: number): JsonObject {
  const price = index.path.at(time);
  const { high, low } = index.path.range(time - DAY, time);
  const change = (days: number): number =>
    round((price / index.path.opening(dayOf(time) - days) - 1) * 100, 4);
  return {
    index_ticker: index.ticker,
    timestamp: time,
    price,
    change_pct_24h: round((price / index.path.at(time - DAY) - 1) * 100, 4),
    high_24h: high,
    low_24h: low,
    change_pct_7d: change(7),
    change_pct_1m: change(30),
    open_of_day: index.path.at(startOf(dayOf(time))),
  };
}
