import type { RequirementResult, Verdict } from './results.ts';

/** What a gate can count as a failure: violated musts always, the others when `--fail-on` names them. */
export const FAIL_ON = ['must', 'should', 'untested'] as const;
export type FailOn = (typeof FAIL_ON)[number];

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

/** True for a verdict on the target; the others say that none was reached. */
export function reachedVerdict(verdict: Verdict): boolean {
  return verdict === 'conforms' || verdict === 'no-violation' || verdict === 'violates';
}
