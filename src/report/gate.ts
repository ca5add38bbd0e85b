import type { BaselineGate, Outcome, RequirementResult, Results } from './results.ts';

/** What a gate counts as a failure besides violated musts. */
export type FailOn = 'must' | 'should' | 'untested';

/** How a machine format that knows only a few states reports a requirement. */
export type GateState = 'passed' | 'failed' | 'error' | 'skipped';

const STATES: Readonly<Record<Outcome, GateState>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'passed',
  observed: 'passed',
  inconclusive: 'error',
  untested: 'skipped',
  waived: 'skipped',
  error: 'error',
};

/**
 * The state of a requirement for formats such as JUnit. A failed must always fails; a warned should fails with
 * `failOn: 'should'`, an untested must with `failOn: 'untested'`. What could not be judged is an error, never a pass.
 * With a baseline, a known violation is set aside, and one that the baseline has and the run has not fails.
 */
export function gateState(
  requirement: RequirementResult,
  failOn: FailOn,
  gate?: BaselineGate,
): GateState {
  const { id, outcome, level } = requirement;
  if (gate?.known.includes(id)) return 'skipped';
  if (gate?.unexpectedPasses.includes(id) || gate?.stale.includes(id)) return 'failed';
  if (outcome === 'warned' && failOn === 'should') return 'failed';
  if (outcome === 'untested' && failOn === 'untested' && level === 'must') return 'failed';
  return STATES[outcome];
}

/**
 * True when the run as a whole reached no verdict. Machine formats get one more case for it: a run that was cut short,
 * or that verified nothing, must not look green because every case in it was skipped.
 */
export function reachedNoVerdict(results: Results): boolean {
  return results.verdict !== 'conforms' && results.verdict !== 'violates';
}

/** Time spent in the checks of a requirement, ms. */
export function durationOf(requirement: RequirementResult): number {
  return Math.round(requirement.checks.reduce((sum, check) => sum + Math.max(0, check.ms), 0));
}

/** One sentence that says why the requirement is in the state it is in. */
export function reasonText(requirement: RequirementResult): string {
  const first = requirement.findings[0];
  if (requirement.outcome === 'failed' || requirement.outcome === 'warned') {
    return first?.message ?? requirement.reason ?? requirement.title;
  }
  return requirement.reason ?? first?.message ?? requirement.outcome;
}
