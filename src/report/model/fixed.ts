import { groupBy } from '../../text/group-by.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { CheckResult, RequirementResult, Results } from './results.ts';
import { ELSEWHERE, isJudged, isViolated, showsFixed } from './status.ts';

const RANGE_ENDS = ['start_date', 'end_date', 'start_time', 'end_time'];
const RANGE_END = /^(?:\d{4}-\d{2}-\d{2}|\d{13})$/;

/** A valid end of a range, epoch ms; null for other parameters. */
function rangeEnd(name: string, value: string): number | null {
  if (!RANGE_ENDS.includes(name) || !RANGE_END.test(value)) return null;
  const time = value.includes('-') ? Date.parse(value) : Number(value);
  return Number.isNaN(time) ? null : time;
}

/** Identifies a request on any day: the ends of a range move with the day, so only their order counts, now included. */
function requestOf({ request: { method, path, query }, role, sentAt }: Exchange): string {
  const ends = query.flatMap(([name, value]) => rangeEnd(name, value) ?? []);
  const inOrder = [...ends, sentAt].toSorted((a, b) => a - b);
  const parameters = query.map(([name, value]) => {
    const end = rangeEnd(name, value);
    return [name, end === null ? value : inOrder.indexOf(end)];
  });
  return JSON.stringify([method, path, role, parameters]);
}

/** What decides which requests the checks of a run send. Works for unvalidated results, too. */
export function planOf({
  profile,
  seed,
  settings,
}: {
  readonly profile?: unknown;
  readonly seed?: unknown;
  readonly settings?: { readonly maxRequests?: unknown; readonly fixtures?: unknown } | undefined;
}): string {
  return JSON.stringify([profile, seed, settings?.maxRequests, settings?.fixtures]);
}

const LIMITED = 429;

/** A check with its requirement. */
interface OwnedCheck extends Pick<CheckResult, 'exchanges'> {
  readonly key: string;
}

const checksIn = ({ id, checks }: RequirementResult): readonly OwnedCheck[] =>
  checks
    .filter(({ title }) => title !== ELSEWHERE)
    .map(({ title, exchanges }) => ({ key: JSON.stringify([id, title]), exchanges }));

/** The check that each exchange belongs to: the one with the fewest exchanges, since some judge all of them. */
function askersIn({ requirements }: Results): ReadonlyMap<string, OwnedCheck> {
  const widestFirst = requirements
    .flatMap(checksIn)
    .toSorted((a, b) => b.exchanges.length - a.exchanges.length);
  return new Map(widestFirst.flatMap((one) => one.exchanges.map((id) => [id, one] as const)));
}

/**
 * The exchanges of a later run which show that a violation of an earlier one is gone: every request with a finding was
 * answered again, or its check judged again in a run of the same plan. Null when the later run passes without that.
 */
export function fixesSince(
  before: Results,
  after: Results,
): (now: RequirementResult) => readonly string[] | null {
  const earlier = new Map(before.requirements.map((one) => [one.id, one]));
  const asked = new Map(before.exchanges.map((one) => [one.id, one]));
  const askers = askersIn(before);
  const again = groupBy(after.exchanges, requestOf);
  const limited = after.exchanges.filter(({ response }) => response?.status === LIMITED);
  const isSamePlan = planOf(before) === planOf(after);
  const checksNow = new Map(
    after.requirements
      .map((one) => ({ ...one, checks: isSamePlan ? one.checks.filter(isJudged) : [] }))
      .flatMap(checksIn)
      .map(({ key, exchanges }) => [key, exchanges]),
  );

  /** An answer to the same request that was judged, or is of the same kind. The limiter counts by key, not by request. */
  function answerTo(old: Exchange, judged: ReadonlySet<string>): string | undefined {
    const status = old.response?.status;
    const ofLimiter = status === LIMITED ? limited.filter(({ role }) => role === old.role) : [];
    const same = [...(again.get(requestOf(old)) ?? []), ...ofLimiter];
    const best =
      same.find(({ id, response }) => response !== null && judged.has(id)) ??
      same.find(({ response }) => response !== null && response.status === status);
    return best?.id;
  }

  return (now) => {
    const old = earlier.get(now.id);
    if (old === undefined || !showsFixed(now, after)) return null;
    const judged = new Set(now.exchanges);
    const findings = old.findings.length === 0 ? [{ exchange: null }] : old.findings;
    const shown = findings.map(({ exchange }): readonly string[] | null => {
      const request = asked.get(exchange ?? '');
      const answer = request && answerTo(request, judged);
      if (answer !== undefined) return [answer];
      // A finding without a request is about the violated checks as a whole.
      const own = old.checks.filter((one) =>
        exchange === null ? isViolated(one) : one.exchanges.includes(exchange),
      );
      const asker = askers.get(exchange ?? '');
      const checks = checksIn({ ...old, checks: own });
      const wanted = checks.length === 0 && asker !== undefined ? [asker] : checks;
      return wanted.length > 0 && wanted.every(({ key }) => checksNow.has(key))
        ? wanted.flatMap(({ key }) => checksNow.get(key)?.slice(0, 1) ?? [])
        : null;
    });
    return shown.includes(null) ? null : [...new Set(shown.flatMap((ids) => ids ?? []))];
  };
}
