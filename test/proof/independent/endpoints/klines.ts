import type { Call } from '../core/call.ts';
import { DAY } from '../core/clock.ts';
import type { Json } from '../core/json.ts';
import { isTradingDay, plusDays, startOf, utcDay } from '../data/calendar.ts';
import type { Currency } from '../data/currencies.ts';
import type { Stock } from '../data/others.ts';
import { basePrice, candle, rounded } from '../data/prices.ts';
import { currencyOf, priceNow } from './currencies.ts';
import type { Param } from './params.ts';
import { limited, rangeOf } from './ranges.ts';
import { stockBase, stockOf } from './stocks.ts';
import { figure } from './write.ts';

/** Parameters of all klines. */
export const KLINE_PARAMS: readonly Param[] = [
  { name: 'interval', kind: 'enum', required: true, allowed: ['1d'] },
  { name: 'start_time', kind: 'ms' },
  { name: 'end_time', kind: 'ms' },
  { name: 'limit', kind: 'integer', otherwise: 100, most: 500 },
];

interface Thing {
  readonly name: string;
  readonly base: number;
  /** Days since it began. */
  readonly age: number;
  readonly price: number | undefined;
  readonly tradingDays: boolean;
}

function rows(call: Call, thing: Thing): Json {
  const { world, now } = call;
  const sent = { from: call.values['start_time'], to: call.values['end_time'] } as {
    from: number | undefined;
    to: number | undefined;
  };
  const plainFrom = world.choice('plain-reach') === 'default-rows' ? 0 : undefined;
  const range = rangeOf(call, ['start_time', 'end_time'], sent, 'quarter', plainFrom);
  if (range === undefined) return [];
  const today = utcDay(now);
  const first = Math.max(range.from, startOf(today) - thing.age * DAY);
  const found: Json[] = [];
  const newest = world.choice('kline-today') === 'there' ? today : plusDays(today, -1);
  const enough = call.query.has('start_time') || call.query.has('limit') ? 2000 : 140;
  for (let day = newest; startOf(day) >= first && found.length < enough; day = plusDays(day, -1)) {
    if (startOf(day) > range.to) continue;
    if (thing.tradingDays && !isTradingDay('US', day)) continue;
    const one = candle(world, thing.name, thing.base, day);
    const close = day === today && thing.price !== undefined ? thing.price : one.close;
    const number = (value: number): Json => figure(world, value);
    found.push({
      timestamp: one.time,
      open: number(one.open),
      high: number(Math.max(one.high, close)),
      low: number(Math.min(one.low, close)),
      close: number(close),
      volume: number(one.volume),
    });
  }
  const kept = limited(call, found, 100);
  return world.choice('kline-order') === 'newest' ? kept : kept.toReversed();
}

function ageOfCurrency(call: Call, one: Currency): number {
  const choice = call.world.choice('kline-age');
  if (choice === 'newborn') return 0;
  if (choice === 'all-young') return 20;
  return choice === 'some-young' && one.index % 3 === 1 ? 4 : 3000;
}

/** GET /currencies/{currency_id}/klines */
export function currencyKlines(call: Call): Json {
  const one = currencyOf(call);
  return rows(call, {
    name: one.symbol,
    base: basePrice(one.index),
    age: ageOfCurrency(call, one),
    price: priceNow(call, one),
    tradingDays: false,
  });
}

/** GET /crypto-stocks/{stock_ticker}/klines */
export function stockKlines(call: Call): Json {
  const one: Stock = stockOf(call);
  const choice = call.world.choice('stock-age');
  const young = choice === 'all-young' || (choice === 'some-young' && one.index % 2 === 0);
  return rows(call, {
    name: one.ticker,
    base: rounded(stockBase(one)),
    age: young ? 3 : 3000,
    price: undefined,
    tradingDays: call.world.choice('stock-days') === 'trading',
  });
}
