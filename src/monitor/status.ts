import { completes } from '../../suites/4.4-etf-history/settlement.ts';
import { judgedAs, knownAbout } from '../requirements/catalogue.ts';
import { isOfCount } from '../requirements/definition.ts';
import type { Results } from '../report/model/results.ts';
import type { RunEntry } from './state.ts';

/**
 * Verdict of a monitor: `holds` (no open violation), `violates` (a must), or `incomplete` (target unreachable, keys
 * rejected, musts that could not be judged).
 */
export type MonitorVerdict = 'holds' | 'violates' | 'incomplete';

/** A must that was violated, and has not passed since. */
export interface OpenViolation {
  readonly id: string;
  readonly title: string;
  /** Seed of the last run that found it; another seed tests other values. */
  readonly seed: number;
  /** When it was first found, ISO 8601, and the folder of that run. */
  readonly since: string;
  readonly folder: string;
  /** When a run last judged it, ISO 8601; unknown in states of earlier versions. */
  readonly judgedAt?: string;
}

/** What all runs of a monitor have shown. */
export interface Status {
  /** Null before the first verdict. */
  readonly verdict: MonitorVerdict | null;
  /** When it changed, ISO 8601. */
  readonly since: string | null;
  /** The worst first, as far as the last run judged them. */
  readonly open: readonly OpenViolation[];
  /** Number of consecutive scheduled runs without a verdict. */
  readonly unclear: number;
  /** Violations fixed while others remain open. */
  readonly mended: readonly string[];
}

export const NOTHING_KNOWN: Status = {
  verdict: null,
  since: null,
  open: [],
  unclear: 0,
  mended: [],
};

/** A verdict change. */
export interface VerdictChange {
  readonly from: MonitorVerdict | null;
  readonly to: MonitorVerdict;
  readonly violated: readonly OpenViolation[];
  readonly mended: readonly string[];
}

/** Data of a run that may change the verdict. */
export interface Judged extends Pick<RunEntry, 'kind' | 'folder' | 'seed' | 'verdict'> {
  readonly at: string;
  /** The worst first. */
  readonly requirements: readonly Pick<
    Results['requirements'][number],
    'id' | 'title' | 'level' | 'outcome'
  >[];
}

/**
 * Consecutive scheduled runs without a verdict after which it is `incomplete`: a single one may have met a restart or
 * maintenance.
 */
export const UNCLEAR_RUNS = 2;

/** The requirement whose violation is about a row of one day, and is fixed when that row is complete. */
export const T1_REQUIREMENT = judgedAs(completes) ?? '';

/**
 * Updates the verdict with a run.
 *
 * A violation stays open until the requirement passes with the same seed, because a pass with other values proves
 * nothing. Requirements that a run did not judge stay unchanged.
 *
 * @param t1Overdue true while a row is overdue: until it is complete, its requirement stays violated, whatever other
 * rows do
 */
export function judged(
  before: Status,
  run: Judged,
  t1Overdue = false,
): { readonly status: Status; readonly change: VerdictChange | null } {
  if (run.verdict === 'interrupted') return { status: before, change: null };
  const musts = new Map(
    run.requirements.filter(({ level }) => level === 'must').map((one) => [one.id, one]),
  );
  const known = new Set(before.open.map(({ id }) => id));
  const still = before.open.flatMap((one): OpenViolation[] => {
    const outcome = musts.get(one.id)?.outcome;
    if (outcome === 'failed') return [{ ...one, seed: run.seed, judgedAt: run.at }];
    if (outcome === 'waived') return [];
    if (outcome !== 'passed') return [one];
    const isFixed = one.id === T1_REQUIREMENT ? !t1Overdue : run.seed === one.seed;
    return isFixed ? [] : [{ ...one, judgedAt: run.at }];
  });
  const found = [...musts.values()].flatMap(({ id, title, outcome }): OpenViolation[] =>
    outcome === 'failed' && !known.has(id)
      ? [{ id, title, seed: run.seed, since: run.at, folder: run.folder, judgedAt: run.at }]
      : [],
  );
  const places = [...musts.keys()];
  const placeOf = ({ id }: OpenViolation): number =>
    places.includes(id) ? places.indexOf(id) : places.length;
  const open = [...still, ...found].toSorted((a, b) => placeOf(a) - placeOf(b));
  const stillOpen = new Set(open.map(({ id }) => id));
  const closed = [...known].filter((id) => !stillOpen.has(id));
  const unclear = unclearAfter(before, run);
  const verdict = verdictOf(before, run, open, unclear);
  const mended = [...new Set([...before.mended, ...closed])].filter((id) => !stillOpen.has(id));
  if (verdict === before.verdict || verdict === null) {
    const kept = verdict === 'violates' ? mended : [];
    return { status: { ...before, open, unclear, mended: kept }, change: null };
  }
  const status = { verdict, since: run.at, open, unclear, mended: [] };
  // A first verdict without violations is not news.
  const isNews = before.verdict !== null || verdict !== 'holds';
  return {
    status,
    change: isNews ? { from: before.verdict, to: verdict, violated: open, mended } : null,
  };
}

/**
 * Follow-ups on few requirements, and runs with nothing to judge (a day without trading), do not show whether the
 * service can be judged.
 */
function unclearAfter({ unclear }: Status, run: Judged): number {
  const { kind, verdict } = run;
  if (verdict === 'violates') return 0;
  if (kind !== 'scheduled' || sawNothing(run)) return unclear;
  return verdict === 'incomplete' || verdict === 'error' ? unclear + 1 : 0;
}

/** True for a run without a verdict whose musts are all untested. */
const sawNothing = ({ verdict, requirements }: Judged): boolean =>
  verdict === 'incomplete' &&
  requirements.every(({ level, outcome }) => level !== 'must' || outcome === 'untested');

function verdictOf(
  { verdict: before }: Status,
  run: Judged,
  open: readonly OpenViolation[],
  unclear: number,
): MonitorVerdict | null {
  const { kind, verdict } = run;
  if (verdict === 'violates') return 'violates';
  if (unclear >= UNCLEAR_RUNS) return 'incomplete';
  // The first run without a verdict does not change it.
  if (unclear > 0 || sawNothing(run)) return before;
  if (open.length > 0) return 'violates';
  return kind === 'scheduled' || before === 'violates' ? 'holds' : before;
}

/** Whether it takes all requests of a run to judge the requirement: it is about a count, or needs a full window. */
export function asksAll(id: string): boolean {
  const known = knownAbout(id);
  return isOfCount(known) || known.needs?.includes('window') === true;
}

/**
 * Violations that a run did not decide and that need a follow-up with their seed. What all requests of the run did not
 * judge, the same requests would not judge either.
 */
export const undecided = (
  { open }: Status,
  { requirements, seed }: Pick<Judged, 'requirements' | 'seed'>,
): readonly OpenViolation[] => {
  const outcomes = new Map(requirements.map(({ id, outcome }) => [id, outcome]));
  return open.filter((one) => {
    const outcome = outcomes.get(one.id);
    if (one.id === T1_REQUIREMENT || outcome === 'failed') return false;
    return outcome === 'passed' ? seed !== one.seed : !asksAll(one.id);
  });
};
