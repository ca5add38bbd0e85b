import type {
  BaselineGate,
  Failing,
  Outcome,
  RequirementResult,
  Results,
  Verdict,
} from './results.ts';

/** What a gate can count as a failure: violated musts always, the others when `--fail-on` names them. */
export const FAIL_ON = ['must', 'should', 'untested'] as const;
export type FailOn = (typeof FAIL_ON)[number];

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
 * True for an untested must that `--fail-on untested` fails on: a key, a fixture, the profile or the budget stood against
 * it, or no client asked for it while the traffic was watched. What the user left out, what the target does not show today and what needs time never fails.
 */
export function failsAsUntested({
  level,
  outcome,
  cause,
}: Pick<RequirementResult, 'level' | 'outcome' | 'cause'>): boolean {
  if (level !== 'must' || outcome !== 'untested') return false;
  if (cause?.kind === 'setting' || cause?.kind === 'unseen') return true;
  return cause?.kind === 'not-selected' && cause.by !== 'only' && cause.by !== 'skip';
}

/**
 * The state of a requirement for formats such as JUnit. What makes the exit code 1 fails here too (`failing`). What could
 * not be judged is an error, never a pass. With a baseline, a known violation is set aside, and one that the baseline has
 * and the run has not fails.
 */
export function gateState(
  requirement: RequirementResult,
  failing: ReadonlySet<string>,
  gate?: BaselineGate,
): GateState {
  const { id, outcome } = requirement;
  if (gate?.known.includes(id)) return 'skipped';
  if (gate?.unexpectedPasses.includes(id) || gate?.stale.includes(id)) return 'failed';
  const state = STATES[outcome];
  return failing.has(id) && state !== 'error' ? 'failed' : state;
}

/**
 * Ids of the requirements that make the exit code other than 0. A waiver that no longer holds is none: its requirement came
 * out as it did, and the waivers have a case of their own.
 */
export const failingIds = ({ failing }: Results): ReadonlySet<string> =>
  new Set((failing ?? []).filter(({ why }) => why !== 'waiver').map(({ id }: Failing) => id));

/**
 * True when the run as a whole reached no verdict. Machine formats get one more case for it: a run that was cut short,
 * or that verified nothing, must not look green because every case in it was skipped.
 */
export function reachedNoVerdict(results: Results): boolean {
  return !reachedVerdict(results.verdict);
}

/** True for a verdict on the target; the others say that none was reached. */
export function reachedVerdict(verdict: Verdict): boolean {
  return verdict === 'conforms' || verdict === 'no-violation' || verdict === 'violates';
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
