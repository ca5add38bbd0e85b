import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PROFILES, type Profile } from '#src/ask/profiles.ts';
import { packageRoot } from '#src/fs/package-root.ts';
import type { Fault } from '#src/reference/faults/fault.ts';
import type { OperatorFault } from '#src/reference/operators/operators.ts';
import { REQUIREMENTS } from '#src/requirements/catalogue.ts';
import { jsonRecords } from '#src/text/json-records.ts';
import { redIn, type ProofResult } from './catalogue.ts';
import type { WorldsProof } from './worlds.ts';

/** What was run to get figures, and of which commit. */
export interface Origin {
  readonly commit: string;
  readonly command: string;
}

/** The last look at something that is wrong on purpose, and whether it saw what it was meant to. */
export interface Look<Wrong> {
  readonly of: Wrong;
  readonly result: ProofResult;
  readonly seen: boolean;
}

/** One fault and what it turned red. */
export interface FaultProof {
  readonly kills: readonly string[];
  readonly red: readonly string[];
  /** Requirements that had to turn red and did not. */
  readonly missed: readonly string[];
  /** Smallest profile that saw it. */
  readonly profile: 'standard' | 'full';
}

/** Runs that have to be green, and how many of them were. */
export interface Green {
  readonly green: number;
  readonly all: number;
}

/** What a whole proof of the faults made by hand and of the allowed choices came to. */
export interface HandProof {
  readonly origin: Origin;
  readonly faults: Readonly<Record<string, FaultProof>>;
  /** Faults that turn each requirement red that they are meant for. */
  readonly killedBy: Readonly<Record<string, readonly string[]>>;
  /** Must and should requirements that no fault was shown to turn red. */
  readonly unproven: readonly string[];
  readonly variants: Green;
  readonly combinations: Green;
  /** Defects of the independent service; green is one that was seen. */
  readonly defects: Green;
}

/** How many faults of one operator and level each profile saw. */
export interface OperatorRow {
  readonly operator: string;
  readonly level: 'must' | 'should';
  readonly faults: number;
  readonly seen: Readonly<Record<Profile, number>>;
}

/** A fault that no profile saw. */
export interface Survivor {
  readonly id: string;
  readonly title: string;
  readonly level: 'must' | 'should';
  /** What was red all the same. */
  readonly red: readonly string[];
}

/** What the proof by operators came to. */
export interface OperatorProof {
  readonly origin: Origin;
  readonly generated: number;
  readonly drawn: number;
  readonly profiles: readonly Profile[];
  readonly rows: readonly OperatorRow[];
  readonly survivors: readonly Survivor[];
}

/** The figures in `reports/proof.json`, from which docs/trust.md is made. */
export interface Proof extends HandProof {
  /** Missing when faults by operators were never run as a whole. */
  readonly operators?: OperatorProof;
  readonly worlds?: readonly (WorldsProof & { readonly origin: Origin })[];
}

const FILE = path.join(packageRoot, 'reports', 'proof.json');

/** The figures that were kept. @throws Error when there are none */
export async function readProofFile(): Promise<Proof> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Proof;
}

/** Writes some of the figures and keeps the others as they are; returns where they are, relative to the working folder. */
export async function saveProof(part: Partial<Proof>): Promise<string> {
  const before: Partial<Proof> = await readProofFile().catch(() => ({}));
  await mkdir(path.dirname(FILE), { recursive: true });
  await writeFile(FILE, jsonRecords({ ...before, ...part }));
  return path.relative('', FILE);
}

/** Where figures of this process come from. */
export function originOf(args: readonly string[]): Origin {
  const words = args.length === 0 ? '' : ` -- ${args.join(' ')}`;
  let commit = 'unknown';
  try {
    commit = execFileSync('git', ['describe', '--always', '--dirty'], {
      cwd: packageRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    // A copy without its history: the figures are as good.
  }
  return { commit, command: `npm run prove${words}` };
}

/** Verdicts on an honest target: it keeps what was examined. */
const isHonest = ({ verdict }: ProofResult): boolean =>
  verdict === 'conforms' || verdict === 'no-violation';

/** Whatever is not as it must be in a run that had to stay green; nothing when it is. */
export function wrongIn(result: ProofResult): readonly string[] {
  const wrong = Object.entries(result.outcomes)
    .filter(([, outcome]) => outcome !== 'untested' && outcome !== 'observed')
    .map(([id, outcome]) => `${outcome} ${id}: ${result.reasons[id] ?? ''}`);
  return isHonest(result) ? wrong : [`verdict ${result.verdict}: ${result.sentence}`, ...wrong];
}

/** What a fault has to turn red, and did not. */
export function missedIn({ kills }: Pick<Fault, 'kills'>, result: ProofResult): string[] {
  const red = redIn(result);
  return kills.filter((id) => !red.includes(id));
}

/** Whether a must failed and the exit code says so; for a should, anything red is enough. */
export function isSeen(level: 'must' | 'should', result: ProofResult): boolean {
  if (level === 'should') return redIn(result).length > 0;
  return result.exitCode === 1 && Object.values(result.outcomes).includes('failed');
}

/** Everything that was examined in a proof of faults made by hand and of allowed choices. */
export interface Examined {
  readonly faults: readonly Look<Fault>[];
  readonly defects: readonly Look<string>[];
  /** Runs that had to stay green. */
  readonly greens: readonly ProofResult[];
}

/** Puts together what was examined. */
export function handProof({ faults, defects, greens }: Examined, origin: Origin): HandProof {
  const killers = new Map<string, string[]>();
  for (const { of: fault, result } of faults) {
    const missed = missedIn(fault, result);
    for (const id of fault.kills)
      if (!missed.includes(id)) killers.set(id, [...(killers.get(id) ?? []), fault.id]);
  }
  const own = (profile: Profile): readonly ProofResult[] =>
    greens.filter(({ task }) => task.profile === profile && task.variants.length > 0);
  const isGreen = (one: ProofResult): boolean => wrongIn(one).length === 0;
  // Of several at a time each counts.
  const variantsIn = (results: readonly ProofResult[]): number =>
    results.reduce((sum, { task }) => sum + task.variants.length, 0);
  const combinations = own('standard');
  return {
    origin,
    faults: Object.fromEntries(
      faults.map(({ of: { id, kills }, result }): [string, FaultProof] => [
        id,
        {
          kills,
          red: redIn(result),
          missed: missedIn({ kills }, result),
          profile: result.task.profile === 'full' ? 'full' : 'standard',
        },
      ]),
    ),
    killedBy: Object.fromEntries(killers),
    unproven: REQUIREMENTS.filter(({ id, level }) => level !== 'observe' && !killers.has(id)).map(
      ({ id }) => id,
    ),
    variants: { green: variantsIn(own('full').filter(isGreen)), all: variantsIn(own('full')) },
    combinations: { green: combinations.filter(isGreen).length, all: combinations.length },
    defects: { green: defects.filter(({ seen }) => seen).length, all: defects.length },
  };
}

/** Verdicts of the repeated clean runs: one, when they agree. */
export const verdictsOf = (greens: readonly ProofResult[]): readonly string[] => [
  ...new Set(
    greens
      .filter(({ task }) => task.profile === 'standard' && task.variants.length === 0)
      .map(({ verdict, sentence }) => `${verdict}: ${sentence}`),
  ),
];

/** Puts looks at faults made by operators together. */
export function operatorProof(
  looks: readonly Look<OperatorFault>[],
  facts: Pick<OperatorProof, 'origin' | 'generated' | 'profiles'>,
): OperatorProof {
  const rows = new Map<string, OperatorRow & { faults: number; seen: Record<Profile, number> }>();
  for (const { of: fault, result, seen } of looks) {
    const { operator, level } = fault;
    const row = rows.get(`${operator} ${level}`) ?? {
      operator,
      level,
      faults: 0,
      seen: { smoke: 0, standard: 0, full: 0 },
    };
    rows.set(`${operator} ${level}`, row);
    row.faults += 1;
    // A profile sees what a smaller one saw.
    const first = PROFILES.indexOf(result.task.profile);
    for (const profile of seen ? PROFILES.slice(first) : []) row.seen[profile] += 1;
  }
  return {
    ...facts,
    drawn: looks.length,
    rows: [...rows.values()].toSorted(
      (a, b) => a.operator.localeCompare(b.operator) || a.level.localeCompare(b.level),
    ),
    survivors: looks
      .filter(({ seen }) => !seen)
      .map(({ of: { id, title, level }, result }) => ({ id, title, level, red: redIn(result) })),
  };
}

/** Sums of all operators of a level. */
export function sumOf(rows: readonly OperatorRow[], level: 'must' | 'should'): OperatorRow {
  const own = rows.filter((row) => row.level === level);
  const total = { operator: 'all', level, faults: 0, seen: { smoke: 0, standard: 0, full: 0 } };
  for (const { faults, seen } of own) {
    total.faults += faults;
    for (const profile of PROFILES) total.seen[profile] += seen[profile];
  }
  return total;
}

/** What is wrong with a proof, one line each; `verdicts` are those of repeated clean runs. */
export function problemsIn({ faults, defects, greens }: Examined): readonly string[] {
  const verdicts = verdictsOf(greens);
  return [
    ...faults.flatMap(({ of: fault, result, seen }) =>
      seen
        ? []
        : `SURVIVED   ${fault.id}: ${missedIn(fault, result).join(', ')} stayed green; red: ${redIn(result).join(', ') || 'nothing'}`,
    ),
    ...defects.flatMap(({ of: id, result, seen }) =>
      seen ? [] : `SURVIVED   defect ${id}; red: ${redIn(result).join(', ') || 'nothing'}`,
    ),
    ...greens.flatMap((result) => {
      const wrong = wrongIn(result).slice(0, 12);
      return wrong.length === 0
        ? []
        : [`NOT GREEN  ${result.task.name}`, ...wrong.map((line) => `    ${line}`)];
    }),
    ...(verdicts.length > 1 ? [`VERDICTS   ${verdicts.join(' | ')}`] : []),
  ];
}

/** The figures that `npm run prove` prints. */
export function renderHand(proof: HandProof, { faults, greens }: Examined): string {
  const seen = faults.filter((look) => look.seen);
  const full = seen.filter(({ result }) => result.task.profile === 'full');
  const replayed = faults.filter(({ result }) => result.task.replayed === true);
  const share = ({ green, all }: Green): string => `${green} of ${all}`;
  return [
    `faults killed                        ${seen.length} of ${faults.length} (${full.length} seen by the full profile only)`,
    `of these, run; replayed              ${faults.length - replayed.length}; ${replayed.length}`,
    `defects of the independent service   ${share(proof.defects)}`,
    `variants green                       ${share(proof.variants)}`,
    `combinations of variants green       ${share(proof.combinations)}`,
    `verdict of repeated clean runs       ${verdictsOf(greens).join(' | ')}`,
    '',
  ].join('\n');
}

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** The table of faults by operators that is printed, survivors first. */
export function renderOperators({
  rows,
  survivors,
  profiles,
  drawn,
  generated,
}: OperatorProof): string {
  const lines = survivors.map(
    ({ id, level, red }) =>
      `SURVIVED   ${level.padEnd(6)} ${id}${red.length > 0 ? ` (${red.slice(0, 3).join(', ')})` : ''}`,
  );
  lines.push(
    `${drawn} of ${generated} faults by operators`,
    `${'operator'.padEnd(16)}${'level'.padEnd(8)}${'faults'.padStart(7)}${profiles.map((profile) => profile.padStart(18)).join('')}`,
  );
  for (const { operator, level, faults, seen } of [
    ...rows,
    sumOf(rows, 'must'),
    sumOf(rows, 'should'),
  ]) {
    if (faults === 0) continue;
    const cells = profiles.map((profile) =>
      `${seen[profile]} (${percent(seen[profile], faults)})`.padStart(18),
    );
    lines.push(
      `${operator.padEnd(16)}${level.padEnd(8)}${String(faults).padStart(7)}${cells.join('')}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
