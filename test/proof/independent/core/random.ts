/** A source of numbers that depends on its seed alone. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** An integer from `low` to `high`, both possible. */
  integer(low: number, high: number): number;
  /** True with the probability given. */
  chance(probability: number): boolean;
  /** One element; throws for an empty list. */
  pick<T>(list: readonly T[]): T;
}

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

/** A source seeded by texts and numbers: the same parts, the same numbers. */
export function random(...parts: readonly (string | number)[]): Random {
  let state = hashOf(parts.join('\u0000'));
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (low: number, high: number): number =>
    low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (list) => at(list, integer(0, list.length - 1)),
  };
}

/** A number from 0 to 1 that belongs to the parts. */
export function noise(...parts: readonly (string | number)[]): number {
  return random(...parts).next();
}

/** Element of a list, counted round and round; throws when the list is empty. */
export function at<T>(list: readonly T[], index: number): T {
  const size = list.length;
  const found = list[((index % size) + size) % size];
  if (size === 0 || found === undefined) throw new RangeError('no element to take');
  return found;
}
