import type { OperatorFault } from '#src/reference/operators/operators.ts';
import type { Profile } from '#src/ask/profiles.ts';
import { redIn, type ProofResult } from './task.ts';

/** How many faults of one operator and level each profile saw. */
export interface OperatorRow {
  readonly operator: string;
  readonly level: 'must' | 'should';
  readonly faults: number;
  readonly seen: Readonly<Record<Profile, number>>;
}

/** A fault that its run did not see. */
export interface Survivor {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly level: 'must' | 'should';
  /** The closest look that it survived. */
  readonly profile: Profile;
  /** `green`: nothing was red. `warned`: only a should. `undecided`: the run came to no verdict. */
  readonly came: 'green' | 'warned' | 'undecided';
  /** What was red all the same. */
  readonly red: readonly string[];
}

/** What the proof by operators came to. */
export interface OperatorProof {
  readonly generated: number;
  readonly drawn: number;
  /** Seed of the draw; null when all were run. */
  readonly seed: number | null;
  readonly profiles: readonly Profile[];
  readonly rows: readonly OperatorRow[];
  readonly survivors: readonly Survivor[];
}

/** From the smallest to the closest look. A profile sees what a smaller one saw. */
const PROFILES: readonly Profile[] = ['smoke', 'standard', 'full'];

/** Whether a run saw the fault: a must failed and the exit code says so; for a should, anything red is enough. */
export function isSeen({ level }: OperatorFault, result: ProofResult): boolean {
  const outcomes = Object.values(result.outcomes);
  if (level === 'should') return redIn(result).length > 0;
  return result.exitCode === 1 && outcomes.includes('failed');
}

function cameTo(result: ProofResult): Survivor['came'] {
  if (redIn(result).length > 0) return 'warned';
  return result.exitCode === 0 ? 'green' : 'undecided';
}

/** Puts the runs of all profiles together. */
export function operatorProof(
  faults: readonly OperatorFault[],
  results: readonly ProofResult[],
  facts: Pick<OperatorProof, 'generated' | 'seed' | 'profiles'>,
): OperatorProof {
  const byFault = new Map<string, ProofResult[]>();
  for (const result of results) {
    const id = result.task.faults[0] ?? '';
    byFault.set(id, [...(byFault.get(id) ?? []), result]);
  }
  const rows = new Map<string, { faults: number; seen: Record<Profile, number> } & OperatorKey>();
  const survivors: Survivor[] = [];
  for (const fault of faults) {
    const { id, operator, level, title, section } = fault;
    const key = `${operator} ${level}`;
    const row = rows.get(key) ?? {
      operator,
      level,
      faults: 0,
      seen: { smoke: 0, standard: 0, full: 0 },
    };
    rows.set(key, row);
    row.faults += 1;
    const runs = byFault.get(id) ?? [];
    const first = PROFILES.findIndex((profile) =>
      runs.some((run) => run.task.profile === profile && isSeen(fault, run)),
    );
    for (const profile of first === -1 ? [] : PROFILES.slice(first)) row.seen[profile] += 1;
    const closest = runs.toSorted(
      (a, b) => PROFILES.indexOf(b.task.profile) - PROFILES.indexOf(a.task.profile),
    )[0];
    if (first === -1 && closest !== undefined) {
      survivors.push({
        id,
        title,
        section,
        level,
        profile: closest.task.profile,
        came: cameTo(closest),
        red: redIn(closest),
      });
    }
  }
  const inOrder = [...rows.values()].toSorted(
    (a, b) => a.operator.localeCompare(b.operator) || a.level.localeCompare(b.level),
  );
  return { ...facts, drawn: faults.length, rows: inOrder, survivors };
}

interface OperatorKey {
  readonly operator: string;
  readonly level: 'must' | 'should';
}

/** Sums of all operators of a level. */
export function sumOf(rows: readonly OperatorRow[], level: 'must' | 'should'): OperatorRow {
  const own = rows.filter((row) => row.level === level);
  const sum = (value: (row: OperatorRow) => number): number =>
    own.reduce((total, row) => total + value(row), 0);
  return {
    operator: 'all',
    level,
    faults: sum(({ faults }) => faults),
    seen: {
      smoke: sum(({ seen }) => seen.smoke),
      standard: sum(({ seen }) => seen.standard),
      full: sum(({ seen }) => seen.full),
    },
  };
}

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** The table that `npm run prove -- --operators` prints, survivors first. */
export function renderOperatorProof(proof: OperatorProof): string {
  const { rows, survivors, profiles, drawn, generated, seed } = proof;
  const lines = survivors.map(
    ({ id, level, came, profile, red }) =>
      `SURVIVED   ${level.padEnd(6)} ${profile.padEnd(8)} ${came.padEnd(9)} ${id}${red.length > 0 ? ` (${red.slice(0, 3).join(', ')})` : ''}`,
  );
  const shown = PROFILES.filter((profile) => profiles.includes(profile));
  lines.push(
    `${drawn} of ${generated} faults by operators${seed === null ? '' : `, drawn with seed ${seed}`}`,
    `${'operator'.padEnd(16)}${'level'.padEnd(8)}${'faults'.padStart(7)}${shown.map((profile) => profile.padStart(18)).join('')}`,
  );
  const sums = [sumOf(rows, 'must'), sumOf(rows, 'should')];
  for (const { operator, level, faults, seen } of [...rows, ...sums]) {
    if (faults === 0) continue;
    const cells = shown.map((profile) =>
      `${seen[profile]} (${percent(seen[profile], faults)})`.padStart(18),
    );
    lines.push(
      `${operator.padEnd(16)}${level.padEnd(8)}${String(faults).padStart(7)}${cells.join('')}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
