import type { Results } from '#src/report/model/results.ts';
import { run } from '#src/run/run.ts';
import type { Target } from '#src/target/target.ts';
import type { ProofTask } from './task.ts';

/** Runs all suites of a profile against a server of the proof. */
export function runSuitesOn(
  target: Target,
  { profile, seed }: Pick<ProofTask, 'profile' | 'seed'>,
): Promise<Results> {
  return run({
    target,
    reference: true,
    profile,
    seed,
    only: [],
    skip: [],
    maxRequests: null,
    failOn: ['must'],
  });
}
