import type { RequirementId } from '../../spec/requirement-id.ts';
import type { Modification } from '../hooks.ts';

/** A deliberate defect of the reference server. */
export interface Fault extends Modification {
  readonly id: string;
  /** The defect in one sentence. */
  readonly title: string;
  /** Requirements that must turn red because of it. */
  readonly kills: readonly RequirementId[];
  /** Set when only the full profile detects it. */
  readonly profile?: 'full';
}

/** A fault in a list by id. */
export type FaultEntry = Omit<Fault, 'id'>;

/** Turns entries by id into faults. */
export function faultsOf(entries: Readonly<Record<string, FaultEntry>>): readonly Fault[] {
  return Object.entries(entries).map(([id, entry]) => ({ id, ...entry }));
}
