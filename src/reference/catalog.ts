import { listFaults, WRITTEN_FAULTS } from './faults/faults.ts';
import type { Fault } from './faults/fault.ts';
import { LOAD_FAULTS } from '../../suites/8-limits/faults/under-load-faults.ts';
import { suggestion } from '../text/closest-name.ts';
import { operatorFaults } from './operators/operators.ts';
import type { OperatorFault } from './operators/operators.ts';
import { VARIANTS, type Variant } from './choices/choices.ts';

export { listFaults } from './faults/faults.ts';

/** Faults that only concurrent requests can show; they prove the load scenarios. */
export const listLoadFaults = (): readonly Fault[] => LOAD_FAULTS;

/** The thousands of faults that operators generate from the facts of the interface. */
export const listOperatorFaults = operatorFaults;

/** All variants: other choices that the specification allows. */
export const listVariants = (): readonly Variant[] => VARIANTS;

/** The faults with these ids. Throws for an unknown id, naming the nearest known one. */
export function faultsNamed(ids: readonly string[]): readonly (Fault | OperatorFault)[] {
  // To generate the others takes a while.
  const written = [...WRITTEN_FAULTS, ...LOAD_FAULTS];
  const others = (id: string): readonly (Fault | OperatorFault)[] =>
    id.startsWith('op/') ? operatorFaults() : [...listFaults(), ...LOAD_FAULTS];
  return ids.map((id) => written.find((one) => one.id === id) ?? named('fault', others(id), id));
}

/**
 * The variants with these ids, in catalogue order, because the envelope must be applied last. Throws for an unknown id and for
 * variants that contradict each other.
 */
export function variantsNamed(ids: readonly string[]): readonly Variant[] {
  const chosen = ids.map((id) => named('variant', VARIANTS, id));
  const byQuestion = new Map<string, Variant>();
  for (const variant of chosen) {
    const other = byQuestion.get(variant.question);
    if (other !== undefined && other.id !== variant.id) {
      throw new Error(
        `The variants "${other.id}" and "${variant.id}" exclude each other (${variant.question}). Choose one.`,
      );
    }
    byQuestion.set(variant.question, variant);
  }
  return VARIANTS.filter((variant) => chosen.includes(variant));
}

function named<Entry extends { readonly id: string }>(
  kind: string,
  entries: readonly Entry[],
  id: string,
): Entry {
  const found = entries.find((entry) => entry.id === id);
  if (found !== undefined) return found;
  const ids = entries.map((entry) => entry.id);
  throw new Error(`There is no ${kind} "${id}". ${suggestion(id, ids, JSON.stringify)}`.trimEnd());
}
