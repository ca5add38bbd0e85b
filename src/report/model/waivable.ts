import type { Outcome, RequirementResult } from './results.ts';

/**
 * The outcome for judging purposes. A waived violation stays `waived`; a waived inconclusive or untested requirement was not
 * judged and counts as such.
 */
export function outcomeOf({
  outcome,
  waived,
}: Pick<RequirementResult, 'outcome' | 'waived'>): Outcome {
  return outcome === 'waived' && waived !== undefined && isGap(waived.outcome)
    ? waived.outcome
    : outcome;
}

/** True for outcomes without evidence about the target. */
export const isGap = (outcome: Outcome): boolean =>
  outcome === 'inconclusive' || outcome === 'untested';

/** True when a requirement can be waived. Of untested ones, only those that lack data: the others have a setting. */
export function isWaivable({
  outcome,
  cause,
}: Pick<RequirementResult, 'outcome' | 'cause'>): boolean {
  if (outcome === 'untested') return cause?.kind === 'data';
  return outcome === 'failed' || outcome === 'warned' || outcome === 'inconclusive';
}
