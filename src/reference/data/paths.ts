import { DAY } from '../../spec/time.ts';
import { bounded } from './memo.ts';
import { noise, round, stream } from './prng.ts';

/**
 * Prices as functions of absolute time. A path has a knot every 15 minutes and is straight in between, so the extremes
 * of any interval lie on knots or on its ends: candles, 24-hour extremes and prices agree exactly.
 */

/** Milliseconds between knots. */
export const STEP = 900_000;
const KNOTS_A_DAY = DAY / STEP;

/** Waves that a path is made of: period in knots, and share of the swing. */
const WAVES: readonly (readonly [period: number, swing: number])[] = [
  [KNOTS_A_DAY * 240, 0.3],
  [KNOTS_A_DAY * 60, 0.14],
  [KNOTS_A_DAY * 15, 0.08],
  [KNOTS_A_DAY * 4, 0.04],
  [KNOTS_A_DAY, 0.032],
  [KNOTS_A_DAY / 4, 0.018],
  [6, 0.009],
  [1, 0.003],
];
/** No path leaves base * exp(±volatility * SWING). */
const SWING = WAVES.reduce((sum, [, swing]) => sum + swing, 0);
/** How much of a path is the market as a whole. */
const MARKET_SHARE = 0.6;

export interface PathOptions {
  readonly seed: number;
  readonly name: string;
  /** Price in the middle of the swing, USD. */
  readonly base: number;
  /** 1 swings by about ±80 %; 0 does not swing. */
  readonly volatility: number;
  /** Whether the path follows the market as well as its own mind. */
  readonly market?: boolean;
  /** Steady growth a day as a fraction, counted from 2024-01-01. */
  readonly growth?: number;
}

export interface PricePath {
  /** Decimals that prices are rounded to. */
  readonly decimals: number;
  /** Bounds that a path without growth never leaves, rounded. */
  readonly ceiling: number;
  readonly floor: number;
  /** Price at an instant (epoch ms), rounded. */
  at(time: number): number;
  /** Price at 00:00 UTC of a day number; the same as `at`, but cheap on days that nothing else asks for. */
  opening(day: number): number;
  /** Highest and lowest price from one instant to another, ends included. */
  range(from: number, to: number): { readonly high: number; readonly low: number };
}

const GROWTH_EPOCH = Date.UTC(2024, 0, 1) / STEP;

/** Decimals that suit a price: more for small ones, never fewer than two. */
export function decimalsFor(price: number): number {
  if (price >= 1000) return 2;
  if (price >= 0.5) return 4;
  if (price >= 0.01) return 6;
  return 10;
}

/** A price path, a pure function of its options. */
export function createPath(options: PathOptions): PricePath {
  const { base, volatility, growth = 0, market = true } = options;
  const decimals = decimalsFor(base);
  const own = WAVES.map((_, i) => stream(options.seed, 'path', options.name, i));
  const shared = WAVES.map((_, i) => stream(options.seed, 'path', 'market', i));
  const ownShare = market ? 1 - MARKET_SHARE : 1;
  const waves = WAVES.map(([period, swing], i) => ({
    period,
    ownSwing: swing * ownShare,
    own: own[i] ?? 0,
    sharedSwing: swing * MARKET_SHARE,
    shared: shared[i] ?? 0,
  }));
  const knot = (index: number): number => {
    let sum = 0;
    if (volatility > 0) {
      for (const wave of waves) {
        sum += wave.ownSwing * noise(wave.own, index / wave.period);
        if (market) sum += wave.sharedSwing * noise(wave.shared, index / wave.period);
      }
    }
    const days = (index - GROWTH_EPOCH) / KNOTS_A_DAY;
    return base * Math.exp(volatility * sum + growth * days);
  };
  // A little more than three months of days, each with the knot that opens the next day.
  const days = bounded<Float64Array>(100);
  const knotsOf = (day: number): Float64Array =>
    days(day, () =>
      Float64Array.from({ length: KNOTS_A_DAY + 1 }, (_, i) => knot(day * KNOTS_A_DAY + i)),
    );
  // The ETFs of an asset all ask for the openings of the same years.
  const openings = new Map<number, number>();
  const opening = (day: number): number => {
    let price = openings.get(day);
    if (price === undefined) {
      price = round(knot(day * KNOTS_A_DAY), decimals);
      openings.set(day, price);
    }
    return price;
  };
  const raw = (time: number): number => {
    const day = Math.floor(time / DAY);
    const knots = knotsOf(day);
    const position = (time - day * DAY) / STEP;
    const left = Math.floor(position);
    const a = knots[left] ?? base;
    const b = knots[left + 1] ?? a;
    return a + (b - a) * (position - left);
  };
  return {
    decimals,
    ceiling: round(base * Math.exp(volatility * SWING), decimals),
    floor: round(base * Math.exp(-volatility * SWING), decimals),
    at: (time) => round(raw(time), decimals),
    opening,
    range(from, to) {
      let high = raw(from);
      let low = high;
      const widen = (price: number): void => {
        if (price > high) high = price;
        if (price < low) low = price;
      };
      widen(raw(to));
      for (let day = Math.floor(from / DAY); day <= Math.floor(to / DAY); day += 1) {
        const knots = knotsOf(day);
        const first = Math.max(0, Math.ceil((from - day * DAY) / STEP));
        const last = Math.min(KNOTS_A_DAY, Math.floor((to - day * DAY) / STEP));
        for (let i = first; i <= last; i += 1) widen(knots[i] ?? low);
      }
      return { high: round(high, decimals), low: round(low, decimals) };
    },
  };
}
