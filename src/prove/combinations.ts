import type { listVariants } from '../reference/catalog.ts';

type Variant = ReturnType<typeof listVariants>[number];

/** A small generator of pseudo-random numbers (mulberry32), so that a seed gives the same combinations everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Draws combinations of two to six variants. Variants that answer the same question exclude each other. No combination
 * comes twice as long as there are enough of them.
 */
export function combinations(
  variants: readonly Variant[],
  count: number,
  seed: number,
): readonly (readonly string[])[] {
  const random = generator(seed);
  const drawn = new Map<string, readonly string[]>();
  for (let tries = 0; drawn.size < count && tries < count * 50; tries += 1) {
    const size = 2 + Math.floor(random() * 5);
    const byQuestion = new Map<string, string>();
    for (let index = 0; index < size; index += 1) {
      const variant = variants[Math.floor(random() * variants.length)];
      if (variant !== undefined && !byQuestion.has(variant.question)) {
        byQuestion.set(variant.question, variant.id);
      }
    }
    if (byQuestion.size < 2) continue;
    const ids = [...byQuestion.values()].toSorted();
    drawn.set(ids.join(), ids);
  }
  return [...drawn.values()];
}
