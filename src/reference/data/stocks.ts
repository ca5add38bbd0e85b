import type { Json, JsonObject } from '../world.ts';
import {
  dayOf,
  isoDate,
  minuteOf,
  monthsBefore,
  newYorkSession,
  startOf,
  tradesOn,
} from './calendar.ts';
import { createKlines, lastTradeTime, type Klines } from './klines.ts';
import { latest } from './memo.ts';
import { createPath, type PricePath } from './paths.ts';
import { noise, round, stream } from './prng.ts';
import { STOCK_FACTS, type StockFacts } from './facts/stock-facts.ts';

/** Crypto stocks (§2.9, §4.5, §4.7): prices are made in New York hours only. */
export interface Stocks {
  readonly tickers: readonly string[];
  readonly sectorNames: readonly string[];
  list(): readonly Json[];
  sectors(): readonly Json[];
  snapshot(ticker: string, now: number): JsonObject | undefined;
  klines(ticker: string, now: number): readonly JsonObject[] | undefined;
  marketCap(ticker: string, now: number): readonly JsonObject[] | undefined;
  sectorIndex(sector: string, now: number): readonly JsonObject[] | undefined;
}

interface Stock {
  readonly facts: StockFacts;
  readonly path: PricePath;
  readonly klines: Klines;
  volume(day: number): number;
}

/** Day on which every sector index stands at 1000. */
const INDEX_BASE_DAY = dayOf(Date.UTC(2024, 0, 2));
const INDEX_BASE = 1000;

function createStock(seed: number, facts: StockFacts): Stock {
  const path = createPath({
    seed,
    name: `stock ${facts.ticker}`,
    base: facts.base,
    volatility: facts.volatility,
  });
  const source = stream(seed, 'stock-volume', facts.ticker);
  const volume = (day: number): number =>
    Math.round(facts.shares * facts.float * 0.022 * Math.exp(0.6 * noise(source, day / 1.3)));
  return { facts, path, volume, klines: createKlines({ path, hours: 'new-york', volume }) };
}

/** Closing price of a trading day. */
const closeOn = (stock: Stock, day: number): number => stock.path.at(newYorkSession(day).closes);

export function createStocks(seed: number): Stocks {
  const stocks = new Map(STOCK_FACTS.map((facts) => [facts.ticker, createStock(seed, facts)]));
  const sectorNames = [...new Set(STOCK_FACTS.map(({ sector }) => sector))];
  const snapshots = latest<JsonObject>();
  const caps = latest<readonly JsonObject[]>();
  const indices = latest<readonly JsonObject[]>();
  const bases = new Map<string, number>();
  const members = (sector: string): Stock[] =>
    [...stocks.values()].filter(({ facts }) => facts.sector === sector);
  const worth = (sector: string, day: number): number =>
    members(sector).reduce((sum, one) => sum + closeOn(one, day) * one.facts.shares, 0);

  const list: readonly Json[] = STOCK_FACTS.map(({ ticker, name, sector }) => ({
    ticker,
    name,
    sector,
    exchange: 'US',
  }));
  const sectors: readonly Json[] = sectorNames.map((sector_name) => ({
    sector_name,
    stock_count: members(sector_name).length,
    tickers: members(sector_name).map(({ facts }) => facts.ticker),
  }));

  return {
    tickers: STOCK_FACTS.map(({ ticker }) => ticker),
    sectorNames,
    list: () => list,
    sectors: () => sectors,
    snapshot(ticker, now) {
      const stock = stocks.get(ticker);
      const time = minuteOf(now);
      return stock && snapshots.get(ticker, time, () => snapshot(stock, time));
    },
    klines: (ticker, now) => stocks.get(ticker)?.klines.at(now),
    marketCap(ticker, now) {
      const stock = stocks.get(ticker);
      if (stock === undefined) return undefined;
      return caps.get(ticker, lastClosedDay(now), () =>
        closedDays(now).map((day) => ({
          date: isoDate(day),
          timestamp: startOf(day),
          marketcap: round(closeOn(stock, day) * stock.facts.shares, 2),
        })),
      );
    },
    sectorIndex(sector, now) {
      if (!sectorNames.includes(sector)) return undefined;
      return indices.get(sector, lastClosedDay(now), () => {
        const base = bases.get(sector) ?? worth(sector, INDEX_BASE_DAY);
        bases.set(sector, base);
        return closedDays(now).map((day) => ({
          date: isoDate(day),
          timestamp: startOf(day),
          value: round((worth(sector, day) / base) * INDEX_BASE, 4),
        }));
      });
    },
  };
}

/** The newest trading day whose session has ended. */
function lastClosedDay(now: number): number {
  for (let day = dayOf(now); ; day -= 1) {
    if (tradesOn('US', day) && newYorkSession(day).closes <= now) return day;
  }
}

/** Ended trading days of the last three months, oldest first. */
function closedDays(now: number): number[] {
  const last = lastClosedDay(now);
  const days: number[] = [];
  for (let day = monthsBefore(last, 3); day <= last; day += 1)
    if (tradesOn('US', day)) days.push(day);
  return days;
}

function snapshot(stock: Stock, time: number): JsonObject {
  const { facts, path } = stock;
  const traded = lastTradeTime('new-york', time);
  const day = dayOf(traded);
  const { opens, closes } = newYorkSession(day);
  const price = path.at(traded);
  const { high, low } = path.range(opens, traded);
  // The same volume as the candle of that day.
  const volume = round(stock.volume(day) * ((traded - opens) / (closes - opens)), 4);
  const circulating = Math.round(facts.shares * facts.float);
  return {
    timestamp: traded,
    ticker: facts.ticker,
    mkt_price: price,
    mkt_status: time >= opens && time < closes ? 'open' : 'close',
    volume,
    turnover: round((volume * (high + low)) / 2, 2),
    circulating_marketcap: round(price * circulating, 2),
    total_marketcap: round(price * facts.shares, 2),
    total_shares: facts.shares,
    circulating_shares: circulating,
    pe_ttm: round(price / facts.earnings, 4),
    pb: round(price / facts.book, 4),
  };
}
