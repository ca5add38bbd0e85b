import type { Level } from '../../spec/levels.ts';
import type { LevelSummary, Outcome, RequirementResult, Results } from './results.ts';
import { OUTCOMES } from './results.ts';

/** Order in which levels are listed. */
export const LEVELS: readonly Level[] = ['must', 'should', 'observe'];

/** How an outcome is shown. Never by colour alone: icon and word always go with it. */
export interface OutcomeLabel {
  readonly icon: string;
  readonly word: string;
  readonly meaning: string;
}

export const OUTCOME_LABELS: Readonly<Record<Outcome, OutcomeLabel>> = {
  passed: { icon: '✓', word: 'passed', meaning: 'judged against the target, nothing found' },
  failed: { icon: '✗', word: 'failed', meaning: 'the target contradicts a stated rule' },
  warned: {
    icon: '!',
    word: 'warned',
    meaning: 'the target departs from what the specification implies',
  },
  observed: {
    icon: '○',
    word: 'observed',
    meaning: 'the specification is silent; the behaviour is recorded and never failed',
  },
  inconclusive: {
    icon: '?',
    word: 'inconclusive',
    meaning:
      'could not be judged: a control request failed, the target broke down or the network did',
  },
  untested: {
    icon: '–',
    word: 'untested',
    meaning: 'a key, a fixture, budget, data or time is missing, or it was filtered out',
  },
  waived: { icon: '~', word: 'waived', meaning: 'set aside by the waiver file' },
  error: { icon: '‼', word: 'error', meaning: 'a fault of Assay itself; please report it' },
};

/** Outcomes that left a requirement without a judgement, in the order in which they are listed. */
export const UNJUDGED: readonly Outcome[] = ['error', 'inconclusive', 'untested', 'waived'];

function noOutcomes(): Record<Outcome, number> {
  return {
    passed: 0,
    failed: 0,
    warned: 0,
    observed: 0,
    inconclusive: 0,
    untested: 0,
    waived: 0,
    error: 0,
  };
}

/** Outcome counts of each level, counted from the requirements themselves. */
export function countOutcomes(
  requirements: readonly RequirementResult[],
): Readonly<Record<Level, LevelSummary>> {
  const counts = { must: noOutcomes(), should: noOutcomes(), observe: noOutcomes() };
  for (const requirement of requirements) counts[requirement.level][requirement.outcome] += 1;
  return counts;
}

/** Outcomes that occur at least once, so that tables do not carry empty columns. */
export function outcomesSeen(requirements: readonly RequirementResult[]): readonly Outcome[] {
  const seen = new Set(requirements.map((requirement) => requirement.outcome));
  return OUTCOMES.filter((outcome) => seen.has(outcome));
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

/** Length of the run in ms; NaN when a time cannot be read. */
export function runLength(results: Results): number {
  return Date.parse(results.endedAt) - Date.parse(results.startedAt);
}

/** What of a run was waiting; where the clock of the target was moved, nothing was waited for. */
export function waitWords(results: Results): string {
  const { waitedMs } = results.requests;
  // Results of earlier versions do not say whether the clock could be moved.
  const moved = results.settings?.clockControl ?? waitedMs > runLength(results);
  return `${formatDuration(waitedMs)} ${moved ? 'of windows passed over by moving the clock of the target' : 'of waiting for the rate limit'}`;
}

/** How long a run took, and what of it was waiting. */
export function lengthWords(results: Results): string {
  const length = formatDuration(runLength(results));
  return results.requests.waitedMs === 0 ? length : `${length}, with ${waitWords(results)}`;
}

/** Compares sections and ids the way a table of contents does: 2.9 before 2.10. */
export function compareSections(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const one = left[index] ?? '';
    const other = right[index] ?? '';
    const difference = Number(one) - Number(other);
    if (Number.isNaN(difference)) {
      if (one !== other) return one < other ? -1 : 1;
    } else if (difference !== 0) return difference;
  }
  return 0;
}

/** Requirements by section, sections in the order of the specification, requirements in the order given. */
export function bySection<Item extends RequirementResult>(
  requirements: readonly Item[],
): readonly (readonly [section: string, requirements: readonly Item[]])[] {
  const sections = new Map<string, Item[]>();
  for (const requirement of requirements) {
    const list = sections.get(requirement.section);
    if (list === undefined) sections.set(requirement.section, [requirement]);
    else list.push(requirement);
  }
  return [...sections].toSorted(([a], [b]) => compareSections(a, b));
}
