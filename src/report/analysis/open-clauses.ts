import { knownAbout } from '../../requirements/catalogue.ts';
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
  const judged = requirements.filter(isJudged);
  const covered = new Set(judged.flatMap(({ id }) => knownAbout(id).clauses ?? []));
  return { open: CLAUSES.filter((clause) => !covered.has(clause)), of: CLAUSES.length };
}
