import { isTradingDay, localTime, plusDays, startOf, tradingDayNext, utcDay } from './calendar.ts';
import { integer, limited, ms, oneOf, rangeOf, same, type Call, type Params } from './call.ts';
import { at, DAY, MINUTE, noise, times } from './core.ts';
import { currencyOf } from './currencies.ts';
import { candle, priceNow, pulse, rounded, type Priced } from './prices.ts';
import { notFound } from './refusals.ts';
import { figures, nameOf } from './texts.ts';
import type { World } from './world.ts';

/** Parameters of all klines. */
export const KLINE_PARAMS: Params = {
  interval: { ...oneOf(['1d']), required: true },
  start_time: ms,
  end_time: ms,
  limit: integer(100, { most: 500 }),
};

interface Thing extends Priced {
  /** Days since it began. */
  readonly age: number;
  /** Price now, where today's row ends with it. */
  readonly price?: number;
  readonly tradingDaysOnly?: boolean;
}

function klines(call: Call, thing: Thing): unknown {
  const { world, now, query } = call;
  const plainFrom = world.is('plain-reach', 'default-rows') ? 0 : undefined;
  const { from, to } = rangeOf(call, 'time', '3 months', plainFrom);
  const today = utcDay(now);
  const first = Math.max(from, startOf(today) - thing.age * DAY);
  const rows: unknown[] = [];
  const enough = query.has('start_time') || query.has('limit') ? 2000 : 140;
  let day = world.is('kline-today', 'there') ? today : plusDays(today, -1);
  for (; startOf(day) >= first && rows.length < enough; day = plusDays(day, -1)) {
    if (startOf(day) > to || (thing.tradingDaysOnly && !isTradingDay('US', day))) continue;
    const { timestamp, ...one } = candle(world, thing, day);
    const close = (day === today ? thing.price : undefined) ?? one.close;
    const [high, low] = [Math.max(one.high, close), Math.min(one.low, close)];
    rows.push({ timestamp, ...figures(world, { ...one, high, low, close }) });
  }
  const kept = limited(call, rows);
  return world.is('kline-order', 'newest') ? kept : kept.toReversed();
}

/** GET /currencies/{currency_id}/klines */
export function currencyKlines(call: Call): unknown {
  const one = currencyOf(call);
  const age = call.world.of('kline-age', {
    old: 3000,
    'some-young': one.index % 3 === 1 ? 4 : 3000,
    'all-young': 20,
    newborn: 0,
  });
  return klines(call, { ...one, age, price: priceNow(call, one) });
}

const TICKERS = 'MSTR COIN MARA RIOT CLSK HUT BITF HIVE CORZ IREN WULF BTBT CIFR GLXY CRCL'.split(
  ' ',
);
const SECTORS = [
  'Bitcoin Mining',
  'Exchanges',
  'Digital Asset Treasury',
  'Stablecoins & Payments',
  'AI Infrastructure',
];

/** Names of the sectors. */
export const sectors = (world: World): readonly string[] =>
  SECTORS.slice(0, world.count('sectors'));

/** All listed companies; `base` is about the price of a share, USD. */
export const stocks = (world: World) =>
  times(world.count('stocks'), (index) => {
    const ticker = TICKERS[index] ?? `Q${String.fromCodePoint(65 + (index % 26))}${index}`;
    return {
      index,
      ticker,
      symbol: ticker,
      base: rounded(8 + noise('stock', ticker) * 300),
      name: `${nameOf(index + 40).name} Holdings Inc.`,
      sector: at(SECTORS, index),
    };
  });

/** Whether two tickers are the same here. */
export const sameTicker = (world: World, one: string, other: string): boolean =>
  same(one, other, world.is('ticker-case', 'folded'));

/** The company of the path. Throws a Refusal. */
export function stockOf({ world, path }: Call) {
  const ticker = path['stock_ticker'] ?? '';
  const found = stocks(world).find((one) => sameTicker(world, one.ticker, ticker));
  return found ?? notFound(world, 'Stock', 'ticker', ticker);
}

/** GET /crypto-stocks/{stock_ticker}/klines */
export function stockKlines(call: Call): unknown {
  const one = stockOf(call);
  const age = call.world.of('stock-age', {
    old: 3000,
    'some-young': one.index % 2 === 0 ? 3 : 3000,
    'all-young': 3,
  });
  return klines(call, { ...one, age, tradingDaysOnly: call.world.is('stock-days', 'trading') });
}

/** GET /crypto-stocks/{stock_ticker}/market-snapshot */
export function stockSnapshot(call: Call) {
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
