import type { listFaults, listVariants } from '#src/reference/catalog.ts';
import { DEFECT_KINDS } from '#src/contract/defect-kinds.ts';
import { classOf } from './classes.ts';
import type { DefectKind } from '#src/contract/defect-kinds.ts';

type Fault = ReturnType<typeof listFaults>[number];
type Variant = ReturnType<typeof listVariants>[number];

/** A generator of pseudo-random numbers (mulberry32): a seed gives the same sample everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** How often something was drawn so far. */
class Counts {
  readonly #counts = new Map<string, number>();
  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
  add(name: string): void {
    this.#counts.set(name, this.of(name) + 1);
  }
}

/**
 * Draws faults so that every section and every class is there, every class has the same weight, and plain and subtle
 * ones alternate where a class has both. They come in the order of the catalogue.
 */
export function sampleFaults(faults: readonly Fault[], size: number, seed: number): Fault[] {
  const pool = shuffled(faults, generator(seed));
  const classes = new Counts();
  const sections = new Counts();
  const kinds = new Counts();
  const chosen = new Set<Fault>();
  const kindOf = (fault: Fault): string =>
    `${classOf(fault)}, ${fault.subtle ? 'subtle' : 'plain'}`;
  const draw = (candidates: readonly Fault[]): void => {
    const weight = (fault: Fault): readonly number[] => [
      classes.of(classOf(fault)),
      kinds.of(kindOf(fault)),
      sections.of(fault.section),
    ];
    const [first] = candidates
      .filter((fault) => !chosen.has(fault))
      .map((fault) => ({ fault, weight: weight(fault) }))
      .toSorted((a, b) => compare(a.weight, b.weight));
    if (first === undefined) return;
    chosen.add(first.fault);
    classes.add(classOf(first.fault));
    kinds.add(kindOf(first.fault));
    sections.add(first.fault.section);
  };
  for (const section of new Set(pool.map((fault) => fault.section))) {
    if (chosen.size < size) draw(pool.filter((fault) => fault.section === section));
  }
  while (chosen.size < Math.min(size, pool.length)) draw(pool);
  return faults.filter((fault) => chosen.has(fault));
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** How many faults of the whole catalogue each class has, for weighing what was found in a sample. */
export function classSizes(faults: readonly Fault[]): Readonly<Record<DefectKind, number>> {
  const size = (one: DefectKind): number => faults.filter((fault) => classOf(fault) === one).length;
  return Object.fromEntries(DEFECT_KINDS.map((one) => [one, size(one)])) as Record<
    DefectKind,
    number
  >;
}

/**
 * Draws variants, in the order of the catalogue. The envelope is left out: it conforms only when the target file says
 * so, and a document cannot.
 */
export function sampleVariants(
  variants: readonly Variant[],
  size: number,
  seed: number,
): readonly Variant[] {
  const free = variants.filter(({ envelope }) => envelope === undefined);
  const chosen = new Set(shuffled(free, generator(seed)).slice(0, size));
  return free.filter((variant) => chosen.has(variant));
}
