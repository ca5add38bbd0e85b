import type { Level } from '../../spec/levels.ts';
import { groupBy } from './group-by.ts';
import type { LevelSummary, Outcome, RequirementResult, Results } from './results.ts';
import { OUTCOMES } from './results.ts';

/** Order in which levels are listed. */
export const LEVELS: readonly Level[] = ['must', 'should', 'observe'];

/** How an outcome is shown, never by colour alone. */
export const OUTCOME_LABELS: Readonly<
  Record<Outcome, Readonly<Record<'icon' | 'word' | 'meaning', string>>>
> = {
  passed: { icon: '✓', word: 'passed', meaning: 'judged, no findings' },
  failed: { icon: '✗', word: 'failed', meaning: 'the target violates a stated rule' },
  warned: {
    icon: '!',
    word: 'warned',
    meaning: 'the target deviates from what the specification implies',
  },
  observed: {
    icon: '○',
    word: 'observed',
    meaning: 'the specification is silent; the behaviour is recorded and never fails',
  },
  inconclusive: {
    icon: '?',
    word: 'inconclusive',
    meaning: 'could not be judged: a control, the target or the network failed',
  },
  untested: {
    icon: '–',
    word: 'untested',
    meaning: 'a key, a fixture, data or time is missing, or the requirement was not selected',
  },
  waived: { icon: '~', word: 'waived', meaning: 'accepted in the waiver file' },
  error: { icon: '‼', word: 'error', meaning: 'a bug in Assay; please report it' },
};

/** Outcomes without a judgement, in the order in which they are listed. */
export const UNJUDGED: readonly Outcome[] = ['error', 'inconclusive', 'untested', 'waived'];

const noOutcomes = (): Record<Outcome, number> =>
  Object.fromEntries(OUTCOMES.map((one) => [one, 0])) as Record<Outcome, number>;

/** Outcome counts by level. */
export function countOutcomes(
  requirements: readonly RequirementResult[],
): Readonly<Record<Level, LevelSummary>> {
  const counts = { must: noOutcomes(), should: noOutcomes(), observe: noOutcomes() };
  for (const requirement of requirements) counts[requirement.level][requirement.outcome] += 1;
  return counts;
}

/** `850 ms`, `4.2 s`, `3 min 05 s`, `1 h 02 min`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return 'unknown time';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Length of the run in ms; NaN when a time is malformed. */
export function runLength(results: Results): number {
  return Date.parse(results.endedAt) - Date.parse(results.startedAt);
}

/** Time spent waiting for the rate limit, or the windows skipped by advancing the target's clock. */
export function waitWords(results: Results): string {
  const { waitedMs } = results.requests;
  // Results of earlier versions do not record clock control.
  const moved = results.settings?.clockControl ?? waitedMs > runLength(results);
  return `${formatDuration(waitedMs)} ${moved ? "of windows skipped by advancing the target's clock" : 'of waiting for the rate limit'}`;
}

/** Duration of a run, with its waiting time. */
export function lengthWords(results: Results): string {
  const length = formatDuration(runLength(results));
  return results.requests.waitedMs === 0 ? length : `${length}, with ${waitWords(results)}`;
}

/** Compares section numbers: 2.9 before 2.10. */
export const compareSections = (a: string, b: string): number =>
  a.localeCompare(b, 'en', { numeric: true });

/** Requirements by section, sections in the order of the specification, requirements in the order given. */
export function bySection<Item extends RequirementResult>(
  requirements: readonly Item[],
): readonly (readonly [section: string, requirements: readonly Item[]])[] {
  return [...groupBy(requirements, ({ section }) => section)].toSorted(([a], [b]) =>
    compareSections(a, b),
  );
}
