import { EXIT } from '../../spec/exit-codes.ts';
import { some } from '../../text/text.ts';
import { changesByKind, type Diff } from '../model/diff.ts';
import type { DiffFailing } from '../model/diff-gate.ts';
import { ageWords, BECAUSE_WORDS, CHANGE_WORDS } from '../model/diff-words.ts';
import { changeCount, groupChanges } from '../model/diff-words.ts';
import { fact, type Entry, type Part, type TextReport } from './text-report.ts';

/** Ids listed per group; `--format json` has all. */
const NAMED = 12;

/** The output of `assay diff`. `history`: outcomes of requirements over more runs than these two, in words. */
export function diffOutline(
  diff: Diff,
  history: ReadonlyMap<string, string> = new Map(),
  failing: readonly DiffFailing[] = [],
): TextReport {
  const kinds = changesByKind(diff).map(([kind, changes]) => changeCount(kind, changes));
  const sentence = kinds.length === 0 ? 'Nothing changed.' : `${kinds.join(', ')}.`;
  const run = ({ startedAt, verdict, tool }: Diff['before']): string =>
    `${startedAt}, Assay ${tool}, ${verdict}`;
  const context = diff.context.map(({ of, name, before, after }): Entry => ({
    mark: '',
    tone: 'observed',
    text: `${of}: ${name}`,
    is: 'prose',
    facts: [...fact('Was', before, 'value'), ...fact('Now', after, 'value')],
  }));
  const parts = [
    { title: 'The runs differ in more than their results', entries: context, noun: 'difference' },
    ...changeParts(diff, history),
  ];
  return {
    title: 'changes',
    tone: failing.length > 0 ? 'failed' : 'plain',
    sentence,
    lines: failing.map(({ text, ids }) => ({ text: `Exit code ${EXIT.violates}: ${text}`, ids })),
    parts: parts.filter(({ entries }) => entries.length > 0),
    facts: [...fact('Before', run(diff.before), 'value'), ...fact('Now', run(diff.after), 'value')],
    end: sentence,
  };
}

const changeParts = (diff: Diff, history: ReadonlyMap<string, string>): readonly Part[] =>
  changesByKind(diff).map(([kind, list]) => {
    const { icon, tone } = CHANGE_WORDS[kind];
    const entries = groupChanges(list).map(({ example, changes }): Entry => {
      const ids = changes.map(({ subject }) => subject);
      const names = some(ids, NAMED);
      const isOne = changes.length === 1;
      const { since, because } = example;
      return {
        mark: icon,
        tone,
        text: isOne ? names : `${changes.length} for the same reason`,
        is: isOne ? 'value' : 'prose',
        facts: [
          ...fact('Ids', isOne ? '' : names, 'value'),
          ...fact('Was', example.before, 'value'),
          ...fact('Now', example.after, 'value'),
          ...fact('Violated', ageWords(since, diff.after.startedAt)),
          ...fact('History', isOne ? (history.get(example.subject) ?? '') : ''),
          ...fact('Origin', because === 'target' ? '' : `likely ${BECAUSE_WORDS[because]}`),
        ],
      };
    });
    return { title: changeCount(kind, list), entries, noun: 'reason' };
  });
