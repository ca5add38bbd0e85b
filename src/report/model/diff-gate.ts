import type { Level } from '../../spec/levels.ts';
import type { ChangeKind, Diff } from './diff.ts';
import { failsAsUntested } from './gate.ts';
import type { Results } from './results.ts';
import { isWaivedViolation } from './status.ts';

/** What fails a comparison: newly violated musts, and what `--fail-on` names. */
export const DIFF_FAIL_ON = ['must', 'should', 'unverified'] as const;
export type DiffFailOn = (typeof DIFF_FAIL_ON)[number];

/** One reason why a comparison fails, and the requirements that it is about. */
export type DiffFailing = ReturnType<typeof failingChanges>[number];

const subjectsOf = ({ changes }: Diff, kind: ChangeKind, level: Level): readonly string[] =>
  changes.filter((one) => one.kind === kind && one.level === level).map(({ subject }) => subject);

/** Ids of musts no longer verified, except for `--only`, `--skip`, data and time, as for `assay run --fail-on untested`. */
export function darkIds(diff: Diff, { requirements }: Results): readonly string[] {
  const unverified = new Set(subjectsOf(diff, 'newly-unverified', 'must'));
  return requirements
    .filter(({ id }) => unverified.has(id))
    .filter((one) => ['inconclusive', 'error'].includes(one.outcome) || failsAsUntested(one))
    .map(({ id }) => id);
}

/** Reasons why a comparison fails. As in a run, a waived violation is not one. */
export function failingChanges(diff: Diff, after: Results, failOn: readonly DiffFailOn[]) {
  const waived = new Set(after.requirements.filter(isWaivedViolation).map(({ id }) => id));
  const violated = (level: Level): readonly string[] =>
    subjectsOf(diff, 'new-violation', level).filter((id) => !waived.has(id));
  const all = [
    { why: 'must', text: 'newly violated', ids: violated('must') },
    { why: 'should', text: 'newly warned, with --fail-on should', ids: violated('should') },
    {
      why: 'unverified',
      text: 'no longer verified, with --fail-on unverified',
      ids: darkIds(diff, after),
    },
  ] as const;
  return all.filter(({ why, ids }) => ids.length > 0 && (why === 'must' || failOn.includes(why)));
}
