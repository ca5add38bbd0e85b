import { isLeftOut } from '../spec/cause.ts';
import { EXIT } from '../spec/exit-codes.ts';
import type { Level } from '../spec/levels.ts';
import { failsAsUntested, type FailOn } from '../report/model/gate.ts';
import { isGap, isWaivedViolation } from '../report/model/status.ts';
import { plural, some } from '../text/text.ts';
import { isBroken } from '../report/model/waiver-words.ts';
import {
  OUTCOMES,
  type Failing,
  type LevelSummary,
  type Outcome,
  type RequirementResult,
  type Verdict,
  type WaiverResult,
} from '../report/model/results.ts';

export type Summary = Readonly<Record<Level, LevelSummary>>;

/** Counts outcomes by level. */
export function summarize(
  results: readonly { readonly level: Level; readonly outcome: Outcome }[],
): Summary {
  const count = (of: Level): LevelSummary => {
    const all = results.filter(({ level }) => level === of);
    return Object.fromEntries(
      OUTCOMES.map((kind) => [kind, all.filter(({ outcome }) => outcome === kind).length]),
    ) as LevelSummary;
  };
  return { must: count('must'), should: count('should'), observe: count('observe') };
}

export interface RunEnd {
  readonly interrupted: boolean;
  /** Why the run ended early; null when it did not. */
  readonly fatal: string | null;
  readonly failOn: readonly FailOn[];
  readonly waivers?: readonly WaiverResult[];
}

/** The fields of a requirement that determine the verdict. */
export type Judged = Pick<
  RequirementResult,
  'id' | 'level' | 'outcome' | 'cause' | 'reason' | 'waived' | 'follows'
>;

/**
 * The verdict: `violates` if any must is violated; else `error` if Assay failed; else `incomplete` if any must is
 * inconclusive, the run ended early, or no must was verified; else `conforms` if every must is passed, waived, or
 * untested for data or time, without another violation in the way; else `no-violation`.
 * @returns also `failing`: what makes the exit code non-zero; `tellsEnd`: the sentence says why the run ended early
 */
export function decide(requirements: readonly Judged[], end: RunEnd) {
  const summary = summarize(requirements);
  const { must, should } = summary;
  const ofMusts = requirements.filter(({ level }) => level === 'must');
  const waivedViolations = ofMusts.filter(isWaivedViolation).length;
  const others = rest(summary, waivedViolations);
  const errors = must.error + should.error + summary.observe.error;
  const verifiedText = `${must.passed} of ${plural(ofMusts.length, 'must requirement')} verified`;
  const which = (why: Failing['why'], fits: (one: Judged) => boolean): Failing[] =>
    requirements.filter(fits).map(({ id }) => ({ id, why }));
  const musts = (outcome: Outcome, why: Failing['why']): Failing[] =>
    ofMusts.filter((one) => one.outcome === outcome).map(({ id }) => ({ id, why }));
  const ended = (
    verdict: Verdict,
    exitCode: number,
    sentence: string,
    failing: readonly Failing[] = [],
  ) => ({ verdict, exitCode, sentence, failing, tellsEnd: sentence === end.fatal });
  const brokenWaivers = [...new Set((end.waivers ?? []).filter(isBroken).map(({ id }) => id))].map(
    (id): Failing => ({ id, why: 'waiver' }),
  );
  const beyond = [
    ...brokenWaivers,
    ...(end.failOn.includes('should')
      ? which('warned', ({ outcome }) => outcome === 'warned')
      : []),
    ...(end.failOn.includes('untested') ? which('untested', failsAsUntested) : []),
  ];
  if (end.interrupted) {
    const sentence = `Interrupted: ${verifiedText}, ${must.failed} violated so far.`;
    return ended('interrupted', EXIT.interrupted, sentence);
  }
  if (must.failed > 0) {
    const unjudged =
      must.error > 0 ? `, ${must.error} not judged because of an error of Assay` : '';
    const sentence = `${plural(must.failed, 'must requirement')} violated; ${verifiedText}${others}${unjudged}.`;
    const failing = [...musts('failed', 'violated'), ...beyond];
    return ended('violates', EXIT.violates, sentence, failing);
  }
  if (errors > 0) {
    const sentence = `Assay itself failed in ${plural(errors, 'requirement')}; ${verifiedText}${others}.`;
    const failing = [...which('error', ({ outcome }) => outcome === 'error'), ...brokenWaivers];
    return ended('error', EXIT.internal, sentence, failing);
  }
  if (end.fatal !== null) return ended('incomplete', EXIT.incomplete, end.fatal);
  // Waived without a judgement is not evidence: a run must have verified something.
  const seen = ofMusts.some(
    ({ outcome, waived }) =>
      outcome === 'passed' || (outcome === 'waived' && !(waived && isGap(waived.outcome))),
  );
  if (must.inconclusive > 0 || !seen) {
    const sentence = `No verdict: ${verifiedText}${others}.${nothingTested(requirements)}`;
    const failing = [...musts('inconclusive', 'inconclusive'), ...brokenWaivers];
    return ended('incomplete', EXIT.incomplete, sentence, failing);
  }
  const whole = ofMusts.every(
    ({ outcome, cause, follows }) =>
      outcome !== 'untested' ||
      ((cause?.kind === 'data' || cause?.kind === 'time') && follows === undefined),
  );
  const failed = beyond.length > 0 ? ` ${failedBy(beyond)}` : '';
  return ended(
    whole ? 'conforms' : 'no-violation',
    beyond.length > 0 ? EXIT.violates : EXIT.conforms,
    `${verifiedText}, ${waivedViolations > 0 ? '0 open violations' : 'none violated'}${others}.${failed}`,
    beyond,
  );
}

/** The reasons if nothing selected was tested, because numbers alone do not help. */
function nothingTested(requirements: readonly Judged[]): string {
  const asked = requirements.filter((one) => !isLeftOut(one));
  const reasons = [...new Set(asked.map(({ reason }) => reason ?? ''))];
  const untested = asked.length > 0 && asked.every(({ outcome }) => outcome === 'untested');
  return untested && reasons.length <= MOST_REASONS
    ? ` Nothing selected was tested: ${reasons.join('; ').replace(/\.$/, '')}.`
    : '';
}

/** Beyond this, the reasons are in the list of unverified requirements only. */
const MOST_REASONS = 3;

const FAILED_BY: Readonly<Partial<Record<Failing['why'], string>>> = {
  waiver: 'a waiver that is no longer valid',
  warned: '--fail-on should',
  untested: '--fail-on untested',
};

/** `Failed by --fail-on should: 4.1/a, 4.2/b, 4.3/c and 4 more.` */
function failedBy(failing: readonly Failing[]): string {
  const causes = [...new Set(failing.map(({ why }) => why))];
  return causes
    .map((cause) => {
      const ids = failing.filter(({ why }) => why === cause).map(({ id }) => id);
      return `Failed by ${FAILED_BY[cause] ?? cause}: ${some(ids, 3)}.`;
    })
    .join(' ');
}

/** @param waived number of musts violated and waived; other waived ones could not be judged */
function rest({ must, should }: Summary, waived: number): string {
  const parts = [
    waived > 0 ? `${waived} violated and waived` : '',
    must.inconclusive > 0 ? `${must.inconclusive} inconclusive` : '',
    must.waived > waived ? `${must.waived - waived} waived without being judged` : '',
    must.untested > 0 ? `${must.untested} not tested` : '',
    should.warned > 0 ? plural(should.warned, 'warning') : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}
