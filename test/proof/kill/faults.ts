import type { Fault } from '#src/reference/faults/fault.ts';
import { redIn, type ProofResult, type ProofTask } from './task.ts';

/** One fault and what it turned red. */
export interface FaultProof {
  readonly kills: readonly string[];
  /** What the last run of it turned red. */
  readonly red: readonly string[];
  /** Requirements that had to turn red and did not. */
  readonly missed: readonly string[];
  /** Smallest profile that saw it. */
  readonly profile: 'standard' | 'full';
  readonly subtle: boolean;
  /** Of `red`, what the replay of a clean run does not show; missing when there is no such thing. */
  readonly unshown?: readonly string[];
  /**
   * What the replay showed and the run did not: requirements that have to turn red and, where the replay would have stood
   * for the run, any other. Replays then cannot be trusted. Missing when there is no such thing.
   */
  readonly untrue?: readonly string[];
}

/** How the faults of a proof were looked at. */
export interface Looks {
  /** Faults that were run. */
  readonly run: number;
  /** Of these, those that were run because it was their turn. */
  readonly turns: number;
  /** Faults whose replay stands for a run. */
  readonly replayed: number;
  /** Faults whose replay shows all that they have to turn red, whether they were run or not. */
  readonly shown: number;
  /** Faults that a replay could have shown. */
  readonly looked: number;
}

/** What all runs and replays of faults came to. */
export interface FaultsProof {
  readonly faults: Readonly<Record<string, FaultProof>>;
  /** First runs, in the order of the faults. */
  readonly runs: readonly ProofResult[];
  readonly looks: Looks;
}

/** Runs tasks; `what` says what they are, which is runs by default. */
export type RunAll = (
  tasks: readonly ProofTask[],
  what?: string,
) => Promise<readonly ProofResult[]>;

export interface FaultsOptions {
  /** How the task of a fault looks. */
  readonly taskOf: (fault: Fault) => ProofTask;
  /** What the last run of each fault came to. */
  readonly known: Readonly<Record<string, FaultProof>>;
  /** True to run every fault, whatever its replay shows. */
  readonly runs: boolean;
  /** Whose turn it is to be run all the same: every tenth, beginning here. */
  readonly turn: number;
}

/** One fault in so many is run although its replay would do: so a replay that shows too much is found out. */
export const EVERY = 10;
/** Fewer faults than this are run as they are: a replay takes a clean run of its own. */
export const FEW = 20;

/**
 * Shows faults to the replay of a clean run, and runs those whose replay does not stand for a run. Replays come first, so
 * that all runs, with those of `others`, are one batch whose end can be told.
 */
export async function proveFaults(
  faults: readonly Fault[],
  others: readonly ProofTask[],
  options: FaultsOptions,
  runAll: RunAll,
): Promise<FaultsProof & { readonly others: readonly ProofResult[] }> {
  const { taskOf, known } = options;
  const looks =
    faults.length < FEW
      ? []
      : await runAll(
          faults.map((fault) => ({ ...taskOf(fault), replayed: true as const })),
          'replays',
        );
  const stands = faults.map((fault, index) => standsForRun(fault, looks[index], known[fault.id]));
  const isTurn = (index: number): boolean => index % EVERY === options.turn % EVERY;
  const wanted = faults.filter(
    (_, index) => options.runs || isTurn(index) || stands[index] !== true,
  );
  const results = await runAll([...others, ...wanted.map(taskOf)]);
  const runs = results.slice(others.length);
  const runOf = new Map(wanted.map(({ id }, index) => [id, runs[index]]));
  // What the standard profile does not see is looked at once more, closely.
  const open = wanted.filter((fault) => {
    const run = runOf.get(fault.id);
    return run?.task.profile === 'standard' && missedIn(fault, run).length > 0;
  });
  const closer = await runAll(
    open.map((fault) => taskOf({ ...fault, profile: 'full' })),
    'closer looks',
  );
  const closerOf = new Map(open.map(({ id }, index) => [id, closer[index]]));
  const proofs = faults.flatMap((fault, index): [string, FaultProof][] => {
    const run = runOf.get(fault.id);
    if (run !== undefined) {
      const look = { look: looks[index], stands: stands[index] === true };
      return [[fault.id, ranProof(fault, run, closerOf.get(fault.id), look)]];
    }
    const last = known[fault.id];
    return last === undefined ? [] : [[fault.id, { ...last, subtle: fault.subtle }]];
  });
  const looked = looks.filter(({ needsRun }) => needsRun === undefined);
  return {
    others: results.slice(0, others.length),
    runs,
    faults: Object.fromEntries(proofs),
    looks: {
      run: wanted.length,
      turns: options.runs
        ? 0
        : faults.filter((_, index) => isTurn(index) && stands[index] === true).length,
      replayed: faults.length - wanted.length,
      shown: faults.filter((fault, index) => isShown(fault, looks[index])).length,
      looked: looked.length,
    },
  };
}

/**
 * Whether the replay of a fault stands for a run of it: it shows all that has to turn red, and what it shows is what it
 * showed when the fault was run last, so that what that run turned red is still true.
 */
export function standsForRun(
  fault: Fault,
  look: ProofResult | undefined,
  last: FaultProof | undefined,
): boolean {
  if (look === undefined || last === undefined || !isShown(fault, look)) return false;
  if (last.profile !== look.task.profile || last.missed.length > 0) return false;
  if (last.untrue !== undefined) return false;
  const then = last.red.filter((id) => last.unshown?.includes(id) !== true);
  return isSame(redIn(look), then) && isSame(fault.kills, last.kills);
}

/** True for replays that show hardly anything: something is wrong with them, and the proof goes on without them. */
export const showsTooLittle = ({ looked, shown }: Looks): boolean => shown < looked / 2;

function isShown(fault: Fault, look: ProofResult | undefined): boolean {
  return look !== undefined && look.needsRun === undefined && missedIn(fault, look).length === 0;
}

function ranProof(
  fault: Fault,
  first: ProofResult,
  closer: ProofResult | undefined,
  { look, stands }: { readonly look: ProofResult | undefined; readonly stands: boolean },
): FaultProof {
  const result = closer ?? first;
  const red = redIn(result);
  const shown = look === undefined || look.needsRun !== undefined ? undefined : redIn(look);
  const unshown = (closer === undefined && shown && red.filter((id) => !shown.includes(id))) || [];
  // A run goes on as it is told and may ask something else than the clean one, so that what else a replay shows is open.
  const missing = (shown ?? []).filter((id) => !redIn(first).includes(id));
  const untrue = stands ? missing : fault.kills.filter((id) => missing.includes(id));
  return {
    kills: fault.kills,
    red,
    missed: missedIn(fault, result),
    profile: result.task.profile === 'full' ? 'full' : 'standard',
    subtle: fault.subtle,
    ...(unshown.length > 0 && { unshown }),
    ...(untrue.length > 0 && { untrue }),
  };
}

/** What a fault has to turn red, and a run or replay did not. */
function missedIn({ kills }: Fault, result: ProofResult): string[] {
  const red = redIn(result);
  return kills.filter((id) => !red.includes(id));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id) => others.includes(id));
}
