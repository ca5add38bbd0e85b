import type { RequirementResult, Verdict } from './results.ts';

/** What fails a run: violated musts always, the others when `--fail-on` names them. */
export const FAIL_ON = ['must', 'should', 'untested'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/**
 * True for an untested must that `--fail-on untested` fails on: because of a key, a fixture, the profile or the budget, or
 * because no client requested it while the traffic was watched. What `--only` and `--skip` left out, missing data and waiting
 * time never fail.
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

/** True for a verdict on the target. */
export function reachedVerdict(verdict: Verdict): boolean {
  return verdict === 'conforms' || verdict === 'no-violation' || verdict === 'violates';
}
