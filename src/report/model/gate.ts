import type { RequirementResult, Verdict } from './results.ts';

/** What fails a run: violated musts always, the others when `--fail-on` names them. */
export const FAIL_ON = ['must', 'should', 'untested'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** True for a must untested for a key, a fixture, the profile, the budget, or because no watched client requested it. */
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
export const reachedVerdict = (verdict: Verdict): boolean =>
  ['conforms', 'no-violation', 'violates'].includes(verdict);
