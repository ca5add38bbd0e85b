import { plural } from '../../text/text.ts';
import { UNJUDGED } from '../model/labels.ts';
import type { RequirementResult, Results } from '../model/results.ts';

/** Judged requirements by whether a deliberate defect of the reference server makes them fail. */
export interface Proof {
  readonly proven: readonly RequirementResult[];
  readonly unproven: readonly RequirementResult[];
  readonly faults: number;
}

/** Only musts and shoulds judged in this run. */
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

/** How many checks are proven able to fail, in one sentence. */
export function proofSentence(results: Results): string {
  const judged = proofOf(results);
  if (judged === null) {
    return 'These results contain no proof that the checks can fail; npm run prove creates it.';
  }
  const { proven, unproven, faults } = judged;
  const all = proven.length + unproven.length;
  if (all === 0) return 'No must or should was judged in this run.';
  const share = unproven.length === 0 ? `All ${all}` : `${proven.length} of ${all}`;
  return `${share} judged musts and shoulds are proven able to fail: each fails on at least one of ${plural(faults, 'deliberate defect')} in the reference server.`;
}
