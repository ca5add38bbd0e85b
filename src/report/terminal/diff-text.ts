import { EXIT } from '../../spec/exit-codes.ts';
import { oneLine, plural, some, visible } from '../../text/text.ts';
import { guardLines, palette, wrap } from './console.ts';
import { changesByKind } from '../model/diff.ts';
import type { Diff } from '../model/diff.ts';
import type { DiffFailing } from '../model/diff-gate.ts';
import { ageWords, BECAUSE_WORDS, CHANGE_WORDS, changeCount } from '../model/diff-words.ts';
import { groupChanges } from '../model/diff-words.ts';
import { code, prose } from '../analysis/markdown-text.ts';

/** Groups listed per kind of change; the rest is counted. */
const LISTED = 40;
/** Ids listed per group; `--format json` has all. */
const NAMED = 12;

const EXIT_WORDS = `Exit code ${EXIT.violates}`;

type History = ReadonlyMap<string, string>;

/** The changes of each kind in words, not yet escaped. */
function toldOf(diff: Diff, history: History) {
  return changesByKind(diff).map(([kind, list]) => {
    const groups = groupChanges(list);
    return {
      ...CHANGE_WORDS[kind],
      title: changeCount(kind, list),
      left: groups.length - LISTED,
      groups: groups.slice(0, LISTED).map(({ example, changes, before }) => ({
        count: changes.length,
        names: changes.map(({ subject }) => subject),
        before: before ?? 'varies',
        after: example.after,
        age: ageWords(example.since, diff.after.startedAt),
        history: changes.length === 1 ? (history.get(example.subject) ?? '') : '',
        origin: example.because === 'target' ? '' : BECAUSE_WORDS[example.because],
      })),
    };
  });
}

/** The differences between two runs in one sentence. */
function diffSentence(diff: Diff): string {
  const kinds = changesByKind(diff).map(([kind, changes]) => changeCount(kind, changes));
  return kinds.length === 0 ? 'Nothing changed.' : `${kinds.join(', ')}.`;
}

interface DiffTextOptions {
  readonly color: boolean;
  readonly width: number;
  /** Outcomes of requirements over more runs than these two, in words. */
  readonly history?: History;
  /** Why the comparison fails. */
  readonly failing?: readonly DiffFailing[];
}

/** The output of `assay diff`. Text from a target cannot control the terminal or a CI server. */
export function renderDiffText(diff: Diff, options: DiffTextOptions): string {
  const { history = new Map(), failing = [] } = options;
  const paint = palette(options.color);
  const width = Math.max(40, options.width);
  const paints: Readonly<Record<string, (text: string) => string>> = {
    failed: paint.red,
    passed: paint.green,
    warned: paint.yellow,
  };
  const lines: string[] = [];
  const add = (text: string, indent = 0): void => {
    for (const line of wrap(visible(text), width - indent)) lines.push(' '.repeat(indent) + line);
  };
  add(`Before: ${diff.before.startedAt}, Assay ${diff.before.tool}, ${diff.before.verdict}`);
  add(`Now:    ${diff.after.startedAt}, Assay ${diff.after.tool}, ${diff.after.verdict}`);
  if (diff.context.length > 0) {
    lines.push('', paint.bold('The runs differ in more than their results'));
    for (const one of diff.context) {
      add(`${one.of}: ${one.name}: ${oneLine(one.before, 200)} -> ${oneLine(one.after, 200)}`, 1);
    }
  }
  for (const { icon, tone, title, groups, left } of toldOf(diff, history)) {
    lines.push('', paint.bold(title));
    for (const { count, names, before, after, age, history: past, origin } of groups) {
      const subjects = some(
        names.map((name) => oneLine(name, 120)),
        NAMED,
      );
      const head = `${icon} ${count === 1 ? subjects : `${count} for the same reason`}`;
      lines.push(` ${(paints[tone] ?? paint.cyan)(head)}`);
      if (count > 1) add(subjects, 3);
      add(`was: ${oneLine(before, 300)}`, 3);
      add(`now: ${oneLine(after, 400)}${age === '' ? '' : ` (${age})`}`, 3);
      if (past !== '') add(`history: ${past}`, 3);
      if (origin !== '') add(`likely caused by ${origin}`, 3);
    }
    if (left > 0) lines.push(` ${left} more reasons`);
  }
  lines.push('', paint.bold(diffSentence(diff)));
  for (const { text, ids } of failing) add(`${EXIT_WORDS}: ${text}: ${ids.join(', ')}`);
  return guardLines([...lines, ''].join('\n'));
}

/** The same as Markdown for step summaries and comments. Text from a target appears in code spans only. */
export function renderDiffMarkdown(
  diff: Diff,
  history: History = new Map(),
  failing: readonly DiffFailing[] = [],
): string {
  const run = ({ startedAt, verdict, tool }: Diff['before']): string =>
    `${code(startedAt, 40)} (${prose(verdict, 40)}, Assay ${code(tool, 40)})`;
  const list = (items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [...items, ''];
  return [
    '# Assay: changes',
    '',
    prose(diffSentence(diff), 1_000),
    '',
    ...list(
      failing.map(
        ({ text, ids }) => `- ${EXIT_WORDS}: ${text}: ${ids.map((id) => code(id, 120)).join(', ')}`,
      ),
    ),
    `Before ${run(diff.before)}, now ${run(diff.after)}.`,
    '',
    ...(diff.context.length > 0 ? ['## The runs differ in more than their results', ''] : []),
    ...list(
      diff.context.map(
        (one) => `- ${one.of}: ${prose(one.name)}: ${code(one.before)} → ${code(one.after)}`,
      ),
    ),
    ...toldOf(diff, history).flatMap(({ icon, title, groups, left }) => [
      `## ${icon.replace(/[+=~-]/, '\\$&')} ${title}`,
      '',
      ...groups.map(({ names, before, after, age, history: past, origin }) => {
        const subjects = some(
          names.map((name) => code(name, 160)),
          NAMED,
        );
        const from = origin === '' ? '' : `likely caused by ${origin}`;
        const facts = [`was ${code(before)}`, `now ${code(after)}`, age, past, from];
        return `- ${subjects}: ${facts.filter((fact) => fact !== '').join(', ')}`;
      }),
      ...(left > 0 ? [`- ${plural(left, 'more reason')}`] : []),
      '',
    ]),
  ].join('\n');
}
