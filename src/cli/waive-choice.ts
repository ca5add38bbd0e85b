import type { RequirementResult, Results } from '../report/model/results.ts';
import { isGap, isWaivable } from '../report/model/status.ts';
import { settingOf } from '../report/model/unjudged.ts';
import { hasFirst, isFirst } from '../run/first-fingerprint.ts';
import type { Waiver } from '../run/waivers.ts';
import { suggestion } from '../text/closest-name.ts';
import { oneLine, plural, some } from '../text/text.ts';
import { UsageError } from './errors.ts';

/** The fields that the user sets for new waivers. */
type Waiving = Pick<Waiver, 'owner' | 'reason' | 'expires'> & {
  readonly ticket: string | undefined;
};

const NAMED = 40;

/** A requirement as judged, without its waiver, so that a waiver can be renewed. */
function judgedIn({ requirements }: Results, id: string): RequirementResult | undefined {
  const requirement = requirements.find((one) => one.id === id);
  return requirement && { ...requirement, ...requirement.waived };
}

/**
 * Waivers for requirements that failed in a run or could not be judged, with the fingerprints of that run.
 * @throws UsageError for other ids, with the failed ids or what to do instead
 */
export function waiversFor(
  ids: readonly string[],
  results: Results,
  { owner, reason, ticket, expires }: Waiving,
): readonly Waiver[] {
  if (results.schemaVersion === 1) {
    throw new UsageError(
      'The results were written by an earlier version of Assay and have no version 2 fingerprints.',
      'Run Assay again, and waive the failures of the new run.',
    );
  }
  return [...new Set(ids)].map((id) => {
    const judged = judgedIn(results, id);
    const evidence = judged?.fingerprint ?? null;
    if (judged === undefined || !isWaivable(judged) || evidence === null) {
      throw refusal(id, judged, results);
    }
    const { outcome } = judged;
    // What a run that ended early did not judge says nothing.
    if (isGap(outcome) && (results.verdict === 'interrupted' || results.stoppedEarly === true)) {
      throw new UsageError(
        `${oneLine(id, 120)} could not be judged because the run was cut short: ${oneLine(results.sentence, 200)}`,
        'Run again when the target responds; waivers need a complete run.',
      );
    }
    return {
      id,
      ...(isGap(outcome) ? { outcome: outcome as NonNullable<Waiver['outcome']> } : {}),
      owner,
      reason,
      ...(ticket === undefined ? {} : { ticket }),
      expires,
      evidence,
    };
  });
}

/** Renews the fingerprints of version 1 of waivers; `left` are the ids of those that the run does not confirm. */
export function upgradeOf(
  waivers: readonly Waiver[],
  results: Results,
): { readonly upgraded: readonly Waiver[]; readonly left: readonly string[] } {
  const exchanges = new Map(results.exchanges.map((one) => [one.id, one]));
  const upgraded: Waiver[] = [];
  const left: string[] = [];
  for (const waiver of waivers.filter(({ evidence }) => isFirst(evidence))) {
    const judged = judgedIn(results, waiver.id);
    const holds =
      judged !== undefined &&
      (isGap(judged.outcome)
        ? judged.outcome === waiver.outcome
        : hasFirst(waiver.evidence, judged, exchanges));
    const evidence = holds ? judged.fingerprint : null;
    if (evidence === null || evidence === undefined) left.push(waiver.id);
    else upgraded.push({ ...waiver, evidence });
  }
  return { upgraded, left };
}

function refusal(id: string, judged: RequirementResult | undefined, results: Results): UsageError {
  const name = oneLine(id, 120);
  const red = results.requirements
    .filter(({ outcome }) => ['failed', 'warned', 'inconclusive'].includes(outcome))
    .map((one) => one.id);
  if (judged === undefined) {
    const all = results.requirements.map((one) => one.id);
    const hint = suggestion(id, red) || suggestion(id, all);
    return new UsageError(
      `The run does not contain the requirement ${name}.`,
      `${hint}${listed(red)}`,
    );
  }
  const setting = settingOf(judged);
  const { outcome } = judged;
  if (outcome === 'untested') {
    const why = judged.reason === null ? '' : `: ${oneLine(judged.reason)}`;
    const hint = setting === null ? '' : `Set ${setting}. `;
    return new UsageError(
      `${name} was not tested${why}. An untested requirement can be waived only if the cause is missing data.`,
      `${hint}${listed(red)}`,
    );
  }
  const what =
    outcome === 'error'
      ? 'failed because of a bug in Assay, which cannot be waived'
      : `has the outcome ${outcome}, so there is nothing to waive`;
  return new UsageError(`${name} ${what}.`, listed(red));
}

function listed(red: readonly string[]): string {
  if (red.length === 0) return 'Nothing failed in that run.';
  return `Failed in that run (${plural(red.length, 'requirement')}): ${some(red, NAMED)}.`;
}
