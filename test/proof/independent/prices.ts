import { startOf, utcDay, type Day } from './calendar.ts';
import type { Call } from './call.ts';
import { DAY, noise } from './core.ts';
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
