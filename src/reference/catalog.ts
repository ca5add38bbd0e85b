import { FAULTS } from './faults/faults.ts';
import type { Fault } from './faults/fault.ts';
import { LOAD_FAULTS } from '../../suites/8-limits/faults/under-load-faults.ts';
import { suggestion } from '../text/closest-name.ts';
import { operatorFaults } from './operators/operators.ts';
import type { OperatorFault } from './operators/operators.ts';
import { VARIANTS } from './variants/variants.ts';
import type { Variant } from './variants/variant.ts';

/** All faults: deliberate defects, each tied to the requirements that must turn red. */
export function listFaults(): readonly Fault[] {
  return FAULTS;
}

/** Faults that only concurrent requests can show; the load scenarios prove themselves on them. */
export function listLoadFaults(): readonly Fault[] {
  return LOAD_FAULTS;
}

/** Faults that operators make from the facts of the contract, some thousands. */
export function listOperatorFaults(): readonly OperatorFault[] {
  return operatorFaults();
}

/** All variants: other choices that the specification allows. */
export function listVariants(): readonly Variant[] {
  return VARIANTS;
}

let operatorFaultById: ReadonlyMap<string, OperatorFault> | undefined;

/** One of the thousands of faults that operators make: a proof asks for each of them. */
function operatorFault(id: string): OperatorFault | undefined {
  operatorFaultById ??= new Map(operatorFaults().map((fault) => [fault.id, fault]));
  return operatorFaultById.get(id);
}

/** The faults with these ids. Throws for an unknown id, naming the nearest known one. */
export function faultsNamed(ids: readonly string[]): readonly (Fault | OperatorFault)[] {
  return ids.map((id) =>
    id.startsWith('op/')
      ? (operatorFault(id) ?? named('fault', operatorFaults(), id))
      : named('fault', [...FAULTS, ...LOAD_FAULTS], id),
  );
}

/**
 * The variants with these ids. Throws for an unknown id, and for two variants that choose different answers to the
 * same question. They come in the order of the list, not of `ids`: the envelope goes around everything else.
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
