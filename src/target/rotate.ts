import { DAY } from '../spec/time.ts';

/** The default seed, with which the order of requests was measured. */
export const DEFAULT_SEED = 1;

/**
 * Rotates items by seed: first the item drawn, then the default one, then the others. Consecutive seeds draw
 * consecutive items, so that as many runs as there are items draw each one once. The others start half a list further
 * on, so that an item tested as one of them is drawn on a distant day. The default seed changes nothing.
 */
export function rotated<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const at = drawnIndex(items.length, seed);
  const [usual] = items;
  const drawn = items[at];
  if (at === 0 || usual === undefined || drawn === undefined) return items;
  const from = (at + Math.floor(items.length / 2)) % items.length;
  const others = items.map((_, index) => (from + index) % items.length);
  return [
    drawn,
    usual,
    ...others.flatMap((index) => {
      const item = items[index];
      return index === 0 || index === at || item === undefined ? [] : [item];
    }),
  ];
}

/** The index that a seed draws; 0 for the default seed. */
export function drawnIndex(length: number, seed: number): number {
  if (length < 2) return 0;
  return (((seed - DEFAULT_SEED) % length) + length) % length;
}

/**
 * The number of days since 1970-01-01 (UTC), used as the seed with `--rotate`. It is constant for a day, so that a run
 * can be resumed.
 */
export const seedOfDay = (now: number): number => Math.floor(now / DAY);
