import { listOperatorFaults } from '#src/reference/catalog.ts';
import type { OperatorFault } from '#src/reference/operators/operators.ts';
import type { Profile } from '#src/ask/profiles.ts';
import { effectsIn } from './effects.ts';
import type { RunAll } from './faults.ts';
import { isSeen, operatorProof, type OperatorProof } from './operator-figures.ts';
import { sampleOperators } from './operator-sample.ts';
import type { ProofResult, ProofTask } from './task.ts';

export interface OperatorOptions {
  /** How many faults are drawn; all of them by `null`. */
  readonly count: number | null;
  readonly seed: number;
  /** Profiles in turn, from the smallest: each looks at what those before it did not see. */
  readonly profiles: readonly Profile[];
  /** True to look at the replay of a clean run first, and to run only what that does not show. */
  readonly replay: boolean;
  /** Only faults whose ids begin so. */
  readonly ids: readonly string[];
}

/** Standard is what users run, with one key; full has a second one. */
const KEYS: Readonly<Record<Profile, number>> = { smoke: 1, standard: 1, full: 2 };

/** Runs the suites against faults made by operators, with `runAll` to run and show the progress. */
export async function proveOperators(
  options: OperatorOptions,
  runAll: RunAll,
): Promise<OperatorProof> {
  const { count, seed, profiles, ids } = options;
  const all = listOperatorFaults();
  const wanted =
    ids.length === 0 ? all : all.filter(({ id }) => ids.some((start) => id.startsWith(start)));
  const faults = count === null ? wanted : sampleOperators(wanted, count, seed);
  const results: ProofResult[] = [];
  let open: readonly OperatorFault[] = faults;
  for (const profile of profiles) {
    const found = await runEach(open, profile, options.replay, runAll);
    results.push(...found);
    open = open.filter((fault, index) => {
      const result = found[index];
      return result === undefined || !isSeen(fault, result);
    });
  }
  return operatorProof(faults, results, {
    generated: all.length,
    seed: count === null ? null : seed,
    profiles,
  });
}

/**
 * The result of each fault, in their order. Of faults that change the same answers of a clean run only the first is run;
 * for those that change none of them, the clean server is.
 */
async function runEach(
  faults: readonly OperatorFault[],
  profile: Profile,
  replay: boolean,
  runAll: RunAll,
): Promise<readonly ProofResult[]> {
  // A handful is run as it is: finding out what each changes takes a run of its own.
  const effectOf = faults.length < FEW ? () => undefined : await effectsIn(profile, KEYS[profile]);
  const effects = faults.map((fault) => effectOf(fault) ?? fault.id);
  const groups = new Map<string, OperatorFault[]>();
  for (const [index, fault] of faults.entries()) {
    const effect = effects[index] ?? '';
    groups.set(effect, [...(groups.get(effect) ?? []), fault]);
  }
  const known = replay ? await lookEach(groups, profile, runAll) : new Map<string, ProofResult>();
  const left = [...groups].filter(([effect]) => !known.has(effect));
  const results = await runAll(
    left.map(([effect, [first]]) => taskOf(effect === '' ? undefined : first, profile)),
  );
  const ran = new Map(left.map(([effect], index) => [effect, results[index]]));
  return faults.flatMap((fault, index) => {
    const effect = effects[index] ?? '';
    const result = known.get(effect) ?? ran.get(effect);
    return result === undefined ? [] : { ...result, task: taskOf(fault, profile) };
  });
}

/** By effect, what the replay of a clean run shows of faults: only where it shows all of the same effect. */
async function lookEach(
  groups: ReadonlyMap<string, readonly OperatorFault[]>,
  profile: Profile,
  runAll: RunAll,
): Promise<ReadonlyMap<string, ProofResult>> {
  // A fault of no endpoint is one of the keys or of the limiter, which a replay does not show as it is.
  const wanted = [...groups].filter(
    ([effect, [first]]) => effect !== '' && first !== undefined && first.endpoint !== null,
  );
  const looks = await runAll(
    wanted.map(([, [first]]) => ({ ...taskOf(first, profile), replayed: true as const })),
    'replays',
  );
  return new Map(
    wanted.flatMap(([effect, faults], index): [string, ProofResult][] => {
      const look = looks[index];
      const shown =
        look !== undefined &&
        look.needsRun === undefined &&
        faults.every((fault) => isSeen(fault, look));
      return shown ? [[effect, look]] : [];
    }),
  );
}

/** Fewer faults than this are run one by one. */
const FEW = 20;

function taskOf(fault: OperatorFault | undefined, profile: Profile): ProofTask {
  const id = fault?.id;
  return {
    name: id === undefined ? `clean, ${profile}` : `fault ${id}, ${profile}`,
    faults: id === undefined ? [] : [id],
    variants: [],
    profile,
    validKeys: KEYS[profile],
    seed: 1,
  };
}
