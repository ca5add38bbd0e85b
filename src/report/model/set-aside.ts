import type { Outcome, RequirementResult } from './results.ts';

/**
 * The outcome as far as judging goes. Something was found where a violation is waived, and it stays `waived`; where an
 * inconclusive or a gap in the data is waived nothing was, and nobody may take it for a judgement.
 */
export function outcomeOf({
  outcome,
  waived,
}: Pick<RequirementResult, 'outcome' | 'waived'>): Outcome {
  return outcome === 'waived' && waived !== undefined && isGap(waived.outcome)
    ? waived.outcome
    : outcome;
}

/** True for what says nothing about the target: a waiver of it stands for no evidence. */
export const isGap = (outcome: Outcome): boolean =>
  outcome === 'inconclusive' || outcome === 'untested';

/** True when a waiver may set the requirement aside. Of what was not tested, only what the data lacks: the rest has a setting. */
export function isWaivable({
  outcome,
  cause,
}: Pick<RequirementResult, 'outcome' | 'cause'>): boolean {
  if (outcome === 'untested') return cause?.kind === 'data';
  return outcome === 'failed' || outcome === 'warned' || outcome === 'inconclusive';
}
