import { isTradingDay, localTime, plusDays, startOf, tradingDayNext, utcDay } from './calendar.ts';
import type { Day } from './calendar.ts';
import { integer, limited, MS, named, oneOf, rangeOf, same } from './call.ts';
import type { Call, Endpoints, Params } from './call.ts';
import { at, MINUTE, noise, times } from './core.ts';
import { currencyOf } from './currencies.ts';
import NAMES from './names.json' with { type: 'json' };
import { candle, priceNow, pulse, rounded, type Priced } from './prices.ts';
import { figures, nameOf } from './texts.ts';
import type { World } from './world.ts';

const KLINE_PARAMS: Params = {
  interval: { ...oneOf(['1d']), required: true },
  start_time: MS,
  end_time: MS,
  limit: integer(100, { most: 500 }),
};

/** Klines of something that is so many days old. `price` is what it costs now, where today's row ends with that. */
function klines(
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

function currencyKlines(call: Call): unknown {
  const one = currencyOf(call);
  const age = call.world.of('kline-age', {
    old: 1000,
    'some-young': one.index % 3 === 1 ? 4 : 1000,
    'all-young': 20,
    newborn: 0,
  });
  return klines(call, one, age, () => true, priceNow(call, one));
}

/** Names of the sectors. */
export const sectors = (world: World): readonly string[] =>
  NAMES.stockSectors.slice(0, world.count('sectors'));

/** All listed companies; `base` is about the price of a share, USD. */
export const stocks = (world: World) =>
  times(world.count('stocks'), (index) => {
    const ticker = NAMES.tickers[index] ?? `Q${String.fromCodePoint(65 + (index % 26))}${index}`;
    return {
      index,
      ticker,
      symbol: ticker,
      base: rounded(8 + noise('stock', ticker) * 300),
      name: `${nameOf(index + 40).name} Holdings Inc.`,
      sector: at(NAMES.stockSectors, index),
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

/** Endpoints of klines and of stocks. */
export const KLINES: Endpoints = {
  '/currencies/{currency_id}/klines': { params: KLINE_PARAMS, answer: currencyKlines },
  '/crypto-stocks/{stock_ticker}/klines': { params: KLINE_PARAMS, answer: stockKlines },
  '/crypto-stocks/{stock_ticker}/market-snapshot': { params: {}, answer: stockSnapshot },
};
