import { EXIT } from '../../spec/exit-codes.ts';
import { some } from '../../text/text.ts';
import { changesByKind, type Diff } from '../model/diff.ts';
import type { DiffFailing } from '../model/diff-gate.ts';
import type { Results } from '../model/results.ts';
import { ageWords, BECAUSE_WORDS, CHANGE_WORDS, groupChanges } from '../model/diff-words.ts';
import { groupCauses, rankOf } from './causes.ts';
import { changeWords, wordsById } from './history.ts';
import { fact, remark, type Entry, type Part, type TextReport } from './text-report.ts';

/** Ids listed per group; `--format json` has all. */
const NAMED = 12;

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
      const names = some(ids, NAMED);
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
