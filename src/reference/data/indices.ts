import { DAY } from '../../spec/time.ts';
import type { Json } from '../world.ts';
import type { Currency } from './currencies.ts';
import INDEX_FACTS from './facts/index-facts.json' with { type: 'json' };
import { createKlines } from './klines.ts';
import { daily, minutely } from './memo.ts';
import { createPath } from './paths.ts';
import { noise, percentages, round, stream } from './prng.ts';

type Index = ReturnType<typeof createIndex>;

function createIndex(seed: number, ticker: string, members: readonly Currency[]) {
  const path = createPath({ seed, name: `index ${ticker}`, base: 1000, volatility: 0.8 });
  const source = stream(seed, 'index-volume', ticker);
  const volume = (day: number): number => 1e6 * Math.exp(0.5 * noise(source, day / 2));
  return { ticker, members, path, klines: createKlines({ path, hours: 'always', volume }) };
}

/** Indices of currencies (§4.7; their shapes are not stated, so they follow the shapes of §2.2 and §2.4). */
export function createIndices(seed: number, currencies: readonly Currency[]) {
  const indices = new Map(
    INDEX_FACTS.map(({ ticker, symbols }) => {
      const members = currencies.filter(({ symbol }) => symbols.includes(symbol));
      return [ticker, createIndex(seed, ticker, members)];
    }),
  );
  const list: readonly Json[] = INDEX_FACTS.map(({ ticker, name, symbols }) => ({
    index_ticker: ticker,
    name,
    constituent_count: symbols.length,
  }));
  return {
    indexTickers: [...indices.keys()],
    indexList: () => list,
    indexConstituents: daily((ticker, today) => {
      const index = indices.get(ticker);
      return index && constituents(index, today);
    }),
    indexSnapshot: minutely((ticker, time) => {
      const index = indices.get(ticker);
      return index && snapshot(index, time);
    }),
    indexKlines: minutely((ticker, time) => indices.get(ticker)?.klines(time)),
  };
}

/** Square-root weights: large members lead without drowning the rest. */
function constituents({ members }: Index, today: number) {
  const weights = percentages(
    members.map(({ path, circulating }) => Math.sqrt(path.opening(today) * circulating)),
  );
  return members.map(({ id, symbol, name }, i) => ({
    currency_id: id,
    symbol,
    name,
    weight: weights[i] ?? 0,
  }));
}

function snapshot({ ticker, path }: Index, time: number) {
  const price = path.at(time);
  const { high, low } = path.range(time - DAY, time);
  return {
    index_ticker: ticker,
    timestamp: time,
    price,
    change_pct_24h: round((price / path.at(time - DAY) - 1) * 100, 4),
    high_24h: high,
    low_24h: low,
  };
}
