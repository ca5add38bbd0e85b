import { Refusal } from '../conduct/errors.ts';
import type { Call } from '../core/call.ts';
import { MINUTE } from '../core/clock.ts';
import type { Json } from '../core/json.ts';
import { noise } from '../core/random.ts';
import { dayIn, isTradingDay, minuteIn, tradingDayBefore } from '../data/calendar.ts';
import { stocks, type Stock } from '../data/others.ts';
import { candle, pulse, rounded } from '../data/prices.ts';
import { figure } from './write.ts';

/** A refusal for an identifier that nothing has, other than a currency's. */
export function notFound(call: Call, kind: string, field: string, value: string): Refusal {
  const message = call.world.of('unknown-message', {
    named: `${kind} not found`,
    generic: 'Not found',
    resource: `Resource not found: ${value}`,
  });
  return new Refusal('resource', {
    message,
    details: { [field]: value, suggestion: 'See the list.' },
  });
}

/** Whether two tickers are the same here. */
export function sameTicker(call: Call, one: string, other: string): boolean {
  return call.world.choice('ticker-case') === 'folded'
    ? one.toLowerCase() === other.toLowerCase()
    : one === other;
}

/** The company of the path. */
export function stockOf(call: Call): Stock {
  const ticker = call.path['stock_ticker'] ?? '';
  const found = stocks(call.world).find((one) => sameTicker(call, one.ticker, ticker));
  if (found === undefined) throw notFound(call, 'Stock', 'ticker', ticker);
  return found;
}

/** Price of a share to begin with, USD. */
export function stockBase(one: Stock): number {
  return 8 + noise('stock', one.ticker) * 300;
}

/** GET /crypto-stocks/{stock_ticker}/market-snapshot */
export function stockSnapshot(call: Call): Json {
  const { world, now } = call;
  const one = stockOf(call);
  const today = dayIn('US', now);
  const minute = minuteIn('US', now);
  const open = isTradingDay('US', today) && minute >= 570 && minute < 960;
  const day = isTradingDay('US', today) ? today : tradingDayBefore('US', today);
  const prices = candle(world, one.ticker, rounded(stockBase(one)), day);
  const price = rounded(prices.close * pulse(world, one.ticker, now, call.count));
  const total = Math.round(1e7 * (1 + noise('shares', one.ticker) * 30));
  const circulating = Math.round(total * 0.9);
  const losses = world.choice('stock-losses');
  const loses = losses === 'all' || (losses === 'some' && one.index % 2 === 0);
  const number = (value: number): Json => figure(world, value);
  return {
    timestamp: now - (now % MINUTE),
    ticker: one.ticker,
    mkt_price: number(price),
    mkt_status: open ? 'open' : 'close',
    volume: number(Math.round(prices.volume)),
    turnover: number(rounded(Math.round(prices.volume) * price, 12)),
    circulating_marketcap: number(rounded(price * circulating, 13)),
    total_marketcap: number(rounded(price * total, 13)),
    total_shares: number(total),
    circulating_shares: number(circulating),
    pe_ttm: loses ? null : number(rounded(12 + noise('pe', one.ticker) * 40, 4)),
    pb: number(rounded(1 + noise('pb', one.ticker) * 6, 4)),
  };
}
