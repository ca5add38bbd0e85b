import type { FailingWhy, Results, WaiverResult } from './results.ts';
import { byNeed, isBroken } from './waiver-words.ts';

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

/** Why a waiver no longer holds: what has to be done about it differs. */
const WAIVER_WORDS: Readonly<Partial<Record<WaiverResult['state'], string>>> = {
  drifted: 'the waiver drifted, the evidence is another one',
  expired: 'the waiver has expired (repair the target, or decide anew with assay waive)',
  unmatched:
    'the waiver matches nothing (nothing violates it here: take it out, or keep a file for each deployment)',
};

/** One reason for an exit code other than 0, and the requirements that it is about. */
export interface FailingGroup {
  readonly why: FailingWhy;
  readonly text: string;
  readonly ids: readonly string[];
}

/** What makes the exit code other than 0, grouped by reason; empty when it is 0. */
export function failingGroups({
  failing = [],
  waivers = [],
}: Pick<Results, 'failing' | 'waivers'>): readonly FailingGroup[] {
  return [...new Set(failing.map(({ why }) => why))].flatMap((why): FailingGroup[] => {
    const ids = failing.filter((one) => one.why === why).map(({ id }) => id);
    const whole = { why, text: WORDS[why], ids };
    return why === 'waiver' ? byState(whole, waivers) : [whole];
  });
}

/** Waivers by what became of them; together where the results do not say it. */
function byState(whole: FailingGroup, waivers: readonly WaiverResult[]): FailingGroup[] {
  const broken = byNeed(waivers).filter((one) => isBroken(one) && whole.ids.includes(one.id));
  const told = new Set(broken.map(({ id }) => id));
  const rest = whole.ids.filter((id) => !told.has(id));
  const groups = [...new Set(broken.map(({ state }) => state))].map((state) => ({
    ...whole,
    text: WAIVER_WORDS[state] ?? whole.text,
    ids: [...new Set(broken.filter((one) => one.state === state).map(({ id }) => id))],
  }));
  return rest.length === 0 ? groups : [...groups, { ...whole, ids: rest }];
}
