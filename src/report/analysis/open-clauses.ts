import { isRequirementId, requirementOf } from '../../requirements/catalogue.ts';
import { clauseCoverage } from '../../requirements/clauses.ts';
import { compareSections } from '../model/labels.ts';
import type { RequirementResult } from '../model/results.ts';
import { isJudged } from '../model/status.ts';

/** The section of a clause: `4.3` of `4.3 rule 1`. */
export const sectionOf = (clause: string): string => clause.split(' ', 1)[0] ?? '';

const CLAUSES = [...clauseCoverage().keys()].toSorted((a, b) =>
  compareSections(sectionOf(a), sectionOf(b)),
);

/** The clauses of which no requirement was judged, in the order of the specification, of all that have a requirement. */
export function openClauses(
  requirements: readonly Pick<RequirementResult, 'id' | 'outcome' | 'waived'>[],
): { readonly open: readonly string[]; readonly of: number } {
  const covered = new Set<string>();
  for (const one of requirements) {
    if (!isRequirementId(one.id) || !isJudged(one)) continue;
    for (const clause of requirementOf(one.id).clauses) covered.add(clause);
  }
  return { open: CLAUSES.filter((clause) => !covered.has(clause)), of: CLAUSES.length };
}
