import { DAY } from '../../spec/time.ts';
import type { Json } from '../world.ts';
import { dayNumber, dayOf, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import INDEX_FACTS from './facts/index-facts.json' with { type: 'json' };
import { createKlines } from './klines.ts';
import { daily, minutely, once } from './memo.ts';
import { STEP, type PricePath } from './paths.ts';
import { noise, round, stream } from './prng.ts';

/** Day on which every index stands at 1000. */
const BASE_DAY = dayNumber(2024, 1, 1);
const BASE = 1000;

type Index = ReturnType<typeof createIndex>;

const sumOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function createIndex(seed: number, ticker: string, chosen: readonly Currency[]) {
  // Square-root weights on the base day: large members lead without drowning the rest.
  const rooted = chosen.map((one) => Math.sqrt(one.path.opening(BASE_DAY) * one.circulating));
  const sum = sumOf(rooted);
  const members = chosen.map((currency, i) => ({
    currency,
    units: (((rooted[i] ?? 0) / sum) * BASE) / currency.path.opening(BASE_DAY),
  }));
  const level = (priceOf: (path: PricePath) => number): number =>
    round(sumOf(members.map(({ currency, units }) => units * priceOf(currency.path))), 4);
  const at = (time: number): number => level((path) => path.at(time));
  const path: PricePath = {
    decimals: 4,
    ceiling: Number.POSITIVE_INFINITY,
    floor: 0,
    at,
    opening: (day) => level((own) => own.opening(day)),
    range(from, to) {
      // Sums of straight pieces are straight between knots, so the knots hold the extremes here too.
      const values = [at(from), at(to)];
      for (let time = Math.ceil(from / STEP) * STEP; time <= to; time += STEP) {
        values.push(at(time));
      }
      return { high: Math.max(...values), low: Math.min(...values) };
    },
  };
  const source = stream(seed, 'index-volume', ticker);
  const volume = (day: number): number => 1e6 * Math.exp(0.5 * noise(source, day / 2));
  return { ticker, members, path, klines: createKlines({ path, hours: 'always', volume }) };
}

/** Indices of currencies (§4.7; their shapes are not stated, so they follow the shapes of §2.2 and §2.4). */
export function createIndices(seed: number, currencies: readonly Currency[]) {
  const find = once((ticker) => {
    const symbols = INDEX_FACTS.find((one) => one.ticker === ticker)?.symbols;
    const members = symbols?.flatMap(
      (symbol) => currencies.find((one) => one.symbol === symbol) ?? [],
    );
    return members && createIndex(seed, ticker, members);
  });
  const list: readonly Json[] = INDEX_FACTS.map(({ ticker, name, symbols }) => ({
    index_ticker: ticker,
    name,
    constituent_count: symbols.length,
  }));
  return {
    indexTickers: INDEX_FACTS.map(({ ticker }) => ticker),
    indexList: () => list,
    indexConstituents: daily((ticker, today) => {
      const index = find(ticker);
      return index && constituents(index, today);
    }),
    indexSnapshot: minutely((ticker, time) => {
      const index = find(ticker);
      return index && snapshot(index, time);
    }),
    indexKlines: minutely((ticker, time) => find(ticker)?.klines(time)),
  };
}

/** Weights in percent as of 00:00 UTC; hundredths are shared out by largest remainder, so they sum to 100. */
function constituents({ members }: Index, today: number) {
  const worth = members.map(({ currency, units }) => units * currency.path.opening(today));
  const sum = sumOf(worth);
  const exact = worth.map((one) => (one / sum) * 10_000);
  const missing = 10_000 - sumOf(exact.map(Math.floor));
  const larger = new Set(
    [...exact.keys()]
      .toSorted((a, b) => ((exact[b] ?? 0) % 1) - ((exact[a] ?? 0) % 1))
      .slice(0, missing),
  );
  return members
    .map(({ currency: { id, symbol, name } }, i) => ({
      currency_id: id,
      symbol,
      name,
      weight: (Math.floor(exact[i] ?? 0) + (larger.has(i) ? 1 : 0)) / 100,
    }))
    .toSorted((a, b) => b.weight - a.weight);
}

function snapshot({ ticker, path }: Index, time: number) {
  const price = path.at(time);
  const { high, low } = path.range(time - DAY, time);
  const since = (before: number): number => round((price / before - 1) * 100, 4);
  return {
    index_ticker: ticker,
    timestamp: time,
    price,
    change_pct_24h: since(path.at(time - DAY)),
    high_24h: high,
    low_24h: low,
    change_pct_7d: since(path.opening(dayOf(time) - 7)),
    change_pct_1m: since(path.opening(dayOf(time) - 30)),
    open_of_day: path.at(startOf(dayOf(time))),
  };
}
