import type { Level } from '../../spec/levels.ts';
import { contextChanges } from './diff-context.ts';
import type { ContextChange } from './diff-context.ts';
import { previousAnswers } from './diff-answers.ts';
import type { PreviousAnswer } from './diff-answers.ts';
import type { Outcome, RequirementResult, Results } from './results.ts';
import { outcomeOf } from './waivable.ts';
import { shape } from './shape.ts';
import { shownBy } from './status.ts';
import { settingOf } from './unjudged.ts';

/** Kinds of differences between two runs. `shape` occurs in files of earlier versions only. */
export type ChangeKind =
  | 'new-violation'
  | 'still-violated'
  | 'fixed'
  | 'newly-unverified'
  | 'newly-verified'
  | 'behaviour'
  | 'shape'
  | 'added'
  | 'removed';

/** The order of kinds: decisions first. */
export const CHANGE_KINDS: readonly ChangeKind[] = [
  'new-violation',
  'still-violated',
  'fixed',
  'newly-unverified',
  'behaviour',
  'shape',
  'newly-verified',
  'added',
  'removed',
];

/**
 * The likely origin of a change: the implementation, the specification, Assay itself, the current data of the target, or
 * the settings of the run.
 */
export type Because = 'target' | 'specification' | 'suite' | 'data' | 'settings';

/** One difference. */
export interface Change {
  readonly kind: ChangeKind;
  /** Id of a requirement, question of a reading, or endpoint. */
  readonly subject: string;
  readonly title: string;
  readonly level: Level | null;
  readonly before: string;
  readonly after: string;
  readonly because: Because;
  /** When the violation was first seen, ISO 8601; null for other kinds. */
  readonly since: string | null;
  /** Exchanges of the later run that show it. */
  readonly exchanges: readonly string[];
}

/** Two runs compared. Kept in `results.json` of the later one when a baseline was given. */
export interface Diff {
  readonly before: { readonly startedAt: string; readonly verdict: string; readonly tool: string };
  readonly after: { readonly startedAt: string; readonly verdict: string; readonly tool: string };
  /** Differences between the runs themselves, which explain others and come first. */
  readonly context: readonly ContextChange[];
  readonly changes: readonly Change[];
  /** Responses of the earlier run to requests that now get a different one. */
  readonly answers: readonly PreviousAnswer[];
}

type State = 'violated' | 'verified' | 'unverified';

const STATES: Readonly<Record<Outcome, State>> = {
  passed: 'verified',
  observed: 'verified',
  failed: 'violated',
  warned: 'violated',
  waived: 'violated',
  inconclusive: 'unverified',
  untested: 'unverified',
  error: 'unverified',
};

function said(requirement: RequirementResult): string {
  const { outcome, findings, reason } = requirement;
  const words =
    STATES[outcomeOf(requirement)] === 'violated'
      ? (findings[0]?.message ?? reason)
      : (reason ?? null);
  return words === null || outcome === 'passed' ? outcome : `${outcome}: ${words}`;
}

function kindOf(before: State, after: State): ChangeKind | null {
  if (after === 'violated') return before === 'violated' ? 'still-violated' : 'new-violation';
  if (before === after) return null;
  if (after === 'unverified') return 'newly-unverified';
  return before === 'violated' ? 'fixed' : 'newly-verified';
}

/** The kind of change between two outcomes; null without a change. `before` is null if the earlier run did not have it. */
export function outcomeChange(before: Outcome | null, after: Outcome): ChangeKind | null {
  return kindOf(before === null ? 'unverified' : STATES[before], STATES[after]);
}

/** Compares an earlier run with a later one. Pure. */
export function diffResults(before: Results, after: Results): Diff {
  const context = contextChanges(before, after);
  const changes = [...requirementChanges(before, after), ...readingChanges(before, after)];
  return {
    before: factsOf(before),
    after: factsOf(after),
    context,
    changes: changes.toSorted(
      (a, b) =>
        CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) ||
        Number(a.level !== 'must') - Number(b.level !== 'must'),
    ),
    answers: previousAnswers(before, after),
  };
}

function factsOf({ startedAt, verdict, tool }: Results): Diff['before'] {
  return { startedAt, verdict, tool: tool.version };
}

function requirementChanges(before: Results, after: Results): readonly Change[] {
  const earlier = new Map(before.requirements.map((one) => [one.id, one]));
  const later = new Set(after.requirements.map(({ id }) => id));
  const sameSpecification = before.spec.sha256 === after.spec.sha256;
  const catalogue: Because = sameSpecification ? 'suite' : 'specification';
  const changes: Change[] = [];
  for (const now of after.requirements) {
    const old = earlier.get(now.id);
    const { title, level } = now;
    const shared = { subject: now.id, title, level, exchanges: shownBy(now).slice(0, 3) };
    const kind = kindOf(
      old === undefined ? 'unverified' : STATES[outcomeOf(old)],
      STATES[outcomeOf(now)],
    );
    if (old === undefined) {
      changes.push({
        ...shared,
        kind: kind === 'new-violation' ? kind : 'added',
        before: 'not in the earlier run',
        after: said(now),
        because: catalogue,
        since: kind === 'new-violation' ? after.startedAt : null,
      });
      continue;
    }
    if (kind === null) continue;
    const reworded = old.title !== now.title || old.level !== now.level;
    changes.push({
      ...shared,
      kind,
      before: said(old),
      after: said(now),
      because: reworded ? catalogue : causeOf(kind, old, now),
      since:
        kind === 'still-violated'
          ? (old.since ?? before.startedAt)
          : kind === 'new-violation'
            ? after.startedAt
            : null,
    });
  }
  for (const old of before.requirements) {
    if (later.has(old.id)) continue;
    changes.push({
      kind: 'removed',
      subject: old.id,
      title: old.title,
      level: old.level,
      before: said(old),
      after: 'not in this run',
      because: catalogue,
      since: null,
      exchanges: [],
    });
  }
  return changes;
}

/** The likely origin of a changed outcome, by its cause. */
function causeOf(kind: ChangeKind, old: RequirementResult, now: RequirementResult): Because {
  const judged = kind === 'newly-unverified' ? now : kind === 'newly-verified' ? old : null;
  if (judged === null) return 'target';
  const outcome = outcomeOf(judged);
  if (outcome === 'error') return 'suite';
  if (outcome !== 'untested') return 'target';
  return settingOf(judged) === null ? 'data' : 'settings';
}

function readingChanges(before: Results, after: Results): readonly Change[] {
  const earlier = new Map(before.readings.map((one) => [one.question, one]));
  return after.readings.flatMap((now): Change[] => {
    const old = earlier.get(now.question);
    if (old === undefined || old.answer === now.answer) return [];
    return [
      {
        kind: 'behaviour',
        subject: now.question,
        title: now.question,
        level: 'observe',
        before: old.answer,
        after: now.answer,
        // Only numbers differ: the data changed, not the behaviour.
        because: shape(old.answer) === shape(now.answer) ? 'data' : 'target',
        since: null,
        exchanges: now.exchanges.slice(0, 3),
      },
    ];
  });
}

/** Changes by kind, without empty kinds. */
export function changesByKind(diff: Diff): readonly (readonly [ChangeKind, readonly Change[]])[] {
  return CHANGE_KINDS.map(
    (kind) => [kind, diff.changes.filter((change) => change.kind === kind)] as const,
  ).filter(([, changes]) => changes.length > 0);
}

/** The later results with the comparison and the age of each violation. */
export function withBaseline(after: Results, before: Results): Results {
  const diff = diffResults(before, after);
  const since = new Map(
    diff.changes.flatMap((change) =>
      change.since === null ? [] : [[change.subject, change.since] as const],
    ),
  );
  return {
    ...after,
    requirements: after.requirements.map((one) => {
      const first = since.get(one.id);
      return first === undefined ? one : { ...one, since: first };
    }),
    changes: diff,
  };
}
