import { DAY } from '../spec/time.ts';

/** The seed of a run that names none: everything is asked as the order of requests was measured. */
export const DEFAULT_SEED = 1;

/**
 * What can be asked for, in the order in which a seed takes it: what it draws, then what is asked for by default, which
 * was known to do before, then the others. Seeds that follow each other draw one item after the other, so that as many
 * runs as there are items draw each of them once; the others begin half a list further on, so that one that is looked at
 * beside what is drawn is drawn itself on quite another day. The default seed changes nothing.
 */
export function turned<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const at = placeDrawn(items.length, seed);
  const [usual] = items;
  const drawn = items[at];
  if (at === 0 || usual === undefined || drawn === undefined) return items;
  const from = (at + Math.floor(items.length / 2)) % items.length;
  const others = items.map((_, index) => (from + index) % items.length);
  return [
    drawn,
    usual,
    ...others.flatMap((place) => {
      const item = items[place];
      return place === 0 || place === at || item === undefined ? [] : [item];
    }),
  ];
}

/** The place in a list that a seed draws, 0 for the default one. */
export function placeDrawn(length: number, seed: number): number {
  if (length < 2) return 0;
  return (((seed - DEFAULT_SEED) % length) + length) % length;
}

/** The number of a day since 1970-01-01, UTC: the seed of runs that rotate. It is the same all day, so that a run can be taken up. */
export const seedOfDay = (now: number): number => Math.floor(now / DAY);
