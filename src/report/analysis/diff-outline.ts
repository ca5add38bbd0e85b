import { EXIT } from '../../spec/exit-codes.ts';
import { some } from '../../text/text.ts';
import { changesByKind, type ChangeKind, type Diff } from '../model/diff.ts';
import { failsAsUntested } from '../model/gate.ts';
import { isWaivedViolation } from '../model/status.ts';
import type { Level } from '../../spec/levels.ts';
import type { Results } from '../model/results.ts';
import { ageWords, BECAUSE_WORDS, CHANGE_WORDS, groupChanges } from '../model/diff-words.ts';
import { groupCauses, rankOf } from './causes.ts';
import { changeWords, wordsById } from './history.ts';
import { fact, remark, type Entry, type Part, type TextReport } from './text-report.ts';

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

/** The output of `assay diff`. `later`: the run after the changes, with the history that is known. */
export function diffOutline(
  diff: Diff,
  later: Results,
  failing: readonly DiffFailing[] = [],
): TextReport {
  const kinds = changesByKind(diff).map(([kind, changes]) => changeWords(kind, changes, later));
  const sentence = kinds.length === 0 ? 'Nothing changed.' : `${kinds.join(', ')}.`;
  const run = ({ startedAt, verdict, tool }: Diff['before']): string =>
    `${startedAt}, Assay ${tool}, ${verdict}`;
  const context = diff.context.map(({ of, name, before, after }) =>
    remark(`${of}: ${name}`, [...fact('Was', before, 'value'), ...fact('Now', after, 'value')]),
  );
  const parts = [
    { title: 'The runs differ in more than their results', entries: context, noun: 'difference' },
    ...changeParts(diff, later),
  ];
  return {
    title: 'changes',
    tone: failing.length > 0 ? 'failed' : 'plain',
    sentence,
    lines: failing.map(({ text, ids }) => ({ text: `Exit code ${EXIT.violates}: ${text}`, ids })),
    parts: parts.filter(({ entries }) => entries.length > 0),
    facts: [...fact('Before', run(diff.before), 'value'), ...fact('Now', run(diff.after), 'value')],
    rest: 'with --format json',
    end: sentence,
  };
}

function changeParts(diff: Diff, after: Results): readonly Part[] {
  const history = wordsById(after);
  const rank = rankOf(groupCauses(after));
  return changesByKind(diff).map(([kind, list]) => {
    const { icon, tone } = CHANGE_WORDS[kind];
    const entries = groupChanges(list, rank).map(({ example, changes }): Entry => {
      const ids = changes.map(({ subject }) => subject);
      const names = some(ids, 12);
      const isOne = changes.length === 1;
      const { since, because, level } = example;
      return {
        mark: icon,
        tone,
        text: isOne ? names : `${changes.length} for the same reason`,
        is: isOne ? 'value' : 'prose',
        facts: [
          ...fact('Ids', isOne ? '' : names, 'value'),
          ...fact('Was', example.before, 'value'),
          ...fact('Now', example.after, 'value'),
          ...fact(
            level === 'should' ? 'Warned' : 'Violated',
            ageWords(since, diff.after.startedAt),
          ),
          ...fact('History', isOne ? (history.get(example.subject) ?? '') : ''),
          ...fact('Origin', because === 'target' ? '' : `likely ${BECAUSE_WORDS[because]}`),
        ],
      };
    });
    return { title: changeWords(kind, list, after), entries, noun: 'reason' };
  });
}
