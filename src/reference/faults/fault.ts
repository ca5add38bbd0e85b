import type { RequirementId } from '../../spec/requirement-id.ts';
import type { Modification } from '../hooks.ts';

/** A deliberate defect of the reference server. */
export interface Fault extends Modification {
  readonly id: string;
  /** The defect in one sentence. */
  readonly title: string;
  /** Section of the specification that it breaks. */
  readonly section: string;
  /** Requirements that must turn red because of it. */
  readonly kills: readonly RequirementId[];
  /** Set when only the full profile detects it. */
  readonly profile?: 'full';
}

/** A fault in the list of a section. */
export type FaultEntry = Omit<Fault, 'id' | 'section'>;

/** Turns entries by id into faults of a section. */
export function faultsOf(
  section: string,
  entries: Readonly<Record<string, FaultEntry>>,
): readonly Fault[] {
  return Object.entries(entries).map(([id, entry]) => ({ id, section, ...entry }));
}
