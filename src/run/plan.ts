import { isLeftOut } from '../spec/cause.ts';
import type { Profile } from '../ask/profiles.ts';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { judgeFor } from '../requirements/judging.ts';
import { contextOf } from '../judge/context.ts';
import { Judgement } from '../judge/judgement.ts';
import {
  coverageOf,
  COVERAGE_KINDS,
  type readCoverage,
  type CoverageKind,
} from '../report/analysis/variety.ts';
import type { DataCoverage } from '../report/model/results.ts';
import { rotatedFixtures, isFixtureKind } from '../target/discover.ts';
import { groupBy } from '../text/group-by.ts';
import { assemble, withLeftOut, type Evidence } from './assemble.ts';
import { costOf, rehearseRun, type Cost, type CostOptions } from './cost.ts';
import { withBudget } from './not-shown.ts';

/** What a run will cost and test, computed without requests to the target. */
export interface Plan extends Cost {
  readonly profile: Profile;
  readonly seed: number;
  readonly checks: number;
  readonly looksAt: readonly PlannedLook[];
  /** Number of earlier runs of the same target with known fixtures. */
  readonly earlierRuns: number;
  readonly untested: readonly { readonly id: string; readonly reason: string }[];
}

/** Reason when it depends on the target whether there is something to judge. */
const OF_TARGET = "unknown: depends on the target's data and on earlier runs";

/** Planned fixtures of one kind. */
export interface PlannedLook {
  readonly kind: CoverageKind;
  readonly count: number;
  /** Their names, from the target file or the latest earlier run; empty when unknown. */
  readonly at: readonly string[];
  readonly of: number | null;
  /** Fixtures that neither this run nor an earlier one tests; null without earlier runs, or when unknown. */
  readonly notYet: readonly string[] | null;
}

export interface PlanOptions extends CostOptions {
  /** What earlier runs of the target covered, newest first. */
  readonly earlier?: readonly ReturnType<typeof readCoverage>[];
}

/**
 * Plans a run by rehearsing it. The count is exact for a target that answers like the reference; if a control fails or
 * a list is empty, the run sends fewer requests.
 */
export async function planRun(options: PlanOptions): Promise<Plan> {
  const { profile, seed, earlier = [] } = options;
  const before = earlier.filter((one) => Object.keys(one).length > 0);
  const rehearsal = await rehearseRun(options, true);
  const { exchanges = [], session } = rehearsal.sent ?? {};
  const evidence = {
    checks: rehearsal.checks.map((check) => ({ ...check, ms: 0 })),
    exchanges: [...exchanges],
    session,
  };
  // Only whether a requirement gets an outcome matters here, not which.
  const { requirements: assembled } = assemble(evidence, unseen(evidence));
  const requirements = await withBudget(withLeftOut(profile, assembled), options);
  const { requests, ...cost } = costOf(rehearsal, options);
  return {
    profile,
    seed,
    requests,
    ...cost,
    checks: requirements
      .flatMap((one) => one.checks)
      .filter(({ outcome }) => outcome !== 'untested').length,
    looksAt: looksOf(options, coverageOf(exchanges, session?.shown ?? {}), before),
    earlierRuns: before.length,
    untested: requirements
      .filter((requirement) => requirement.outcome === 'untested' && !isLeftOut(requirement))
      .map(({ id, reason, cause }) => ({
        id,
        // The target may have data that the reference server lacks.
        reason:
          options.target !== null && (cause?.kind === 'data' || cause?.kind === 'time')
            ? OF_TARGET
            : (reason ?? ''),
      })),
  };
}

/** Judges all exchanges for requirements without a result of their own checks, unless they are deselected. */
function unseen({ checks, exchanges, session }: Evidence): Judgement {
  const into = new Judgement();
  if (session === undefined) return into;
  const context = contextOf(session.facts, exchanges);
  const byRequirement = groupBy(checks, ({ meta }) => meta.requirement);
  for (const requirement of REQUIREMENTS) {
    const outcomes = (byRequirement.get(requirement.id) ?? []).map(({ outcome }) => outcome);
    // For observations, passing a generated case is not evidence.
    const nothing = requirement.level === 'observe' ? ['untested', 'passed'] : ['untested'];
    if (outcomes.some(({ kind }) => !nothing.includes(kind)) || outcomes.every(isLeftOut)) continue;
    const { requirements, readings, broken } = judgeFor(requirement.id, exchanges, context);
    for (const [id, judged] of requirements) into.requirements.set(id, judged);
    for (const [id, reason] of broken) into.broken.set(id, reason);
    into.readings.push(...readings);
  }
  return into;
}

/**
 * Planned fixtures. The rehearsal gives their number and positions in each list; the names come from the target file or
 * from lists that an earlier run saw. Languages and categories are taken from the reference server.
 */
function looksOf(
  { target, seed }: PlanOptions,
  coverage: Readonly<Record<string, DataCoverage>>,
  before: readonly Readonly<Record<string, DataCoverage>>[],
): readonly PlannedLook[] {
  return COVERAGE_KINDS.flatMap((kind): PlannedLook[] => {
    const rehearsed = coverage[kind];
    if (rehearsed === undefined) return [];
    let { at, of } = rehearsed;
    if (target !== null && isFixtureKind(kind)) {
      const seen = before.find((one) => (one[kind]?.of.length ?? 0) > 0)?.[kind]?.of;
      of = target.fixtures[kind] ?? seen ?? [];
      const rehearsedOrder = rotatedFixtures(kind, rehearsed.of, seed);
      const order = rotatedFixtures(kind, of, seed);
      at = at.flatMap((id) => order[rehearsedOrder.indexOf(id)] ?? []);
    } else if (target !== null && kind === 'exchanges') at = [];
    const done = new Set([...at, ...before.flatMap((one) => one[kind]?.at ?? [])]);
    const known = of.length > 0;
    const most = known && isFixtureKind(kind) ? of.length : Number.POSITIVE_INFINITY;
    return [
      {
        kind,
        count: Math.min(most, rehearsed.at.length),
        at,
        of: known ? of.length : null,
        notYet: known && before.length > 0 ? of.filter((one) => !done.has(one)) : null,
      },
    ];
  });
}
