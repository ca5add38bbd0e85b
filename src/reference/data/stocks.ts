import type { Json } from '../world.ts';
import { dayOf, isoDate, monthsBefore, newYorkSession, startOf, tradingDays } from './calendar.ts';
import { createKlines, lastTradeTime } from './klines.ts';
import { daily, minutely, once } from './memo.ts';
import { createPath } from './paths.ts';
import { noise, round, stream } from './prng.ts';
import { STOCK_FACTS, type StockFacts } from './facts/stock-facts.ts';

/** Day on which every sector index stands at 1000. */
const INDEX_BASE_DAY = dayOf(Date.UTC(2024, 0, 2));
const INDEX_BASE = 1000;

type Stock = ReturnType<typeof createStock>;

function createStock(seed: number, facts: StockFacts) {
  const { ticker, base, volatility, shares, float } = facts;
  const path = createPath({ seed, name: `stock ${ticker}`, base, volatility });
  const source = stream(seed, 'stock-volume', ticker);
  const volume = (day: number): number =>
    Math.round(shares * float * 0.022 * Math.exp(0.6 * noise(source, day / 1.3)));
  return { facts, path, volume, klines: createKlines({ path, hours: 'new-york', volume }) };
}

/** Market value at the close of a trading day. */
const worthOf = ({ path, facts }: Stock, day: number): number =>
  path.at(newYorkSession(day).closes) * facts.shares;

/** Rows of the trading days of the last three months before today, oldest first. */
const eachClose = (today: number, row: (day: number) => Readonly<Record<string, Json>>) =>
  tradingDays('US', monthsBefore(today, 3), today - 1).map((day) => ({
    date: isoDate(day),
    timestamp: startOf(day),
    ...row(day),
  }));

/** Crypto stocks (§2.9, §4.5, §4.7): prices are made in New York hours only. */
export function createStocks(seed: number) {
  const stocks = new Map(STOCK_FACTS.map((facts) => [facts.ticker, createStock(seed, facts)]));
  const sectors = new Map(
    [...stocks.values()].map(({ facts: { sector } }) => [
      sector,
      [...stocks.values()].filter(({ facts }) => facts.sector === sector),
    ]),
  );
  const worth = (sector: string, day: number): number =>
    (sectors.get(sector) ?? []).reduce((sum, one) => sum + worthOf(one, day), 0);
  const baseOf = once((sector) => worth(sector, INDEX_BASE_DAY));

  const stockList: readonly Json[] = STOCK_FACTS.map(({ ticker, name, sector }) => ({
    ticker,
    name,
    sector,
    exchange: 'US',
  }));
  const stockSectors: readonly Json[] = [...sectors].map(([sector_name, members]) => ({
    sector_name,
    stock_count: members.length,
    tickers: members.map(({ facts }) => facts.ticker),
  }));

  return {
    stockTickers: [...stocks.keys()],
    sectorNames: [...sectors.keys()],
    stockList: () => stockList,
    stockSectors: () => stockSectors,
    stockSnapshot: minutely((ticker, time) => {
      const stock = stocks.get(ticker);
      return stock && snapshot(stock, time);
    }),
    stockKlines: minutely((ticker, time) => stocks.get(ticker)?.klines(time)),
    stockMarketCap: daily((ticker, today) => {
      const stock = stocks.get(ticker);
      return stock && eachClose(today, (day) => ({ marketcap: round(worthOf(stock, day), 2) }));
    }),
    sectorIndex: daily((sector, today) =>
      sectors.has(sector)
        ? eachClose(today, (day) => ({
            value: round((worth(sector, day) / baseOf(sector)) * INDEX_BASE, 4),
          }))
        : undefined,
    ),
  };
}

function snapshot({ facts, path, volume }: Stock, time: number) {
  const traded = lastTradeTime('new-york', time);
  const day = dayOf(traded);
  const { opens, closes } = newYorkSession(day);
  const price = path.at(traded);
  const { high, low } = path.range(opens, traded);
  // The same volume as the candle of that day.
  const sold = round(volume(day) * ((traded - opens) / (closes - opens)), 4);
  const circulating = Math.round(facts.shares * facts.float);
  return {
    timestamp: traded,
    ticker: facts.ticker,
    mkt_price: price,
    mkt_status: time >= opens && time < closes ? 'open' : 'close',
    volume: sold,
    turnover: round((sold * (high + low)) / 2, 2),
    circulating_marketcap: round(price * circulating, 2),
    total_marketcap: round(price * facts.shares, 2),
    total_shares: facts.shares,
    circulating_shares: circulating,
    pe_ttm: round(price / facts.earnings, 4),
    pb: round(price / facts.book, 4),
  };
}
