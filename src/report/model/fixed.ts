import { groupBy } from '../../text/group-by.ts';
import { knownAbout } from '../../requirements/catalogue.ts';
import { isLeftOut } from '../../spec/cause.ts';
import { endpoint as factsOf } from '../../spec/endpoints.ts';
import type { Exchange } from '../../spec/exchange.ts';
import { STATUS } from '../../spec/finding.ts';
import { waysIn } from './fingerprint.ts';
import type { CheckResult, RequirementResult, ResultFinding, Results } from './results.ts';
import { LIMITS } from './labels.ts';
import { checksOf, ELSEWHERE, isJudged, isViolated, showsFixed } from './status.ts';

/** Identifies a request: method, path, query and key role. */
export const requestOf = ({ request: { method, path, query }, role }: Exchange): string =>
  JSON.stringify([method, path, query, role]);

/** Kinds of findings that are another violation also at an endpoint where a requirement was violated otherwise. */
export const WORSE: readonly unknown[] = ['let-in', 'crashed', 'server-error', 'script-tags'];

/**
 * How a known violation got worse: findings at an endpoint where the earlier run asked the same and had none, or none of a key
 * or value let in, or of a server error. The limiter (§8) counts by key, whatever is requested: there, findings of a check that
 * passed, as it is about other keys. Findings of earlier versions have no kind to compare.
 */
export function worseSince(before: Results) {
  const earlier = new Map(before.requirements.map((one) => [one.id, one]));
  const asked = new Set(before.exchanges.map(requestOf));
  const byId = ({ exchanges }: Results) => new Map(exchanges.map((one) => [one.id, one]));
  const exchangesBefore = byId(before);
  return (now: RequirementResult, after: Results): readonly ResultFinding[] => {
    const was = earlier.get(now.id);
    const old = was?.findings ?? [];
    if (was === undefined || old.some(({ kind }) => kind === undefined)) return [];
    const passed = checksOf(was).flatMap((one) => (one.outcome === 'passed' ? [one.title] : []));
    const broken = now.checks.filter(
      (one) => now.section === LIMITS && isViolated(one) && passed.includes(one.title),
    );
    const inBroken = new Set(broken.flatMap((one) => one.exchanges));
    const exchanges = byId(after);
    const [wayBefore, wayNow] = [waysIn(old, exchangesBefore), waysIn(now.findings, exchanges)];
    return now.findings.filter((finding) => {
      const { kind, endpoint, exchange } = finding;
      const sent = exchanges.get(exchange ?? '');
      const there = old.filter((one) => one.endpoint === endpoint);
      // Of a kind at an endpoint the first finding is always recorded, whoever else has more.
      const isKnown = WORSE.includes(kind)
        ? there.some((one) => one.kind === kind && [null, wayNow(finding)].includes(wayBefore(one)))
        : now.section === LIMITS || there.length > 0;
      const isNew = !isKnown && sent !== undefined && asked.has(requestOf(sent));
      return isNew || inBroken.has(exchange ?? '');
    });
  };
}

/** What decides which requests the checks of a run send. Works for unvalidated results, too. */
export const planOf = (
  profile: unknown,
  seed: unknown,
  settings?: { readonly maxRequests?: unknown; readonly fixtures?: unknown },
): string => JSON.stringify([profile, seed, settings?.maxRequests, settings?.fixtures]);

const checksIn = ({ requirements }: Results) =>
  requirements.flatMap(({ id, checks }) =>
    checks
      .filter(({ title }) => title !== ELSEWHERE)
      .map((check) => ({ ...check, of: id, key: keyOf(id, check) })),
  );

/**
 * The checks that sent the exchanges of a run: of those that judge an exchange, the one with the fewest, since some judge all
 * of them. Of several such checks, one whose requirement is not in `leftOut`.
 */
function askersIn(results: Results, leftOut: ReadonlySet<string> = new Set()) {
  const last = checksIn(results).toSorted(
    (a, b) =>
      b.exchanges.length - a.exchanges.length ||
      Number(leftOut.has(b.of)) - Number(leftOut.has(a.of)),
  );
  return new Map(last.flatMap((check) => check.exchanges.map((id) => [id, check])));
}

/**
 * Why a later run cannot show a violation that an earlier one found: it left out the requirement, or the checks whose requests
 * showed it (`--only`, `--skip`), or one of these requests is now answered with a server error.
 */
export function hindranceSince(before: Results, after: Results) {
  const leftOut = new Set(after.requirements.filter(isLeftOut).map(({ id }) => id));
  const askers = askersIn(before, leftOut);
  const asked = new Map(before.exchanges.map((one) => [one.id, requestOf(one)]));
  const again = groupBy(after.exchanges, requestOf);
  const findings = new Map(before.requirements.map((one) => [one.id, one.findings]));
  return ({ id, follows = [] }: RequirementResult): 'left out' | 'server error' | null => {
    const isOut = (exchange: string): boolean => leftOut.has(askers.get(exchange)?.of ?? '');
    const sent = (exchange: string) => again.get(asked.get(exchange) ?? '') ?? [];
    const shown = findings.get(id)?.map(({ exchange }) => exchange ?? '') ?? [];
    const isAway = shown.some(isOut) && shown.every((one) => isOut(one) || sent(one).length > 0);
    if (leftOut.has(id) || isAway) return 'left out';
    const isCrashed =
      shown.flatMap(sent).some(({ response }) => (response?.status ?? 0) >= 500) ||
      follows.some((one) => knownAbout(one).explains === 'server errors');
    return isCrashed ? 'server error' : null;
  };
}

const keyOf = (id: string, { title }: CheckResult): string => JSON.stringify([id, title]);

/** Where a finding stands. */
type Place = Pick<ResultFinding, 'exchange' | 'pointer' | 'header'>;
const NOWHERE: Place = { exchange: null, pointer: null };

/** Identifies a request but for its times and ids, which move with the data. The limiter counts by key, whatever is requested. */
function likeOf(exchange: Exchange, { section }: RequirementResult): string {
  const { endpoint, request, role } = exchange;
  if (section === LIMITS) return role;
  const known = endpoint === null ? {} : factsOf(endpoint).query;
  const isTime = (name: string): boolean => ['timestamp', 'date'].includes(known[name]?.type ?? '');
  const query = request.query.map(([name, value]) => [name, isTime(name) ? null : value] as const);
  return JSON.stringify([request.method, endpoint ?? request.path, query, role]);
}

/**
 * The exchanges of a later run which show that a violation of an earlier one is gone: every request with a finding was
 * answered again, or in a run of the same plan its check sent it with other times or ids, and nothing is wrong with the answer. Null
 * when the later run passes without that.
 */
export function fixesSince(before: Results, after: Results) {
  const earlier = new Map(before.requirements.map((one) => [one.id, one]));
  const asked = new Map(before.exchanges.map((one) => [one.id, one]));
  const answered = after.exchanges.filter(({ response }) => response !== null);
  const again = groupBy(answered, requestOf);
  const wrong = new Set(
    after.requirements.flatMap((one) => one.findings).map((one) => one.exchange),
  );
  const askers = askersIn(before);
  const plan = ({ profile, seed, settings }: Results): string => planOf(profile, seed, settings);
  const isSamePlan = plan(before) === plan(after);
  const judgedNow = new Map(
    checksIn(after).flatMap((one) => (isSamePlan && isJudged(one) ? [[one.key, one]] : [])),
  );

  return (now: RequirementResult): readonly string[] | null => {
    const old = earlier.get(now.id);
    if (old === undefined || !showsFixed(now, after)) return null;

    const shownFor = ({ exchange: id, pointer, header = STATUS }: Place) => {
      if (id === null) {
        // A finding without a request is about the violated checks as a whole.
        const red = old.checks.filter(isViolated);
        const checks = red.flatMap((check) => judgedNow.get(keyOf(old.id, check)) ?? []);
        return red.length > 0 && checks.length === red.length
          ? checks.flatMap(({ exchanges }) => exchanges.slice(0, 1))
          : null;
      }
      const request = asked.get(id);
      if (request === undefined) return null;
      const same = again.get(requestOf(request)) ?? [];
      const check = judgedNow.get(askers.get(id)?.key ?? '');
      // Which requests the limiter refuses is chance: any refusal shows what its refusals contain.
      const isOfPart = pointer !== null || header !== STATUS;
      const isRefusal = now.section === LIMITS && isOfPart && request.response?.status === 429;
      // The limiter refuses in the same way whatever else is wrong in what it says.
      const isRight = ({ id: at }: Exchange): boolean =>
        !wrong.has(at) || (now.section === LIMITS && now.exchanges.includes(at));
      const like = answered.filter(({ id: at, response }) =>
        isRefusal
          ? response?.status === 429 && now.exchanges.includes(at)
          : check?.exchanges.includes(at),
      );
      const answer =
        same.find((one) => now.exchanges.includes(one.id)) ??
        same.find(({ response }) => response?.status === request.response?.status) ??
        like.find((one) => isRight(one) && likeOf(one, now) === likeOf(request, now));
      return answer === undefined ? null : [answer.id];
    };

    const shown = (old.findings.length === 0 ? [NOWHERE] : old.findings).map(shownFor);
    return shown.includes(null) ? null : [...new Set(shown.flatMap((ids) => ids ?? []))];
  };
}
