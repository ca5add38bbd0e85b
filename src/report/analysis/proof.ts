import { plural } from '../../text/text.ts';
import { UNJUDGED } from '../model/labels.ts';
import type { RequirementResult, Results } from '../model/results.ts';

/** How the requirements that this run judged stand to the deliberate defects of the reference server. */
export interface Proof {
  readonly proven: readonly RequirementResult[];
  readonly unproven: readonly RequirementResult[];
  readonly faults: number;
}

/** Musts and shoulds that this run judged: those that some deliberate defect turns red, and those that none does. */
export function proofOf({ requirements, proof }: Results): Proof | null {
  if (proof === undefined) return null;
  const judged = requirements.filter(
    ({ level, outcome }) => level !== 'observe' && !UNJUDGED.includes(outcome),
  );
  const isProven = ({ id }: RequirementResult): boolean => (proof[id]?.length ?? 0) > 0;
  return {
    proven: judged.filter(isProven),
    unproven: judged.filter((one) => !isProven(one)),
    faults: new Set(judged.flatMap(({ id }) => proof[id] ?? [])).size,
  };
}

/** How far the checks were shown to be able to fail, in one sentence. */
export function proofSentence(results: Results): string {
  const judged = proofOf(results);
  if (judged === null) {
    return 'This file holds no proof that the checks can fail: npm run prove writes one.';
  }
  const { proven, unproven, faults } = judged;
  const all = proven.length + unproven.length;
  if (all === 0) return 'No must or should was judged in this run, so there is no pass to believe.';
  return `Of ${all} musts and shoulds judged in this run, ${unproven.length === 0 ? 'all' : proven.length} are proven able to fail: at least one of ${plural(faults, 'deliberate defect')} of the reference server turns each of them red.`;
}
