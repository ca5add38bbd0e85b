import type { Change } from './diff.ts';
import { shape } from './shape.ts';

/** Changes of one kind that share what is said of them now: a target that went dark is one thing, and not 300. */
export interface ChangeGroup {
  /** The first of them, which speaks for all. */
  readonly example: Change;
  readonly changes: readonly Change[];
  /** What was said of them before, when it is the same of all; null otherwise. */
  readonly before: string | null;
}

/**
 * Changes by kind, likely origin and reason: the larger groups first, and the order of the changes otherwise. Violations
 * with levels of their own stay apart.
 */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const { kind, because, level, after, since } = change;
    const day = kind === 'still-violated' ? (since ?? '').slice(0, 10) : '';
    const key = JSON.stringify([kind, because, level, shape(after), day]);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [change]);
    else own.push(change);
  }
  const all = [...groups.values()].flatMap((own): ChangeGroup[] => {
    const [example] = own;
    if (example === undefined) return [];
    const same = own.every(({ before }) => shape(before) === shape(example.before));
    return [{ example, changes: own, before: same ? example.before : null }];
  });
  return all.toSorted((a, b) => b.changes.length - a.changes.length);
}
