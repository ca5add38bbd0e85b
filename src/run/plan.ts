import { KEY_ROLES, type KeyRole } from '../contract/exchange.ts';
import { boundsOf, type Profile } from '../ask/profiles.ts';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { requirementJudgedBy } from '../requirements/judging.ts';
import { contextOf } from '../rules/context.ts';
import { Judgement } from '../rules/judgement.ts';
import { firstWord, rehearse } from '../suite/rehearsal.ts';
import { SuiteRun } from '../suite/suite-run.ts';
import { lookedAt, LOOKED_KINDS, readLooked, type LookedKind } from '../report/looked.ts';
import type { Looked } from '../report/results.ts';
import { fixturesInTurn, isFixtureKind } from '../target/discover.ts';
import type { Target } from '../target/target.ts';
import { assembleWith, isLeftOut, type Assembled, type Evidence } from './assemble.ts';
import { localReference } from './embedded.ts';

/** What a run will cost, before anything is sent to the target. */
export interface Plan {
  readonly profile: Profile;
  readonly seed: number;
  readonly requests: Readonly<Partial<Record<KeyRole, number>>>;
  /**
   * Requests with valid keys that may come on top, at most: a second look where the data of the target asks for one,
   * repeats of what failed in passing, and requests that show how the limiter counts and refuses where the planned ones
   * did not. A run never sends more, whatever the target answers.
   */
  readonly conditional: {
    readonly data: number;
    readonly repeat: number;
    readonly limiter: number;
  };
  /** Checks that run. */
  readonly checks: number;
  readonly validKeys: number;
  /** Windows of the rate limit that the requests fill: those of the valid keys, or of the restricted one if it needs more. */
  readonly windows: number;
  /** Whose requests fill them. */
  readonly busiest: 'valid' | 'restricted';
  /** Least time that the rate limit leaves room for, ms: the last window need not be waited out. */
  readonly waitMs: number;
  /** Share of one key's monthly quota, 0 to 1. */
  readonly quotaShare: number;
  /** What the run will look at, as far as that is known before anything is sent. */
  readonly looksAt: readonly PlannedLook[];
  /** Earlier runs of the same target that say what they looked at. */
  readonly earlierRuns: number;
  /** Requirements that stay untested, with the reason. */
  readonly untested: readonly { readonly id: string; readonly reason: string }[];
}

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

export interface PlanOptions {
  /** Contents of the results.json files of earlier runs of the target, the newest first. */
  readonly earlier?: readonly unknown[];
  /** Null: the embedded reference server is what will be run against. */
  readonly target: Target | null;
  readonly profile: Profile;
  readonly seed: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly maxRequests: number | null;
}

/**
 * Plans a run by rehearsing it: all that the suites ask is asked of the reference server, with as many keys of each role as
 * the target has. Nothing is sent to the target, and nothing leaves this process. The count is exact for a target that
 * answers as the reference does; a target that fails a control or lacks a list sends less.
 */
export async function planRun(options: PlanOptions): Promise<Plan> {
  const { target, profile, seed, maxRequests } = options;
  const reference = await localReference();
  const stand = target === null ? reference : standIn(reference, target);
  const { requests, requirements, looked } = await rehearsal(stand, options);
  const bounds = boundsOf(profile, maxRequests);
  const valid = requests.valid ?? 0;
  const validKeys = stand.keys.valid.length;
  const { limits } = target ?? stand;
  const ofValid = Math.ceil(valid / (limits.requests * validKeys));
  const ofRestricted = Math.ceil((requests.restricted ?? 0) / limits.requests);
  const windows = Math.max(ofValid, ofRestricted);
  return {
    profile,
    seed,
    requests,
    conditional: {
      data: Math.max(0, bounds.planned - valid),
      repeat: bounds.repeat,
      limiter: Math.min(bounds.limiter, Math.max(0, bounds.total - valid)),
    },
    checks: requirements.reduce(
      (sum, { checks }) => sum + checks.filter(({ outcome }) => outcome !== 'untested').length,
      0,
    ),
    validKeys,
    windows,
    busiest: ofRestricted > ofValid ? 'restricted' : 'valid',
    waitMs: Math.max(0, windows - 1) * limits.windowMs,
    quotaShare: valid / validKeys / limits.monthlyQuota,
    looksAt: looksOf(options, looked),
    earlierRuns: lookedBefore(options).length,
    untested: requirements
      .filter((requirement) => requirement.outcome === 'untested' && !isLeftOut(requirement))
      .map(({ id, reason }) => ({ id, reason: reason ?? '' })),
  };
}

interface Rehearsal extends Pick<Assembled, 'requirements'> {
  readonly requests: Plan['requests'];
  readonly looked: Readonly<Record<string, Looked>>;
}

/** What comes of a rehearsal. A requirement that would come to a result has one, but which one is not known. */
async function rehearsal(
  target: Target,
  { profile, seed, only, skip, maxRequests }: PlanOptions,
): Promise<Rehearsal> {
  const input = { target, profile, seed, only, skip, maxRequests };
  const run = new SuiteRun({ ...input, runId: 'plan', path: null, channel: null });
  let checks: Evidence['checks'];
  try {
    checks = (await rehearse(run)).map((check) => ({ ...check, ms: 0 }));
  } finally {
    await run.close();
  }
  const { exchanges = [], session } = run.sent ?? {};
  const evidence = { checks, exchanges: [...exchanges], session };
  return {
    ...assembleWith(evidence, unseen(evidence)),
    requests: inOrderOfRoles(session?.byRole ?? {}),
    looked: lookedAt(exchanges, session?.shown ?? {}),
  };
}

/** Counts in the order of the roles: which of them asks first depends on what is on its way. */
const inOrderOfRoles = (counts: Plan['requests']): Plan['requests'] =>
  Object.fromEntries(
    KEY_ROLES.flatMap((role) => (counts[role] === undefined ? [] : [[role, counts[role]]])),
  );

/**
 * What all exchanges together show of the requirements whose own checks came to no result: those of the others have one
 * already, and what is left out has none.
 */
function unseen({ checks, exchanges, session }: Evidence): Judgement {
  const into = new Judgement(requirementJudgedBy);
  if (session === undefined) return into;
  const context = contextOf(session.facts, exchanges);
  for (const requirement of REQUIREMENTS) {
    const outcomes = checks.flatMap(({ meta, outcome }) =>
      meta.requirement === requirement.id ? [outcome] : [],
    );
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
function looksOf(options: PlanOptions, looked: Rehearsal['looked']): readonly PlannedLook[] {
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

/** The reference server with the keys that the target has: as many valid ones, and only the roles that are given. */
function standIn(reference: Target, target: Target): Target {
  const issued = reference.keys;
  const { disabled, expired, restricted, nearQuota, valid } = target.keys;
  return {
    ...reference,
    keys: {
      // The reference has a fixed number of keys: a larger pool changes the time, not the requests.
      valid: issued.valid.slice(0, valid.length),
      ...(disabled !== undefined && issued.disabled !== undefined
        ? { disabled: issued.disabled }
        : {}),
      ...(expired !== undefined && issued.expired !== undefined ? { expired: issued.expired } : {}),
      ...(restricted !== undefined && issued.restricted !== undefined
        ? { restricted: issued.restricted }
        : {}),
      ...(nearQuota !== undefined && issued.nearQuota !== undefined
        ? { nearQuota: issued.nearQuota }
        : {}),
    },
  };
}
