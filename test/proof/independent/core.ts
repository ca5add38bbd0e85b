export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An object of a body; members that are undefined are left out. */
export type Body = Record<string, unknown>;

/** A number with the text that it shall have on the wire, such as `1.0` or `1.5e3`. */
export const numeral = (text: string): string => `\u0002${text}`;

/** Text of a body. Numerals keep their text, which JSON.stringify alone could not do. */
export const textOf = (body: unknown, space?: string): string =>
  JSON.stringify(body, null, space).replaceAll(/"\\u0002([^"]*)"/g, '$1');

/** 32 bits of a text (FNV-1a, mixed once more). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Dice seeded by texts and numbers: the same parts, the same numbers. `integer` includes both ends. */
export function random(...parts: readonly (string | number)[]) {
  let state = hashOf(parts.join('\u0000'));
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (low: number, high: number): number =>
    low + Math.floor(next() * (high - low + 1));
  const chance = (probability: number): boolean => next() < probability;
  const pick = <T>(list: readonly T[]): T => at(list, integer(0, list.length - 1));
  return { next, integer, chance, pick };
}

/** A number from 0 to 1 that belongs to the parts. */
export const noise = (...parts: readonly (string | number)[]): number => random(...parts).next();

/** Element of a list, counted round and round; throws a RangeError when the list is empty. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list.at(index % list.length);
  if (found === undefined) throw new RangeError('no element to take');
  return found;
}

/** That many things, each made from its index. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
