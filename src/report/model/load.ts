import { knownAbout } from '../../requirements/catalogue.ts';
import { NO_DATA } from '../../spec/cause.ts';
import { cut, plural } from '../../text/text.ts';
import { formatDuration } from './labels.ts';
import { hindrancesOf, KEPT, violatedIn } from '../../requirements/hindrances.ts';
import type { LoadCourse, LoadOutcome, LoadRequirement, LoadResult } from './load-results.ts';
import type { Outcome, RequirementResult, Results } from './results.ts';

const REASONS: Readonly<Partial<Record<Outcome, (scenario: string) => string>>> = {
  untested: (scenario) => `the responses to ${scenario} do not show it`,
  observed: (scenario) => `see the readings of ${scenario}`,
};

/** A requirement that a scenario judged, in the form of those that the suites judged. */
export function requirementUnder(
  { scenario }: LoadResult,
  { id, level, title, outcome, findings, judged, total }: LoadRequirement,
): RequirementResult {
  const { basis = 'stated', section = '' } = knownAbout(id);
  const check = { title: `load ${scenario}, judged ${plural(judged, 'time')}`, outcome, ms: 0 };
  return {
    id,
    level,
    basis,
    section,
    title,
    outcome,
    reason: REASONS[outcome]?.(scenario) ?? null,
    cause: outcome === 'untested' ? NO_DATA : null,
    reading: null,
    findings: findings.map((one) => ({ ...one, pointer: null, exchange: null })),
    ...(total > findings.length && { total }),
    checks: [{ ...check, reason: null, exchanges: [] }],
    exchanges: [],
  };
}

/** The requirements of a load run: those that scenarios judged, each with its worst outcome. */
export function loadRequirements({ load }: Pick<Results, 'load'>): readonly RequirementResult[] {
  const rank = ['untested', 'observed', 'passed', 'warned', 'failed'];
  const judged = load
    .flatMap((one) => one.requirements.map((requirement) => requirementUnder(one, requirement)))
    .toSorted((a, b) => rank.indexOf(a.outcome) - rank.indexOf(b.outcome));
  // The last of an id is kept.
  const all = [...new Map(judged.map((one) => [one.id, one])).values()];
  return all.map((one) => {
    const violated = violatedIn(hindrancesOf(one, all), all);
    return { ...one, ...violated, ...(violated.follows !== undefined && { reason: KEPT }) };
  });
}

const WORST_FIRST: readonly LoadOutcome[] = ['failed', 'inconclusive', 'warned', 'passed'];

/** Scenarios with their index in the results, the worst first. */
export function worstFirst(all: readonly LoadResult[]) {
  const rank = ({ load }: { load: LoadResult }): number => WORST_FIRST.indexOf(load.outcome);
  return all.map((load, index) => ({ load, index })).toSorted((a, b) => rank(a) - rank(b));
}

/** Requests that only opened connections, without a key; 0 where a sample was recorded. */
export function keylessIn({ course, requests: { sent, other } }: LoadResult): number {
  if (course === undefined || course.every.admitted > 1 || course.every.refused > 1) return 0;
  return Math.max(0, Math.min(other, sent - countedIn(course)));
}

/** Whether the responses of windows were all recorded, but for refusals. */
export const areWindowsCounted = ({ course }: LoadResult): boolean =>
  course === undefined || course.every.admitted <= 1;

/** What a sample of the responses does not show; empty if all were recorded. */
export function sampledWords(load: LoadResult): string {
  const { admitted, refused } = load.course?.every ?? { admitted: 1, refused: 1 };
  if (!areWindowsCounted(load))
    return `1 in ${admitted} admitted responses was recorded: rates are estimates, and windows cannot be counted.`;
  return refused > 1
    ? `1 in ${refused} refusals was recorded: rates are estimates, and windows count only the recorded ones.`
    : '';
}

/** What became of the requests: `240 sent: 60 admitted, 177 refused, 3 unanswered`. */
export function requestWords(load: LoadResult): string {
  const { sent, admitted, refused, wrongStatus, other, failed } = load.requests;
  const keyless = keylessIn(load);
  const wrong = wrongStatus === undefined ? '' : ` (${wrongStatus} with a wrong status)`;
  const others = [
    [keyless, 'without a key to open connections'],
    [other - keyless, 'other responses'],
    [failed, 'unanswered'],
  ] as const;
  const more = others.map(([count, words]) => (count > 0 ? `, ${count} ${words}` : '')).join('');
  return `${sent} sent: ${admitted} admitted, ${refused} refused${wrong}${more}`;
}

/** The load generator, and whether it kept up. */
export function generatorWords({ k6, health }: LoadResult): string {
  const { vus, iterations, dropped, spreadMs, lateMs } = health;
  const spread = spreadMs === null ? '' : `, bursts sent within ${formatDuration(spreadMs)}`;
  const late = lateMs === null ? '' : `, at most ${formatDuration(lateMs)} late`;
  return `k6 ${cut(k6.version, 40)} (${cut(k6.source, 40)}), ${plural(vus, 'virtual user')}, ${plural(iterations, 'iteration')}, ${dropped} dropped${spread}${late}`;
}

/** Requests with a key. */
export const countedIn = ({ sent }: LoadCourse): number => sent.reduce((sum, one) => sum + one, 0);

/** Requests per second. */
export function formatRate(perSecond: number): string {
  if (!Number.isFinite(perSecond)) return 'unknown';
  return perSecond < 10 ? String(Number(perSecond.toFixed(1))) : String(Math.round(perSecond));
}

/** Milliseconds, with two significant digits below 100. */
export const formatMs = (ms: number): string =>
  ms >= 100 ? String(Math.round(ms)) : String(Number(ms.toPrecision(2)));
