import type { Change } from './diff.ts';
import { groupBy } from './group-by.ts';
import { shape } from './shape.ts';

/** Changes with the same kind and reason: an unreachable target is one group, not 300 changes. */
export interface ChangeGroup {
  /** The first change, shown for all. */
  readonly example: Change;
  readonly changes: readonly Change[];
  /** The earlier text, if all have the same; otherwise null. */
  readonly before: string | null;
}

/**
 * Groups changes by kind, likely origin, level and reason, larger groups first.
 */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups = groupBy(changes, ({ kind, because, level, after, since }) =>
    JSON.stringify([
      kind,
      because,
      level,
      shape(after),
      kind === 'still-violated' ? (since ?? '').slice(0, 10) : '',
    ]),
  );
  const all = [...groups.values()].flatMap((own): ChangeGroup[] => {
    const [example] = own;
    if (example === undefined) return [];
    const same = own.every(({ before }) => shape(before) === shape(example.before));
    return [{ example, changes: own, before: same ? example.before : null }];
  });
  return all.toSorted((a, b) => b.changes.length - a.changes.length);
}
