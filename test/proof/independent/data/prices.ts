import { DAY } from '../core/clock.ts';
import { noise } from '../core/random.ts';
import type { World } from '../worlds/world.ts';
import { startOf, type Day } from './calendar.ts';

/** Prices and volume of one day. */
export interface Candle {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** A figure with the digits that a price of its size has. */
export function rounded(value: number, digits = 6): number {
  return Number(value.toPrecision(Math.max(digits, 1)));
}

/** Price of a thing at the end of a day: a wave of its own with some noise. */
function closeOf(world: World, thing: string, base: number, day: number): number {
  const phase = noise(world.seed, 'phase', thing) * 7;
  const wave = Math.sin(day / 23 + phase) * 0.12 + Math.sin(day / 5.3 + phase * 2) * 0.04;
  return base * (1 + wave + (noise(world.seed, 'close', thing, day) - 0.5) * 0.03);
}

/** What prices are multiplied with at this moment; the nth request of a lively world sees another. */
export function pulse(world: World, thing: string, now: number, count: number): number {
  const [moment, reach] = world.of('live', {
    still: [0, 0],
    slow: [Math.floor(now / 20_000), 0.001],
    'every-request': [count, 0.002],
    wild: [count, 0.04],
  } as const);
  return 1 + (noise(thing, moment) - 0.5) * reach;
}

/** The candle of a finished day, or of a running one up to its noon. */
export function candle(world: World, thing: string, base: number, day: Day): Candle {
  const time = startOf(day);
  const number = Math.floor(time / DAY);
  const open = rounded(closeOf(world, thing, base, number - 1));
  const close = rounded(closeOf(world, thing, base, number));
  const reach = 0.004 + noise(world.seed, 'reach', thing, number) * 0.02;
  return {
    time,
    open,
    close,
    high: rounded(Math.max(open, close) * (1 + reach)),
    low: rounded(Math.min(open, close) * (1 - reach)),
    volume: rounded(base * 1e5 * (0.5 + noise(world.seed, 'volume', thing, number)), 9),
  };
}

/** Price of a currency to begin with, USD. */
export function basePrice(index: number): number {
  const known = [86_000, 2_900, 1, 140, 870, 2.1, 0.15, 0.42, 14, 13, 2.3, 84, 0.14];
  return known[index] ?? rounded(0.01 + noise('base', index) * 40, 4);
}
