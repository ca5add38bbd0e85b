import { DAY } from '../../spec/time.ts';
import type { Level } from '../../spec/levels.ts';
import type { Because, ChangeKind } from './diff.ts';

/** Display of a kind of change, which never relies on colour alone. */
export const CHANGE_WORDS: Readonly<
  Record<
    ChangeKind,
    { readonly icon: string; readonly words: string; readonly one?: string; readonly tone: string }
  >
> = {
  'new-violation': { icon: '+', words: 'new violations', one: 'new violation', tone: 'failed' },
  'still-violated': { icon: '=', words: 'still violated', tone: 'failed' },
  fixed: { icon: '✓', words: 'fixed', tone: 'passed' },
  'newly-unverified': { icon: '?', words: 'no longer verified', tone: 'warned' },
  behaviour: {
    icon: '~',
    words: 'changes where the specification is silent',
    one: 'change where the specification is silent',
    tone: 'observed',
  },
  shape: {
    icon: '~',
    words: 'responses with different fields',
    one: 'response with different fields',
    tone: 'observed',
  },
  'newly-verified': { icon: '✓', words: 'newly verified', tone: 'passed' },
  added: { icon: '+', words: 'requirements added', one: 'requirement added', tone: 'untested' },
  removed: {
    icon: '-',
    words: 'requirements removed',
    one: 'requirement removed',
    tone: 'untested',
  },
};

/** Words for shoulds, whose violations are warnings. */
const OF_WARNINGS: Readonly<Partial<Record<ChangeKind, readonly [one: string, words: string]>>> = {
  'new-violation': ['new warning', 'new warnings'],
  'still-violated': ['still warned', 'still warned'],
};

/** `1 new violation`, `2 new violations, 1 new warning`, `3 fixed`. */
export function changeCount(
  kind: ChangeKind,
  changes: readonly { readonly level: Level | null }[],
): string {
  const { words, one } = CHANGE_WORDS[kind];
  const ofWarnings = OF_WARNINGS[kind];
  const warnings =
    ofWarnings === undefined ? 0 : changes.filter(({ level }) => level === 'should').length;
  const count = changes.length - warnings;
  return [
    ...(count > 0 ? [`${count} ${count === 1 ? (one ?? words) : words}`] : []),
    ...(warnings > 0 ? [`${warnings} ${ofWarnings?.[warnings === 1 ? 0 : 1] ?? ''}`] : []),
  ].join(', ');
}

/** The likely origin of a change, in words. */
export const BECAUSE_WORDS: Readonly<Record<Because, string>> = {
  target: 'the target',
  specification: 'the specification',
  suite: 'Assay itself',
  data: "the day's data",
  settings: "the run's settings",
};

/** Age of a violation in whole days; empty if unknown or new. */
export function ageWords(since: string | null | undefined, now: string): string {
  if (since === null || since === undefined) return '';
  const days = Math.floor((Date.parse(now) - Date.parse(since)) / DAY);
  if (!Number.isFinite(days)) return '';
  if (days <= 0) return `since ${since.slice(0, 10)}`;
  return `since ${since.slice(0, 10)} (${days === 1 ? '1 day' : `${days} days`})`;
}
