import { prefetchIn, leftOut, outcomeOf } from './asking.ts';
import { checksInOrder } from './checks.ts';
import type { CheckMeta } from './outcome.ts';
import { judgeAsked, metaOf } from './requirement.ts';
import type { SuiteRun } from './suite-run.ts';

/** A dry-run check and its expected outcome. */
export interface Rehearsed {
  readonly meta: CheckMeta;
  readonly outcome: NonNullable<CheckMeta['outcome']>;
}

/**
 * Sends all requests of a run in the same order, without Vitest.
 *
 * @param judges false to count requests only; all checks then count as passed
 */
export async function rehearse(run: SuiteRun, judges = true): Promise<readonly Rehearsed[]> {
  const checks = checksInOrder();
  const taken = checks.filter((bound) => leftOut(bound, run.input) === undefined);
  const prefetch = taken.length > 0 ? prefetchIn(run.session, taken) : undefined;
  const rehearsed: Rehearsed[] = [];
  for (const bound of checks) {
    const meta = metaOf(bound);
    const excluded = leftOut(bound, run.input);
    let outcome: Rehearsed['outcome'] = { kind: 'untested', reason: '', ...excluded };
    if (prefetch !== undefined && excluded === undefined) {
      try {
        // In order, as in a run.
        const asked = await prefetch.of(bound);
        outcome = judges
          ? judgeAsked(bound, meta, asked, run.session)
          : { kind: 'passed', reason: null };
      } catch (error) {
        outcome = outcomeOf(error, bound.requirement);
      }
    }
    rehearsed.push({ meta, outcome });
  }
  return rehearsed;
}
