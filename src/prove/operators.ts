import { listOperatorFaults } from '../reference/catalog.ts';
import type { OperatorFault } from '../reference/operators/operators.ts';
import type { Profile } from '../suite/profiles.ts';
import { isSeen, operatorProof, type OperatorProof } from './operator-figures.ts';
import { sampleOperators } from './operator-sample.ts';
import type { ProofResult, ProofTask } from './task.ts';

export interface OperatorOptions {
  /** How many faults are drawn; all of them by `null`. */
  readonly count: number | null;
  readonly seed: number;
  /** Profiles in turn, from the smallest: each looks at what those before it did not see. */
  readonly profiles: readonly Profile[];
  /** Only faults whose ids begin so. */
  readonly ids: readonly string[];
}

/** Standard is what users run, with one key; full has a second one. */
const KEYS: Readonly<Record<Profile, number>> = { smoke: 1, standard: 1, full: 2 };

/** Runs the suites against faults made by operators, with `runAll` to run and show the progress. */
export async function proveOperators(
  options: OperatorOptions,
  runAll: (tasks: readonly ProofTask[]) => Promise<readonly ProofResult[]>,
): Promise<OperatorProof> {
  const { count, seed, profiles, ids } = options;
  const all = listOperatorFaults();
  const wanted =
    ids.length === 0 ? all : all.filter(({ id }) => ids.some((start) => id.startsWith(start)));
  const faults = count === null ? wanted : sampleOperators(wanted, count, seed);
  const results: ProofResult[] = [];
  let open: readonly OperatorFault[] = faults;
  for (const profile of profiles) {
    const found = await runAll(open.map((fault) => taskOf(fault, profile)));
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

function taskOf({ id }: OperatorFault, profile: Profile): ProofTask {
  return {
    name: `fault ${id}, ${profile}`,
    faults: [id],
    variants: [],
    profile,
    validKeys: KEYS[profile],
    seed: 1,
  };
}
