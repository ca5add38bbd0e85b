/**
 * Random access randomness: every value is a pure function of the seed, of names and of an absolute index, so it can be
 * asked for in any order and never depends on what was asked before.
 */

/** A named source of numbers: a 32-bit hash of the seed and the names. */
export type Stream = number;

/** The stream of a seed and a path of names. Different names give unrelated numbers. */
export function stream(seed: number, ...names: readonly (string | number)[]): Stream {
  // FNV-1a over the text, then an avalanche, so that near-equal names end up far apart.
  const text = `${seed}/${names.join('/')}`;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return avalanche(hash);
}

function avalanche(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 32 random bits at an integer index (which may be negative). */
export function bits(source: Stream, index: number): number {
  return avalanche(avalanche(source ^ Math.imul(index | 0, 0x9e3779b1)) + source);
}

/** A number in [0, 1) at an integer index. */
export function unit(source: Stream, index: number): number {
  return bits(source, index) / 4_294_967_296;
}

/** Smooth noise in [-1, 1]: values at whole numbers, eased in between. */
export function noise(source: Stream, x: number): number {
  const left = Math.floor(x);
  const t = x - left;
  const eased = t * t * (3 - 2 * t);
  const a = unit(source, left);
  const b = unit(source, left + 1);
  return (a + (b - a) * eased) * 2 - 1;
}

/** Numbers drawn one after the other from one stream. */
export interface Dice {
  /** In [0, 1). */
  next(): number;
  /** An integer, both bounds included. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T extends object | string | number>(choices: readonly T[]): T;
  /** `count` different ones, in the order in which they are drawn. */
  several<T extends object | string | number>(choices: readonly T[], count: number): T[];
}

/** Dice over a stream; `index` makes independent dice of the same stream. */
export function dice(source: Stream, index = 0): Dice {
  const own = bits(source, index);
  let count = 0;
  const next = (): number => {
    count += 1;
    return unit(own, count);
  };
  const pick: Dice['pick'] = (choices) => pickAt(choices, next());
  return {
    next,
    pick,
    several(choices, wanted) {
      const chosen = new Set<(typeof choices)[number]>();
      while (chosen.size < wanted) chosen.add(pick(choices));
      return [...chosen];
    },
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
  };
}

/** The element at a fraction in [0, 1) of a list. An empty list is a mistake of the caller. */
export function pickAt<T extends object | string | number>(
  choices: readonly T[],
  fraction: number,
): T {
  const choice = choices[Math.min(choices.length - 1, Math.floor(fraction * choices.length))];
  if (choice === undefined) throw new RangeError('cannot pick from an empty list');
  return choice;
}

/** A text of `length` decimal digits that does not begin with 0. */
export function digits(source: Stream, length: number): string {
  let text = String(1 + Math.floor(unit(source, 0) * 9));
  for (let i = 1; i < length; i += 1) text += Math.floor(unit(source, i) * 10);
  return text;
}

/** A text of `length` hexadecimal digits. */
export function hex(source: Stream, length: number): string {
  let text = '';
  for (let i = 0; text.length < length; i += 1) {
    text += bits(source, i).toString(16).padStart(8, '0');
  }
  return text.slice(0, length);
}

/** Rounds to a number of decimals; monotone, so an order of values survives. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** Shares of a whole by weight, in percent: hundredths, which sum to 100 exactly. */
export function percentages(weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const shares = weights.map((one) => Math.floor((one / sum) * 10_000));
  const rest = 10_000 - shares.reduce((a, b) => a + b, 0);
  return shares.map((share, i) => (share + (i === 0 ? rest : 0)) / 100);
}
