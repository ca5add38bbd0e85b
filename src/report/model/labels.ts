import { plural } from '../../text/text.ts';
import type { Level } from '../../spec/levels.ts';
import { groupBy } from '../../text/group-by.ts';
import { type Outcome, type RequirementResult, type Results, OUTCOMES } from './results.ts';

/** Order in which levels are listed. */
export const LEVELS: readonly Level[] = ['must', 'should', 'observe'];

/** Outcomes without a judgement, in the order in which they are listed. */
export const UNJUDGED: readonly Outcome[] = ['error', 'inconclusive', 'untested', 'waived'];

/** Outcomes that occur, with their counts. */
export const countOutcomes = (outcomes: readonly Outcome[]) =>
  OUTCOMES.map(
    (outcome) => [outcome, outcomes.filter((one) => one === outcome).length] as const,
  ).filter(([, count]) => count > 0);

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
export const runLength = ({ startedAt, endedAt }: Results): number =>
  Date.parse(endedAt) - Date.parse(startedAt);

/** Duration of a run, with the time spent waiting for the rate limit, or saved by advancing the target's clock. */
export function lengthWords(results: Results): string {
  const { waitedMs } = results.requests;
  const length = formatDuration(runLength(results));
  if (waitedMs === 0) return length;
  const moved = results.settings?.clockControl;
  return `${length}, with ${formatDuration(waitedMs)} ${moved ? "of windows skipped by advancing the target's clock" : 'of waiting for the rate limit'}`;
}

/** Compares section numbers: 2.9 before 2.10. */
export const compareSections = (a: string, b: string): number =>
  a.localeCompare(b, 'en', { numeric: true });

const TITLES: Readonly<Record<string, string>> = {
  '1': 'Service',
  '2': 'Fields of resources',
  '2.1': 'Currency info',
  '2.2': 'Currency market snapshot',
  '2.3': 'Token economics',
  '2.4': 'Kline',
  '2.5': 'Trading pair and paging envelope',
  '2.6': 'Currency fundraising',
  '2.7': 'News item',
  '2.8': 'ETF records',
  '2.9': 'Crypto stock snapshot',
  '2.10': 'Macro history row',
  '2.11': 'Analysis chart',
  '2.12': 'Other resources',
  '3': 'States',
  '4': 'All endpoints',
  '4.1': 'Currencies',
  '4.2': 'News',
  '4.3': 'ETF summary history',
  '4.4': 'ETF history',
  '4.5': 'Crypto stocks',
  '4.6': 'Macro and charts',
  '4.7': 'Purpose-only endpoints',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Across runs',
};

/** The section of the rate limiter. */
export const LIMITS = '8';

/** The title of a section; empty for an unknown one. */
export const sectionTitle = (section: string): string => TITLES[section] ?? '';

/** Requirements by section, sections in the order of the specification, requirements in the order given. */
export const bySection = <Item extends RequirementResult>(
  requirements: readonly Item[],
  sectionOf = ({ section }: Item): string => section,
) => [...groupBy(requirements, sectionOf)].toSorted(([a], [b]) => compareSections(a, b));

/** The same by row of the coverage map, with its title: `2` stands for all of 2.1 to 2.12. */
export const byArea = (requirements: readonly RequirementResult[]) =>
  bySection(requirements, ({ section }) => (section.startsWith('2.') ? '2' : section)).map(
    ([id, own]) => [id, TITLES[id] ?? 'Other', own] as const,
  );

/** `2 findings`, or `49 of 58 findings` when only the first are recorded. */
export const findingWords = (shown: number, total = shown): string =>
  total === shown ? plural(shown, 'finding') : `${shown} of ${plural(total, 'finding')}`;
