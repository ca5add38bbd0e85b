import type { FailingWhy, Results } from './results.ts';

/** What stands before the ids, by reason. Violations, warnings and what is inconclusive also have lists of their own. */
const WORDS: Readonly<Record<FailingWhy, string>> = {
  violated: 'violated',
  warned: 'warned, and --fail-on should is set',
  untested: 'not tested, and --fail-on untested is set',
  inconclusive: 'could not be judged',
  error: 'Assay itself failed',
  waiver: 'the waiver no longer holds',
  baseline: 'differs from the baseline',
};

/** One reason for an exit code other than 0, and the requirements that it is about. */
export interface FailingGroup {
  readonly text: string;
  readonly ids: readonly string[];
}

/** What makes the exit code other than 0, grouped by reason; empty when it is 0. */
export function failingGroups({ failing = [] }: Results): readonly FailingGroup[] {
  return [...new Set(failing.map(({ why }) => why))].map((why) => ({
    text: WORDS[why],
    ids: failing.filter((one) => one.why === why).map(({ id }) => id),
  }));
}
