import { describe } from '../ask/answer.ts';
import { PROFILES } from '../ask/profiles.ts';
import { NO_DATA } from '../spec/cause.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { judgeAll } from '../requirements/judging.ts';
import { hindrancesOf, KEPT, violatedIn } from '../requirements/hindrances.ts';
import type { RequirementResult } from '../report/model/results.ts';
import { groupBy } from '../text/group-by.ts';
import { withLeftOut, type Evidence } from './assemble.ts';
import type { CostOptions } from './cost.ts';

/**
 * Corrects reasons that blame the profile, or data for which `--max-requests` left no request. A small profile judges
 * some requirements on exchanges of other checks. If it usually covers a requirement and did not, the cause is a failed
 * answer or a violation, if there is one. Runs only if a must is affected.
 */
export async function withTrueReasons(
  assembled: readonly RequirementResult[],
  evidence: Evidence,
  options: CostOptions,
): Promise<readonly RequirementResult[]> {
  const requirements = await withBudget(
    withLeftOut(options.profile, assembled, options.target),
    options,
  );
  const larger = PROFILES.slice(PROFILES.indexOf(options.profile) + 1);
  const byRequirement = groupBy(evidence.checks, ({ meta }): string => meta.requirement);
  const left = requirements.filter(
    ({ id, cause }) =>
      cause?.kind === 'not-selected' &&
      cause.by === 'profile' &&
      byRequirement.get(id)?.every(({ meta }) => larger.includes(meta.profile)) === true,
  );
  if (!left.some(({ level }) => level === 'must')) return requirements;
  const judged = await judgedBy(options);
  const ids = new Set(left.map(({ id }) => id).filter((id) => judged.has(id)));
  return requirements.map((one) => {
    if (!ids.has(one.id)) return one;
    const { hinderedBy, ...reason } = reasonOf(one, evidence, judged, requirements);
    const own = hindrancesOf({ id: one.id, cause: reason.cause }, requirements);
    const hindrances = [...hinderedBy, ...own];
    const violated = violatedIn(hindrances, requirements);
    const isFollowing = violated.follows !== undefined;
    const blamed = isFollowing || reason.cause === null ? reason : missingFor(one, requirements);
    // The reason and the cause of the profile are right if nothing is in the way.
    if (blamed === undefined) return one;
    // Its checks of a larger profile would show nothing more.
    const cause = blamed.cause ?? NO_DATA;
    const checks = one.checks.map((check) =>
      isFollowing || reason.cause !== null ? { ...check, reason: blamed.reason, cause } : check,
    );
    const isKept = isFollowing && reason.reason === one.reason;
    return { ...one, ...blamed, ...(isKept && { reason: KEPT }), ...violated, checks };
  });
}

/** Blames `--max-requests` for what the profile judges without it, and would not judge with it even on the reference server. */
export async function withBudget(
  requirements: readonly RequirementResult[],
  options: CostOptions,
): Promise<readonly RequirementResult[]> {
  const cut = requirements.find(
    ({ cause }) => cause?.kind === 'not-selected' && cause.by === 'budget',
  );
  if (options.maxRequests === null || cut === undefined) return requirements;
  const judged = await judgedBy(options);
  const usual = await judgedBy({ ...options, maxRequests: null });
  const { reason, cause } = cut;
  return requirements.map((one) => {
    const isBlamed =
      one.cause?.kind === 'data' ||
      (one.cause?.kind === 'not-selected' && one.cause.by === 'profile');
    return isBlamed && one.follows === undefined && usual.has(one.id) && !judged.has(one.id)
      ? { ...one, reason, cause }
      : one;
  });
}

/** Requirements that a run judges, with their exchanges. */
type Rehearsed = ReadonlyMap<string, readonly Exchange[]>;

const areRefusals = (exchanges: readonly Exchange[]): boolean =>
  exchanges.every(({ response }) => (response?.status ?? 0) >= 400);

const known = new Map<string, Promise<Rehearsed>>();

/** What the profile judges on the reference server with the key roles of the target. */
function judgedBy(options: CostOptions): Promise<Rehearsed> {
  const { profile, only, skip, maxRequests, target } = options;
  const key = JSON.stringify([profile, only, skip, maxRequests, Object.keys(target?.keys ?? {})]);
  const rehearsed = known.get(key) ?? rehearsedIn(options);
  known.set(key, rehearsed);
  return rehearsed;
}

async function rehearsedIn(options: CostOptions): Promise<Rehearsed> {
  const { rehearseRun } = await import('./cost.ts');
  const { sent } = await rehearseRun({ ...options, seed: 1 }, false);
  if (sent === null) return new Map();
  return new Map(
    [...judgeAll(sent.exchanges, sent.session.facts).requirements].map(([id, { exchanges }]) => [
      id,
      sent.exchanges.filter((one) => exchanges.has(one.id)),
    ]),
  );
}

/** Requirements that judge the refusals in which a requirement about a part of them, such as the message, is judged. */
function refusalsOf({ id, section }: RequirementResult, judged: Rehearsed): readonly string[] {
  const own = judged.get(id);
  if (own === undefined || !areRefusals(own)) return [];
  return [...judged].flatMap(([other, on]) => {
    const { section: of, checks = [] } = requirementOf(other as RequirementId);
    const isOfRefusal = of === section && checks.some(({ refused }) => refused);
    return isOfRefusal && areRefusals(on) && own.every((one) => on.includes(one)) ? [other] : [];
  });
}

/** What the target file lacks for a requirement, as another one says that needs the same; undefined for nothing. */
function missingFor(
  { id }: RequirementResult,
  requirements: readonly RequirementResult[],
): Pick<RequirementResult, 'reason' | 'cause'> | undefined {
  const { needs = [] } = requirementOf(id as RequirementId);
  const settings = new Set<string>(needs.map((need) => `fixtures.${need}`));
  const other = requirements.find(
    ({ cause }) => cause?.kind === 'setting' && settings.has(cause.setting),
  );
  return other && { reason: other.reason, cause: other.cause };
}

/** Why a requirement that the profile usually covers was not judged. */
function reasonOf(
  requirement: RequirementResult,
  { exchanges }: Evidence,
  judged: Rehearsed,
  requirements: readonly RequirementResult[],
): Pick<RequirementResult, 'outcome' | 'reason' | 'cause'> & { hinderedBy: readonly string[] } {
  const { id } = requirement;
  const { endpoints = [] } = requirementOf(id as RequirementId);
  const fails = ({ response }: Exchange): boolean => response === null || response.status >= 500;
  // Not a transient failure: the endpoint failed for every request with a valid key.
  const asked = endpoints.map((path) =>
    exchanges.filter(({ endpoint, role }) => endpoint === path && role === 'valid'),
  );
  const isDown = asked.length > 0 && asked.every((all) => all.length > 0 && all.every(fails));
  const failed = isDown ? asked[0]?.[0] : undefined;
  if (failed === undefined) {
    const usual = judged.get(id) ?? [];
    const forbidden = exchanges.filter(
      ({ endpoint, role, response }) =>
        response?.status === 403 &&
        usual.some((one) => one.endpoint === endpoint && one.role === role),
    );
    const hinderedBy = [...refusalsOf(requirement, judged), ...forbidden.map((one) => one.id)];
    const { follows = [] } = violatedIn(hinderedBy, requirements);
    const found = requirements.filter((one) => follows.includes(one.id));
    const shown = new Set(found.flatMap(({ findings }) => findings.map((one) => one.exchange)));
    const statuses = exchanges
      .filter((one) => shown.has(one.id))
      .flatMap(({ response }) =>
        response === null || response.status < 400 ? [] : response.status,
      );
    const reason =
      statuses.length === 0 || !areRefusals(usual)
        ? requirement.reason
        : statuses.length === 1
          ? `its only refusal has status ${statuses[0]}`
          : `its refusals have status ${[...new Set(statuses)].join(' or ')}`;
    return { outcome: 'untested', reason, cause: NO_DATA, hinderedBy };
  }
  const how =
    failed.response === null ? 'got no response' : `failed with ${failed.response.status}`;
  return {
    outcome: 'inconclusive',
    reason: `nothing to judge: ${describe(failed)} ${how}`,
    cause: null,
    hinderedBy: [failed.id],
  };
}
