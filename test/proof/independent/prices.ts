import { isTradingDay, localTime, plusDays, startOf, tradingDayNext, utcDay } from './calendar.ts';
import type { Day } from './calendar.ts';
import { integer, limited, MS, named, oneOf, rangeOf, same } from './call.ts';
import type { Call, Endpoints, Params } from './call.ts';
import { at, DAY, MINUTE, noise, times } from './core.ts';
import NAMES from './names.json' with { type: 'json' };
import { figures, nameOf } from './texts.ts';
import type { World } from './world.ts';

/** A figure with the digits that a price of its size has. */
export const rounded = (value: number, digits = 6): number => Number(value.toPrecision(digits));

/** What has a price: its name, and about how much it is, USD. */
export interface Priced {
  readonly symbol: string;
  readonly base: number;
}

/** What prices are multiplied with at this moment; the nth request of a lively world sees another. */
export function pulse({ world, now, count }: Call, thing: string): number {
  const [moment, reach] = world.of('live', {
    still: [0, 0],
    slow: [Math.floor(now / 20_000), 0.001],
    'every-request': [count, 0.002],
    wild: [count, 0.04],
  } as const);
  return 1 + (noise(thing, moment) - 0.5) * reach;
}

/** Prices and volume of a day that is over, or of a running one up to its noon. */
export function candle({ seed }: World, { symbol, base }: Priced, day: Day) {
  const timestamp = startOf(day);
  const number = Math.floor(timestamp / DAY);
  const phase = noise(seed, 'phase', symbol) * 7;
  // A wave for each thing with some noise.
  const closeOf = (date: number): number => {
    const wave = Math.sin(date / 23 + phase) * 0.12 + Math.sin(date / 5.3 + phase * 2) * 0.04;
    return rounded(base * (1 + wave + (noise(seed, 'close', symbol, date) - 0.5) * 0.03));
  };
  const [open, close] = [closeOf(number - 1), closeOf(number)];
  const reach = 0.004 + noise(seed, 'reach', symbol, number) * 0.02;
  return {
    timestamp,
    open,
    high: rounded(Math.max(open, close) * (1 + reach)),
    low: rounded(Math.min(open, close) * (1 - reach)),
    close,
    volume: rounded(base * 1e5 * (0.5 + noise(seed, 'volume', symbol, number)), 9),
  };
}

/** Price at the moment of a request. */
export const priceNow = (call: Call, thing: Priced): number =>
  rounded(candle(call.world, thing, utcDay(call.now)).close * pulse(call, thing.symbol));

/** Parameters of all klines. */
export const KLINE_PARAMS: Params = {
  interval: { ...oneOf(['1d']), required: true },
  start_time: MS,
  end_time: MS,
  limit: integer(100, { most: 500 }),
};

/** Klines of something that began `age` days ago. `price` is what it costs now, if the row of today ends with that. */
export function klines(
  call: Call,
  thing: Priced,
  age: number,
  isOpen: (day: Day) => boolean,
  price?: number,
): unknown {
  const { world, now } = call;
  const isWanted = rangeOf(call, 'time', '3 months', true);
  const today = utcDay(now);
  const days = times(age + 1, (n) => plusDays(today, -n))
    .slice(world.is('kline-today', 'there') ? 0 : 1)
    .filter((day) => isWanted(startOf(day)) && isOpen(day));
  const rows = limited(call, days).map((day) => {
    const { timestamp, ...one } = candle(world, thing, day);
    const close = (day === today ? price : undefined) ?? one.close;
    const [high, low] = [Math.max(one.high, close), Math.min(one.low, close)];
    return { timestamp, ...figures(world, { ...one, high, low, close }) };
  });
  return world.is('kline-order', 'newest') ? rows : rows.toReversed();
}

const sectorName = (world: World, index: number): string => {
  const name = at(NAMES.stockSectors, index);
  return world.is('sector-names', 'signs') ? `${name} & more/other (50%)` : name;
};

/** Names of the sectors. */
export const sectors = (world: World): readonly string[] =>
  times(world.count('sectors'), (index) => sectorName(world, index));

/** All listed companies; `base` is about the price of a share, USD. */
export const stocks = (world: World) =>
  times(world.count('stocks'), (index) => {
    const letters = NAMES.tickers[index] ?? `Q${String.fromCodePoint(65 + (index % 26))}${index}`;
    const ticker = world.of('stock-tickers', {
      letters,
      'with-colon': `NASDAQ:${letters}`,
      numbers: `${String(863 + index).padStart(4, '0')}.HK`,
      'lower-case': letters.toLowerCase(),
    });
    return {
      index,
      ticker,
      symbol: ticker,
      base: rounded(8 + noise('stock', letters) * 300),
      name: `${nameOf(index + 40).name} Holdings Inc.`,
      sector: sectorName(world, index),
    };
  });

/** Whether two tickers are the same here. */
export const sameTicker = (world: World, one: string, other: string): boolean =>
  same(one, other, world.is('ticker-case', 'folded'));

/** The company of the path. Throws a Refusal. */
export const stockOf = (call: Call) =>
  named(call, 'Stock', 'stock_ticker', stocks(call.world), ({ ticker }, wanted) =>
    sameTicker(call.world, ticker, wanted),
  );

function stockKlines(call: Call): unknown {
  const { world } = call;
  const one = stockOf(call);
  const some = one.index % 2 === 0 ? 3 : 1000;
  const age = world.of('stock-age', { old: 1000, 'some-young': some, 'all-young': 3 });
  const everyDay = world.is('stock-days', 'every');
  return klines(call, one, age, (day) => everyDay || isTradingDay('US', day));
}

function stockSnapshot(call: Call) {
  const { world, now } = call;
  const one = stockOf(call);
  const { ticker } = one;
  const { today, minute } = localTime('US', now);
  const trades = isTradingDay('US', today);
  const prices = candle(world, one, trades ? today : tradingDayNext('US', today, -1));
  const mkt_price = rounded(prices.close * pulse(call, ticker));
  const volume = Math.round(prices.volume);
  const total_shares = Math.round(1e7 * (1 + noise('shares', ticker) * 30));
  const circulating_shares = Math.round(total_shares * 0.9);
  const loses = world.of('stock-losses', { none: false, some: one.index % 2 === 0, all: true });
  return {
    timestamp: now - (now % MINUTE),
    ticker,
    mkt_status: trades && minute >= 570 && minute < 960 ? 'open' : 'close',
    ...figures(world, {
      mkt_price,
      volume,
      turnover: rounded(volume * mkt_price, 12),
      circulating_marketcap: rounded(mkt_price * circulating_shares, 13),
      total_marketcap: rounded(mkt_price * total_shares, 13),
      total_shares,
      circulating_shares,
      pe_ttm: loses ? null : rounded(12 + noise('pe', ticker) * 40, 4),
      pb: rounded(1 + noise('pb', ticker) * 6, 4),
    }),
  };
}

/** Endpoints of stocks. */
export const STOCKS: Endpoints = {
  '/crypto-stocks/{stock_ticker}/klines': { params: KLINE_PARAMS, answer: stockKlines },
  '/crypto-stocks/{stock_ticker}/market-snapshot': { params: {}, answer: stockSnapshot },
};
