import { plural } from '../text/text.ts';
import { CHANGE_KINDS, outcomeChange } from './diff.ts';
import type { ChangeKind } from './diff.ts';
import { countsOf, readHistory } from './history.ts';
import { runLength } from './labels.ts';
import type { Outcome, PastRun, Results } from './results.ts';
import { outcomeOf } from './set-aside.ts';

/** How the requirements of a run came out, in as few kinds as a small bar can show. */
export interface RunCounts {
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  readonly observed: number;
  /** Not judged, or set aside. */
  readonly open: number;
}

/** One run of a target, as a bar. */
export interface RunBar {
  /** ISO 8601. */
  readonly startedAt: string;
  /** Profile, where it is another one than that of the present run: then the bars do not compare. */
  readonly profile: string | null;
  /** Length of the run, ms; NaN when it is not known. */
  readonly ms: number;
  /** Null when it is not known. */
  readonly counts: RunCounts | null;
  /** True for the run that the report is about. */
  readonly present: boolean;
}

/** Requirements that turned in the same way since the last run. */
export interface Turned {
  readonly kind: ChangeKind;
  readonly ids: readonly string[];
}

const KINDS: Readonly<Record<Outcome, keyof RunCounts>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warned',
  observed: 'observed',
  inconclusive: 'open',
  untested: 'open',
  waived: 'open',
  error: 'open',
};

/** Counts that a file told, of which anything may be wrong; null when they add up to nothing. */
function barCounts(counts: PastRun['counts']): RunCounts | null {
  const bar = { passed: 0, failed: 0, warned: 0, observed: 0, open: 0 };
  let total = 0;
  for (const [outcome, kind] of Object.entries(KINDS)) {
    const count: unknown = counts?.[outcome as Outcome];
    if (typeof count !== 'number' || !(count > 0) || !Number.isFinite(count)) continue;
    bar[kind] += count;
    total += count;
  }
  return total === 0 ? null : bar;
}

/**
 * The last runs of the target as far as they lie beside this one, the oldest first and this one last; empty when there
 * is no earlier one.
 *
 * @param most runs in all
 */
export function runBars(results: Results, most: number): readonly RunBar[] {
  const past = readHistory(results)?.runs ?? [];
  if (past.length === 0) return [];
  const bars = past.slice(1 - most).map(({ startedAt, profile, ms, counts }): RunBar => {
    const other = typeof profile === 'string' && profile !== results.profile;
    return {
      startedAt,
      profile: other ? profile : null,
      ms: typeof ms === 'number' && ms >= 0 ? ms : Number.NaN,
      counts: barCounts(counts),
      present: false,
    };
  });
  const { startedAt, requirements } = results;
  const counts = barCounts(countsOf(requirements.map(({ outcome }) => outcome)));
  return [...bars, { startedAt, profile: null, ms: runLength(results), counts, present: true }];
}

/**
 * What turned since the last run, as far as the history knows: violations that are new, gone, or not judged any more.
 * Null without an earlier run. A comparison with a baseline knows more.
 */
export function turnedSince(results: Results): readonly Turned[] | null {
  const history = readHistory(results);
  if (history === undefined || history.runs.length === 0) return null;
  const turned = new Map<ChangeKind, string[]>();
  for (const one of results.requirements) {
    const { id } = one;
    const past = history.outcomes[id];
    // What was never violated is not in the history.
    if (past === undefined) continue;
    const kind = outcomeChange(past.at(-1) ?? null, outcomeOf(one));
    if (kind === null || kind === 'still-violated' || kind === 'newly-verified') continue;
    turned.set(kind, [...(turned.get(kind) ?? []), id]);
  }
  return CHANGE_KINDS.flatMap((kind) => {
    const ids = turned.get(kind);
    return ids === undefined ? [] : [{ kind, ids }];
  });
}

/** `5 failed, 2 warned, 49 not judged, 320 passed`, without what there is none of. */
export function countWords({ passed, failed, warned, observed, open }: RunCounts): string {
  const parts: readonly (readonly [number, string])[] = [
    [failed, 'failed'],
    [warned, 'warned'],
    [open, 'not judged'],
    [observed, 'observed'],
    [passed, 'passed'],
  ];
  const said = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]));
  return said.length === 0 ? plural(0, 'requirement') : said.join(', ');
}
