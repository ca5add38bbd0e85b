import {
  isRequirementId,
  REQUIREMENTS,
  requirementOf,
  type Requirement,
} from '#src/requirements/catalogue.ts';
import type { RequirementId } from '#src/spec/requirement-id.ts';
import type { FaultProof } from '#proof/kill/report.ts';
import type { CleanRun } from './example.ts';

/** A requirement related to another one. */
export interface Related {
  readonly requirement: Requirement;
  /** The reason, in a few words. */
  readonly because: string;
}

/** Relations between requirements. */
export interface Relations {
  /** Requirements related to one, the nearest first. */
  of(id: RequirementId): readonly Related[];
  /** Requirements whose checks ask for a request of the clean run. */
  sharing(request: number): readonly string[];
}

/**
 * Relates requirements that mention each other, that the same fault fails, or that cover the same clause.
 */
export function relate(
  faults: Readonly<Record<string, FaultProof>>,
  { asked }: CleanRun,
): Relations {
  const sharing = new Map<number, Set<string>>();
  for (const [id, checks] of Object.entries(asked)) {
    for (const request of Object.values(checks).flat()) {
      sharing.set(request, (sharing.get(request) ?? new Set()).add(id));
    }
  }
  const ofClause = grouped(REQUIREMENTS.map(({ id, clauses }) => [clauses, id] as const));
  // The proof may be of a commit before a requirement was removed.
  const reds = Object.values(faults).map(({ red }) => red.filter(isRequirementId));
  const redWith = grouped(reds.map((red) => [red, red] as const));
  return {
    of: (id) => {
      const requirement = requirementOf(id);
      const words = [requirement.why, ...requirement.usually].join(' ');
      const named = REQUIREMENTS.filter((one) => mentions(words, one.id)).map((one) => one.id);
      const naming = REQUIREMENTS.filter((one) =>
        mentions([one.why, ...one.usually].join(' '), id),
      ).map((one) => one.id);
      const reasons: readonly (readonly [because: string, ids: readonly string[]])[] = [
        ['named above', named],
        ['names this requirement', naming],
        ['fails with the same fault', redWith.get(id)?.flat() ?? []],
        ['same clause', requirement.clauses.flatMap((clause) => ofClause.get(clause) ?? [])],
      ];
      const found = new Map<string, string>();
      for (const [because, ids] of reasons) {
        for (const other of ids) if (other !== id && !found.has(other)) found.set(other, because);
      }
      return [...found].map(([other, because]) => ({
        requirement: requirementOf(other as RequirementId),
        because,
      }));
    },
    sharing: (request) => [...(sharing.get(request) ?? [])],
  };
}

/** Values by each of their keys, in order. */
function grouped<Value>(
  entries: readonly (readonly [keys: readonly string[], value: Value])[],
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const [keys, value] of entries) {
    for (const key of keys) groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}

/** True if a text contains the id, and not only a longer one. */
function mentions(text: string, id: string): boolean {
  const at = text.indexOf(id);
  return at >= 0 && !/^[\w-]/.test(text.slice(at + id.length));
}
