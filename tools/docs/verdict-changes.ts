import type { Level } from '#src/spec/levels.ts';

/** What a change of Assay can do to verdicts. */
export const CHANGE_KINDS = ['new', 'removed', 'level', 'sharper', 'looser'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One change of what is said of a target, as a changeset announces it. */
export interface VerdictChange {
  readonly kind: ChangeKind;
  /** Id of the requirement. */
  readonly id: string;
  /** What changed, in the words of the changeset. */
  readonly text: string;
}

/** What decides the verdicts of a version, as far as it can be compared. */
export interface Verdicts {
  /** Level of each requirement. */
  readonly levels: Readonly<Record<string, Level>>;
  /** Requirements that each fault of the last proof turned red. */
  readonly red: Readonly<Record<string, readonly string[]>>;
}

/** The verdicts of a released version, kept in `docs/verdicts`. */
export interface KeptVerdicts extends Verdicts {
  readonly version: string;
  /** What it changed against the version before. */
  readonly changes: readonly VerdictChange[];
}

/** A change that was found, and that has to be announced. */
export interface FoundChange {
  readonly kind: ChangeKind;
  readonly id: string;
  /** How it is known, a few words. */
  readonly because: string;
}

/** Begins the line of a changeset that says which verdicts it changes. */
const MARK = /^verdicts:\s*(.*)$/i;

/** What the lines `Verdicts: sharper 8/reset, 8/per-key` of a changeset announce, and what is wrong with them. */
export function announced(changeset: string): {
  readonly changes: readonly VerdictChange[];
  readonly problems: readonly string[];
} {
  const body = changeset.replace(/^---\n[\s\S]*?\n---\n/, '');
  const lines = body.split('\n');
  const text = lines
    .filter((line) => !MARK.test(line))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const changes: VerdictChange[] = [];
  const problems: string[] = [];
  for (const line of lines) {
    const [, said] = MARK.exec(line) ?? [];
    if (said === undefined) continue;
    const [word = '', ...ids] = said.split(/[\s,]+/).filter((one) => one !== '');
    const kind = CHANGE_KINDS.find((one) => one === word);
    if (kind === undefined || ids.length === 0) {
      problems.push(
        `invalid line "${line}": write "Verdicts: KIND ID, ID" with one of ${CHANGE_KINDS.join(', ')}`,
      );
    } else changes.push(...ids.map((id) => ({ kind, id, text })));
  }
  return { changes, problems };
}

/**
 * What changed between two versions. That a requirement is new, gone or of another level is certain. That it is sharper or
 * looser is known where the same fault of the reference server turns it red now and did not before, or the reverse; what no
 * fault shows has to be announced by who makes the change.
 */
export function foundChanges(before: Verdicts, now: Verdicts): readonly FoundChange[] {
  const found: FoundChange[] = [];
  for (const [id, level] of Object.entries(now.levels)) {
    const old = before.levels[id];
    if (old === undefined) found.push({ kind: 'new', id, because: `level ${level}` });
    else if (old !== level) found.push({ kind: 'level', id, because: `${old} became ${level}` });
  }
  for (const id of Object.keys(before.levels)) {
    if (now.levels[id] === undefined) found.push({ kind: 'removed', id, because: 'missing' });
  }
  const told = new Set(found.map(({ id }) => id));
  const note = (kind: ChangeKind, ids: readonly string[], because: string): void => {
    for (const id of ids) {
      if (told.has(id)) continue;
      told.add(id);
      found.push({ kind, id, because });
    }
  };
  for (const [fault, red] of Object.entries(now.red)) {
    const old = before.red[fault];
    if (old === undefined) continue;
    note(
      'sharper',
      red.filter((id) => !old.includes(id)),
      `now failed by the fault ${fault}`,
    );
    note(
      'looser',
      old.filter((id) => !red.includes(id)),
      `no longer failed by the fault ${fault}`,
    );
  }
  return found;
}

/** What is wrong with what was announced, one line each: changes that nobody announced, and announcements that are not so. */
export function contradictions(
  before: Verdicts,
  now: Verdicts,
  changes: readonly VerdictChange[],
): readonly string[] {
  const found = foundChanges(before, now);
  const silent = found
    .filter(({ kind, id }) => !changes.some((one) => one.id === id && one.kind === kind))
    .map(
      ({ kind, id, because }) =>
        `${id} (${because}) is not announced: add "Verdicts: ${kind} ${id}" to a changeset.`,
    );
  const untrue = changes.flatMap(({ kind, id }) => {
    if (kind === 'sharper' || kind === 'looser') {
      return id in now.levels && id in before.levels
        ? []
        : [`"Verdicts: ${kind} ${id}": not a requirement of both versions.`];
    }
    return found.some((one) => one.id === id && one.kind === kind)
      ? []
      : [`"Verdicts: ${kind} ${id}" is wrong.`];
  });
  return [...silent, ...untrue];
}

/** Orders versions, the newest first; what leads up to a release (`1.0.0-next.2`) is older than it. */
export function newestFirst(a: { version: string }, b: { version: string }): number {
  const [coreA = '', ...restA] = a.version.split('-');
  const [coreB = '', ...restB] = b.version.split('-');
  const byNumber = (one: string, other: string): number =>
    other.localeCompare(one, 'en', { numeric: true });
  if (coreA !== coreB) return byNumber(coreA, coreB);
  if (restA.length === 0 || restB.length === 0) return restA.length - restB.length;
  return byNumber(restA.join('-'), restB.join('-'));
}
