import { DAY } from '../../spec/time.ts';
import type { Level } from '../../spec/levels.ts';
import { plural } from '../../text/text.ts';
import type { Because, Change, ChangeKind } from './diff.ts';
import { groupBy } from '../../text/group-by.ts';
import type { Outcome } from './results.ts';
import { shape } from './shape.ts';

type Noun = readonly [one: string, many: string];
const several = (noun: string, more = ''): Noun => [`${noun}${more}`, `${noun}s${more}`];
const alike = (words: string): Noun => [words, words];

/** Kinds of differences between two runs, decisions first, and their display, which never relies on colour alone. */
export const CHANGE_WORDS = {
  'new-violation': { icon: '+', tone: 'failed', noun: several('new violation') },
  'still-violated': { icon: '=', tone: 'failed', noun: alike('still violated') },
  fixed: { icon: '✓', tone: 'passed', noun: alike('fixed') },
  'newly-unverified': { icon: '?', tone: 'warned', noun: alike('no longer verified') },
  behaviour: {
    icon: '~',
    tone: 'observed',
    noun: several('change', ' where the specification is silent'),
  },
  'newly-verified': { icon: '✓', tone: 'passed', noun: alike('newly verified') },
  added: { icon: '+', tone: 'untested', noun: several('requirement', ' added') },
  removed: { icon: '-', tone: 'untested', noun: several('requirement', ' removed') },
} as const satisfies Readonly<Record<string, { icon: string; tone: Outcome; noun: Noun }>>;

/** Words for shoulds, whose violations are warnings. */
const OF_WARNINGS: Readonly<Partial<Record<ChangeKind, Noun>>> = {
  'new-violation': several('new warning'),
  'still-violated': alike('still warned'),
  fixed: several('warning', ' fixed'),
};

/** `1 new violation`, `2 new violations, 1 new warning`, `2 fixed, 1 warning fixed`. */
export function changeCount(
  kind: ChangeKind,
  changes: readonly { readonly level: Level | null }[],
): string {
  const ofWarnings = OF_WARNINGS[kind];
  const warnings = ofWarnings ? changes.filter(({ level }) => level === 'should').length : 0;
  const some = (count: number, noun: Noun = CHANGE_WORDS[kind].noun): readonly string[] =>
    count === 0 ? [] : [plural(count, ...noun)];
  return [...some(changes.length - warnings), ...some(warnings, ofWarnings)].join(', ');
}

/** The likely origin of a change, in words. */
export const BECAUSE_WORDS: Readonly<Record<Because, string>> = {
  target: 'the target',
  specification: 'the specification',
  suite: 'Assay itself',
  data: 'timing or data of the run',
  settings: "the run's settings",
};

/** Age of a violation in whole days; empty if unknown or new. */
export function ageWords(since: string | null | undefined, now: string): string {
  const days = Math.floor((Date.parse(now) - Date.parse(since ?? '')) / DAY);
  if (!Number.isFinite(days)) return '';
  return `since ${(since ?? '').slice(0, 10)}${days > 0 ? ` (${plural(days, 'day')})` : ''}`;
}

/** Changes with the same kind and reason: an unreachable target is one group, not 300 changes. */
export type ChangeGroup = ReturnType<typeof groupChanges>[number];

/** Groups changes by kind, likely origin, level, earlier and later reason: in the order of `rank`, then larger groups first. */
export function groupChanges(changes: readonly Change[], rank: (subject: string) => number) {
  const sorted = changes.toSorted((a, b) => rank(a.subject) - rank(b.subject));
  const groups = groupBy(sorted, ({ kind, because, level, before, after, since }) =>
    JSON.stringify([
      kind,
      because,
      level,
      shape(before),
      shape(after),
      kind === 'still-violated' ? (since ?? '').slice(0, 10) : '',
    ]),
  );
  return [...groups.values()]
    .map((own) => ({ /** The first change, shown for all. */ example: own[0], changes: own }))
    .toSorted(
      (a, b) =>
        rank(a.example.subject) - rank(b.example.subject) || b.changes.length - a.changes.length,
    );
}
