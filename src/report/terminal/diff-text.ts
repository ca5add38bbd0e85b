import { EXIT } from '../../spec/exit-codes.ts';
import { oneLine, plural, visible } from '../../text/text.ts';
import { guardLines, palette, wrap } from './console.ts';
import type { Palette } from './console.ts';
import { changesByKind } from '../model/diff.ts';
import type { Change, Diff } from '../model/diff.ts';
import type { DiffFailing } from '../model/diff-gate.ts';
import { ageWords, BECAUSE_WORDS, CHANGE_WORDS, changeCount } from '../model/diff-words.ts';
import { groupChanges, type ChangeGroup } from '../model/diff-words.ts';
import { code, prose } from '../analysis/markdown-text.ts';

/** Groups listed per kind of change; the rest is counted. */
const LISTED = 40;
/** Ids listed per group; `--format json` has all. */
const NAMED = 12;

function subjectsOf({ changes }: ChangeGroup): string {
  const names = changes.slice(0, NAMED).map(({ subject }) => oneLine(subject, 120));
  const more = changes.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const beforeOf = ({ before }: ChangeGroup): string => before ?? 'varies';

const EXIT_WORDS = `Exit code ${EXIT.violates}`;

/** The differences between two runs in one sentence. */
export function diffSentence(diff: Diff): string {
  const kinds = changesByKind(diff);
  if (kinds.length === 0) return 'Nothing changed.';
  return `${kinds.map(([kind, changes]) => changeCount(kind, changes)).join(', ')}.`;
}

function paintOf(change: Change, paint: Palette): (text: string) => string {
  const { tone } = CHANGE_WORDS[change.kind];
  if (tone === 'failed') return paint.red;
  if (tone === 'passed') return paint.green;
  return tone === 'warned' ? paint.yellow : paint.cyan;
}

/** The output of `assay diff`. Text from a target cannot control the terminal or a CI server. */
export function renderDiffText(
  diff: Diff,
  options: {
    readonly color: boolean;
    readonly width: number;
    /** Outcomes of requirements over more runs than these two, in words. */
    readonly history?: ReadonlyMap<string, string>;
    /** Why the comparison fails. */
    readonly failing?: readonly DiffFailing[];
  },
): string {
  const paint = palette(options.color);
  const width = Math.max(40, options.width);
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
  for (const [kind, list] of changesByKind(diff)) {
    const { icon } = CHANGE_WORDS[kind];
    lines.push('', paint.bold(changeCount(kind, list)));
    const groups = groupChanges(list);
    for (const group of groups.slice(0, LISTED)) {
      const { example: change, changes } = group;
      const isOne = changes.length === 1;
      const head = `${icon} ${isOne ? subjectsOf(group) : `${changes.length} for the same reason`}`;
      lines.push(` ${paintOf(change, paint)(head)}`);
      if (!isOne) add(subjectsOf(group), 3);
      add(`was: ${oneLine(beforeOf(group), 300)}`, 3);
      const age = ageWords(change.since, diff.after.startedAt);
      add(`now: ${oneLine(change.after, 400)}${age === '' ? '' : ` (${age})`}`, 3);
      const more = isOne ? options.history?.get(change.subject) : undefined;
      if (more !== undefined) add(`history: ${more}`, 3);
      if (change.because !== 'target') add(`likely caused by ${BECAUSE_WORDS[change.because]}`, 3);
    }
    if (groups.length > LISTED) lines.push(` ${groups.length - LISTED} more reasons`);
  }
  lines.push('', paint.bold(diffSentence(diff)));
  for (const { text, ids } of options.failing ?? [])
    add(`${EXIT_WORDS}: ${text}: ${ids.join(', ')}`);
  lines.push('');
  return guardLines(lines.join('\n'));
}

/** The same as Markdown for step summaries and comments. Text from a target appears in code spans only. */
export function renderDiffMarkdown(
  diff: Diff,
  history: ReadonlyMap<string, string> = new Map(),
  failing: readonly DiffFailing[] = [],
): string {
  const lines = [
    '# Assay: changes',
    '',
    prose(diffSentence(diff), 1_000),
    '',
    ...failing.map(
      ({ text, ids }) => `- ${EXIT_WORDS}: ${text}: ${ids.map((id) => code(id, 120)).join(', ')}`,
    ),
    ...(failing.length > 0 ? [''] : []),
    `Before ${code(diff.before.startedAt, 40)} (${prose(diff.before.verdict, 40)}, Assay ${code(diff.before.tool, 40)}), now ${code(diff.after.startedAt, 40)} (${prose(diff.after.verdict, 40)}, Assay ${code(diff.after.tool, 40)}).`,
    '',
  ];
  if (diff.context.length > 0) {
    lines.push('## The runs differ in more than their results', '');
    for (const one of diff.context) {
      lines.push(`- ${one.of}: ${prose(one.name)}: ${code(one.before)} → ${code(one.after)}`);
    }
    lines.push('');
  }
  for (const [kind, list] of changesByKind(diff)) {
    lines.push(
      `## ${CHANGE_WORDS[kind].icon.replace(/[+=~-]/, '\\$&')} ${changeCount(kind, list)}`,
      '',
    );
    const groups = groupChanges(list);
    for (const group of groups.slice(0, LISTED)) {
      const { example: change, changes } = group;
      const age = ageWords(change.since, diff.after.startedAt);
      const from =
        change.because === 'target' ? '' : `, likely caused by ${BECAUSE_WORDS[change.because]}`;
      const more = changes.length === 1 ? history.get(change.subject) : undefined;
      const subjects = changes.slice(0, NAMED).map(({ subject }) => code(subject, 160));
      const others = changes.length > NAMED ? ` and ${changes.length - NAMED} more` : '';
      const told = more === undefined ? '' : `, ${more}`;
      lines.push(
        `- ${subjects.join(', ')}${others}: was ${code(beforeOf(group))}, now ${code(change.after)}${age === '' ? '' : `, ${age}`}${told}${from}`,
      );
    }
    if (groups.length > LISTED) {
      lines.push(`- ${plural(groups.length - LISTED, 'more reason')}`);
    }
    lines.push('');
  }
  return lines.join('\n');
}
