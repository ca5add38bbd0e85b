import type { Level } from '../contract/requirements.ts';
import { OUTCOMES, type LevelSummary, type Outcome, type Verdict } from '../report/results.ts';

/** What turns a finished run into a failed one beyond violated musts. */
export type FailOn = 'must' | 'should' | 'untested';

/** The one that fails most: machine formats know only one. */
export const strictest = (failOn: readonly FailOn[]): FailOn =>
  failOn.includes('untested') ? 'untested' : failOn.includes('should') ? 'should' : 'must';

export const EXIT = {
  conforms: 0,
  violates: 1,
  usage: 2,
  incomplete: 3,
  internal: 4,
  load: 5,
  interrupted: 130,
} as const;

export type Summary = Readonly<Record<Level, LevelSummary>>;

/** Counts outcomes by level. */
export function summarize(
  results: readonly { readonly level: Level; readonly outcome: Outcome }[],
): Summary {
  const empty = (): Record<Outcome, number> =>
    Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  const summary = { must: empty(), should: empty(), observe: empty() };
  for (const { level, outcome } of results) summary[level][outcome] += 1;
  return summary;
}

export interface Decision {
  readonly verdict: Verdict;
  readonly exitCode: number;
  /** One sentence with numbers. */
  readonly sentence: string;
}

export interface RunEnd {
  readonly interrupted: boolean;
  /** Why the run could not go on; null when it did. */
  readonly fatal: string | null;
  readonly failOn: readonly FailOn[];
  /** Waivers that have expired, match nothing or whose evidence has drifted. */
  readonly brokenWaivers?: number;
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/**
 * The verdict: any must violated - `violates`. Else any must inconclusive, nothing verified or the run cut short -
 * `incomplete`. Else `conforms`, also when musts are untested; the sentence then says how many.
 */
export function decide(summary: Summary, end: RunEnd): Decision {
  const { must, should } = summary;
  const verified = must.passed;
  const total = Object.values(must).reduce((sum, number) => sum + number, 0);
  const errors = must.error + should.error + summary.observe.error;
  const verifiedText = `${verified} of ${count(total, 'must requirement')} verified`;
  if (end.interrupted) {
    return {
      verdict: 'interrupted',
      exitCode: EXIT.interrupted,
      sentence: `Interrupted: ${verifiedText}, ${must.failed} violated so far.`,
    };
  }
  if (errors > 0) {
    return {
      verdict: 'error',
      exitCode: EXIT.internal,
      sentence: `Assay itself failed in ${count(errors, 'requirement')}; ${verifiedText}, ${must.failed} violated.`,
    };
  }
  if (must.failed > 0) {
    return {
      verdict: 'violates',
      exitCode: EXIT.violates,
      sentence: `${count(must.failed, 'must requirement')} violated; ${verifiedText}${rest(summary)}.`,
    };
  }
  if (end.fatal !== null) {
    return { verdict: 'incomplete', exitCode: EXIT.incomplete, sentence: end.fatal };
  }
  if (must.inconclusive > 0 || verified + must.waived === 0) {
    return {
      verdict: 'incomplete',
      exitCode: EXIT.incomplete,
      sentence: `No verdict: ${verifiedText}${rest(summary)}.`,
    };
  }
  const broken = end.brokenWaivers ?? 0;
  const failing =
    broken > 0 ||
    (end.failOn.includes('should') && should.warned > 0) ||
    (end.failOn.includes('untested') && must.untested > 0);
  return {
    verdict: 'conforms',
    exitCode: failing ? EXIT.violates : EXIT.conforms,
    sentence: `${verifiedText}, none violated${rest(summary)}.${broken > 0 ? ` Failed by ${count(broken, 'waiver')} that no longer ${broken === 1 ? 'holds' : 'hold'}.` : failing ? ' Failed by --fail-on.' : ''}`,
  };
}

function rest({ must, should }: Summary): string {
  const parts = [
    must.inconclusive > 0 ? `${must.inconclusive} inconclusive` : '',
    must.waived > 0 ? `${must.waived} waived` : '',
    must.untested > 0 ? `${must.untested} not tested` : '',
    should.warned > 0 ? count(should.warned, 'warning') : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}
