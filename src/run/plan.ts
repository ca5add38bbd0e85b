import type { Profile } from '../ask/profiles.ts';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { contextOf } from '../judge/context.ts';
import { Judgement } from '../judge/judgement.ts';
import { firstWord } from '../suite/rehearsal.ts';
import { lookedAt, LOOKED_KINDS, readLooked, type LookedKind } from '../report/analysis/looked.ts';
import type { Looked } from '../report/model/results.ts';
import { fixturesInTurn, isFixtureKind } from '../target/discover.ts';
import { assembleWith, groupChecks, isLeftOut, type Evidence } from './assemble.ts';
import { costOf, rehearseRun, type Cost, type CostOptions } from './cost.ts';

/** What a run will cost and look at, before anything is sent to the target. */
export interface Plan extends Cost {
  readonly profile: Profile;
  readonly seed: number;
  /** Checks that run. */
  readonly checks: number;
  /** What the run will look at, as far as that is known before anything is sent. */
  readonly looksAt: readonly PlannedLook[];
  /** Earlier runs of the same target that say what they looked at. */
  readonly earlierRuns: number;
  /** Requirements that stay untested, with the reason. */
  readonly untested: readonly { readonly id: string; readonly reason: string }[];
}

/** Reason where a rehearsal cannot know whether there is something to judge. */
const OF_TARGET =
  'perhaps: the data of the target and its earlier runs decide; the reference server shows no case';

/** What a run will look at of one kind. */
export interface PlannedLook {
  readonly kind: LookedKind;
  /** How many. */
  readonly count: number;
  /** Which ones: of lists that only the target has, those that the latest earlier run saw. Empty when nothing is known of them. */
  readonly at: readonly string[];
  /** How many there are, as far as is known; null when it is not. */
  readonly of: number | null;
  /** Those that neither this run nor an earlier one looks at; null without earlier runs, or when it is not known what there is. */
  readonly notYet: readonly string[] | null;
}

export interface PlanOptions extends CostOptions {
  /** Contents of the results.json files of earlier runs of the target, the newest first. */
  readonly earlier?: readonly unknown[];
}

/**
 * Plans a run by rehearsing it. The count is exact for a target that answers as the reference does; a target that fails a
 * control or lacks a list sends less.
 */
export async function planRun(options: PlanOptions): Promise<Plan> {
  const { profile, seed } = options;
  const rehearsal = await rehearseRun(options, true);
  const { exchanges = [], session } = rehearsal.sent ?? {};
  const evidence = {
    checks: rehearsal.checks.map((check) => ({ ...check, ms: 0 })),
    exchanges: [...exchanges],
    session,
  };
  // A requirement that would come to a result has one here, but which one is not known.
  const { requirements } = assembleWith(evidence, unseen(evidence));
  const { requests, ...cost } = costOf(rehearsal, options);
  return {
    profile,
    seed,
    requests,
    ...cost,
    checks: requirements.reduce(
      (sum, one) => sum + one.checks.filter(({ outcome }) => outcome !== 'untested').length,
      0,
    ),
    looksAt: looksOf(options, lookedAt(exchanges, session?.shown ?? {})),
    earlierRuns: lookedBefore(options).length,
    untested: requirements
      .filter((requirement) => requirement.outcome === 'untested' && !isLeftOut(requirement))
      .map(({ id, reason, cause }) => ({
        id,
        // What the rehearsal lacked, the target may have.
        reason:
          options.target !== null && (cause?.kind === 'data' || cause?.kind === 'time')
            ? OF_TARGET
            : (reason ?? ''),
      })),
  };
}

/**
 * What all exchanges together show of the requirements whose own checks came to no result: those of the others have one
 * already, and what is left out has none.
 */
function unseen({ checks, exchanges, session }: Evidence): Judgement {
  const into = new Judgement();
  if (session === undefined) return into;
  const context = contextOf(session.facts, exchanges);
  const byRequirement = groupChecks(checks);
  for (const requirement of REQUIREMENTS) {
    const outcomes = (byRequirement.get(requirement.id) ?? []).map(({ outcome }) => outcome);
    // Of what is only observed, a search that finds nothing wrong shows nothing.
    const nothing = requirement.level === 'observe' ? ['untested', 'passed'] : ['untested'];
    if (outcomes.some(({ kind }) => !nothing.includes(kind)) || outcomes.every(isLeftOut)) continue;
    const { requirements, readings, broken } = firstWord(requirement, exchanges, context);
    for (const [id, judged] of requirements) into.requirements.set(id, judged);
    for (const [id, reason] of broken) into.broken.set(id, reason);
    into.readings.push(...readings);
  }
  return into;
}

/** What earlier runs looked at, the newest first, as far as they say it. */
const lookedBefore = ({ earlier = [] }: PlanOptions): readonly Readonly<Record<string, Looked>>[] =>
  earlier.map(readLooked).filter((looked) => Object.keys(looked).length > 0);

/**
 * What the run will look at. The rehearsal tells how many of each kind, and at which places of the list; which ones stand
 * there is known of the target file and of lists that an earlier run saw. Languages and categories are stated, and what of
 * them the data decide is as on the reference server.
 */
function looksOf(
  options: PlanOptions,
  looked: Readonly<Record<string, Looked>>,
): readonly PlannedLook[] {
  const { target, seed } = options;
  const before = lookedBefore(options);
  return LOOKED_KINDS.flatMap((kind): PlannedLook[] => {
    const rehearsed = looked[kind];
    if (rehearsed === undefined) return [];
    const isFixture = isFixtureKind(kind);
    const given = isFixture ? target?.fixtures[kind] : undefined;
    const seen = before.find((one) => (one[kind]?.of.length ?? 0) > 0)?.[kind]?.of;
    const of = target === null || !isFixture ? rehearsed.of : (given ?? seen ?? []);
    const places = isFixture ? fixturesInTurn(kind, rehearsed.of, seed) : [];
    const there = isFixture ? fixturesInTurn(kind, of, seed) : [];
    const at =
      target === null || !isFixture
        ? kind === 'exchanges' && target !== null
          ? []
          : rehearsed.at
        : rehearsed.at.flatMap((id) => there[places.indexOf(id)] ?? []);
    const done = new Set([...at, ...before.flatMap((one) => one[kind]?.at ?? [])]);
    const known = of.length > 0;
    return [
      {
        kind,
        count: known && isFixture ? Math.min(of.length, rehearsed.at.length) : rehearsed.at.length,
        at,
        of: known ? of.length : null,
        notYet: known && before.length > 0 ? of.filter((one) => !done.has(one)) : null,
      },
    ];
  });
}
