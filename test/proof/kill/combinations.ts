import type { listVariants } from '#src/reference/catalog.ts';
import { generator } from './random.ts';

type Variant = ReturnType<typeof listVariants>[number];

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
