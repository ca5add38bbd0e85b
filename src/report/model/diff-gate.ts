import type { Diff } from './diff.ts';
import { failsAsUntested } from './gate.ts';
import type { RequirementResult, Results } from './results.ts';

/** What a comparison can fail on: newly violated musts always, the others when `--fail-on` names them. */
export const DIFF_FAIL_ON = ['must', 'should', 'unverified'] as const;
export type DiffFailOn = (typeof DIFF_FAIL_ON)[number];

/** One reason why a comparison fails, and the requirements that it is about. */
export interface DiffFailing {
  readonly why: DiffFailOn;
  readonly text: string;
  readonly ids: readonly string[];
}

/**
 * True for a must that was verified, is not any more, and that somebody has to look at: the target withheld it, Assay
 * failed, or a key, a fixture, the profile or the budget is missing now. What `--only` and `--skip` leave out, what the
 * target shows no data of and what needs time is as little a failure as in `assay run --fail-on untested`.
 */
function wentDark(requirement: RequirementResult | undefined): boolean {
  if (requirement === undefined || requirement.level !== 'must') return false;
  const { outcome } = requirement;
  return outcome === 'inconclusive' || outcome === 'error' || failsAsUntested(requirement);
}

/** Ids of the musts that are no longer verified, whether or not that fails the comparison. */
export function darkIds(diff: Diff, { requirements }: Results): readonly string[] {
  const byId = new Map(requirements.map((one) => [one.id, one]));
  return diff.changes
    .filter(({ kind, subject }) => kind === 'newly-unverified' && wentDark(byId.get(subject)))
    .map(({ subject }) => subject);
}

/** What fails a comparison; empty when nothing does. */
export function failingChanges(
  diff: Diff,
  after: Results,
  failOn: readonly DiffFailOn[],
): readonly DiffFailing[] {
  const violated = (level: 'must' | 'should'): readonly string[] =>
    diff.changes
      .filter((one) => one.kind === 'new-violation' && one.level === level)
      .map(({ subject }) => subject);
  const all: readonly DiffFailing[] = [
    { why: 'must', text: 'newly violated', ids: violated('must') },
    {
      why: 'should',
      text: 'newly warned, and --fail-on should is set',
      ids: violated('should'),
    },
    {
      why: 'unverified',
      text: 'no longer verified, and --fail-on unverified is set',
      ids: darkIds(diff, after),
    },
  ];
  return all.filter(({ why, ids }) => ids.length > 0 && (why === 'must' || failOn.includes(why)));
}
