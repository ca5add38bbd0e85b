import { completes } from '../../suites/4.4-etf-history/settlement.ts';
import { judgedAs } from '../requirements/catalogue.ts';
import type { Results } from '../report/model/results.ts';
import type { RunKind } from './state.ts';

/**
 * What a monitor says of its target: it `holds` as far as it was looked at, it `violates` a must, or nobody can tell
 * (`incomplete`: not reachable, keys rejected, musts that could not be judged).
 */
export type StandingVerdict = 'holds' | 'violates' | 'incomplete';

/** A must that was found violated, and not seen to be right since. */
export interface OpenViolation {
  readonly id: string;
  readonly title: string;
  /** Seed of the last run that found it: with another one a run looks at other things. */
  readonly seed: number;
  /** When it was found first, ISO 8601, and the folder of that run. */
  readonly since: string;
  readonly folder: string;
}

/** What a monitor knows of its target, from all of its runs. */
export interface Standing {
  /** Null as long as no run has come to a verdict. */
  readonly verdict: StandingVerdict | null;
  /** When it turned, ISO 8601. */
  readonly since: string | null;
  readonly open: readonly OpenViolation[];
  /** Runs of the schedule in a row that came to no verdict. */
  readonly unclear: number;
  /** What was seen to be right again while others still are not. */
  readonly mended: readonly string[];
}

export const NOTHING_KNOWN: Standing = {
  verdict: null,
  since: null,
  open: [],
  unclear: 0,
  mended: [],
};

/** The verdict is another one than before. */
export interface Turn {
  readonly from: StandingVerdict | null;
  readonly to: StandingVerdict;
  /** What is violated now. */
  readonly violated: readonly OpenViolation[];
  /** What was violated, and is right again. */
  readonly mended: readonly string[];
}

/** What is read of the run that changes a standing. */
export interface Judged {
  readonly kind: RunKind;
  readonly folder: string;
  readonly seed: number;
  /** When it began, ISO 8601. */
  readonly at: string;
  readonly verdict: Results['verdict'];
  readonly requirements: readonly Pick<
    Results['requirements'][number],
    'id' | 'title' | 'level' | 'outcome'
  >[];
}

/**
 * Runs of the schedule in a row without a verdict after which nobody can tell any more: one may have met a restart of the
 * service, or an hour of maintenance.
 */
export const UNCLEAR_RUNS = 2;

/** The requirement whose violation is about a row of one day, and is mended by a look at that row. */
export const T1_REQUIREMENT = judgedAs(completes) ?? '';

/**
 * What a run makes of a standing.
 *
 * A violation stays open until the requirement is seen to be right with the same seed: runs that rotate look at other things,
 * and one that passes there says nothing about what was wrong. What a run did not look at stays as it was.
 *
 * @param t1Overdue true while a row that an earlier run saw unsettled is overdue: until it is complete the requirement about
 *   it stays violated, whatever other rows do
 */
export function judged(
  before: Standing,
  run: Judged,
  t1Overdue = false,
): { readonly standing: Standing; readonly turn: Turn | null } {
  if (run.verdict === 'interrupted') return { standing: before, turn: null };
  const musts = new Map(
    run.requirements.filter(({ level }) => level === 'must').map((one) => [one.id, one]),
  );
  const known = new Set(before.open.map(({ id }) => id));
  const still = before.open.flatMap((one): OpenViolation[] => {
    const outcome = musts.get(one.id)?.outcome;
    if (outcome === 'failed') return [{ ...one, seed: run.seed }];
    if (outcome === 'waived') return [];
    if (one.id === T1_REQUIREMENT) return outcome === 'passed' && !t1Overdue ? [] : [one];
    return outcome === 'passed' && run.seed === one.seed ? [] : [one];
  });
  const found = [...musts.values()].flatMap(({ id, title, outcome }): OpenViolation[] =>
    outcome === 'failed' && !known.has(id)
      ? [{ id, title, seed: run.seed, since: run.at, folder: run.folder }]
      : [],
  );
  const open = [...still, ...found];
  const stillOpen = new Set(open.map(({ id }) => id));
  const closed = [...known].filter((id) => !stillOpen.has(id));
  const unclear = unclearAfter(before, run);
  const verdict = verdictOf(before, run, open, unclear);
  const mended = [...new Set([...before.mended, ...closed])].filter((id) => !stillOpen.has(id));
  if (verdict === before.verdict || verdict === null) {
    const kept = verdict === 'violates' ? mended : [];
    return { standing: { ...before, open, unclear, mended: kept }, turn: null };
  }
  const standing = { verdict, since: run.at, open, unclear, mended: [] };
  // Nobody waits for the news that all is well from the start.
  const isNews = before.verdict !== null || verdict !== 'holds';
  return {
    standing,
    turn: isNews ? { from: before.verdict, to: verdict, violated: open, mended } : null,
  };
}

/**
 * A look at a few requirements says nothing about whether the service can be judged. Neither does a run that had nothing to
 * judge, as on a day without trading: thin data is nobody's fault.
 */
function unclearAfter({ unclear }: Standing, run: Judged): number {
  const { kind, verdict } = run;
  if (verdict === 'violates') return 0;
  if (kind !== 'scheduled' || sawNothing(run)) return unclear;
  return verdict === 'incomplete' || verdict === 'error' ? unclear + 1 : 0;
}

/** True for a run without a verdict in which nothing was withheld. */
const sawNothing = ({ verdict, requirements }: Judged): boolean =>
  verdict === 'incomplete' &&
  requirements.every(({ level, outcome }) => level !== 'must' || outcome === 'untested');

function verdictOf(
  { verdict: before }: Standing,
  run: Judged,
  open: readonly OpenViolation[],
  unclear: number,
): StandingVerdict | null {
  const { kind, verdict } = run;
  if (verdict === 'violates') return 'violates';
  if (unclear >= UNCLEAR_RUNS) return 'incomplete';
  // The first run that comes to nothing: what was said before still stands.
  if (unclear > 0 || sawNothing(run)) return before;
  if (open.length > 0) return 'violates';
  return kind === 'scheduled' || before === 'violates' ? 'holds' : before;
}

/** Violations that a run with its own seed has not decided: they want a look with theirs. */
export const undecided = (
  { open }: Standing,
  { requirements, seed }: Pick<Judged, 'requirements' | 'seed'>,
): readonly OpenViolation[] => {
  const outcomes = new Map(requirements.map(({ id, outcome }) => [id, outcome]));
  return open.filter((one) => {
    const outcome = outcomes.get(one.id);
    return (
      one.id !== T1_REQUIREMENT &&
      outcome !== 'failed' &&
      !(outcome === 'passed' && seed === one.seed)
    );
  });
};
