import { LIMIT_ENFORCED, REMAINING_DECREMENTS } from '../../requirements/catalogue.ts';
import type { Level } from '../../spec/levels.ts';
import { RATE_HEADERS } from '../../spec/limits.ts';
import { clause, cut, plural } from '../../text/text.ts';
import { reachedVerdict } from './gate.ts';
import type { CheckResult, Outcome, RequirementResult, Results } from './results.ts';

/**
 * The kind of a run, which decides how its reports begin: `load` when only load scenarios ran, `unjudged` when it stopped before
 * anything was judged (another service, no response, no working key), and `suite` when something was.
 */
export function kindOf({ profile, verdict, requirements, stoppedEarly }: Results) {
  if (profile === 'load') return 'load';
  if (verdict === 'interrupted') return 'interrupted';
  const judged = requirements.some((one) => one.level !== 'observe' && isJudged(one));
  return stoppedEarly === true && !judged && !reachedVerdict(verdict) ? 'unjudged' : 'suite';
}

type Found = Exclude<Outcome, 'waived'>;

/** The states of test report formats. */
export type GateState = 'passed' | 'failed' | 'error' | 'skipped';

/** The state of an outcome; `passed` for the others. */
const STATES: Readonly<Partial<Record<Outcome, GateState>>> = {
  failed: 'failed',
  inconclusive: 'error',
  untested: 'skipped',
  waived: 'skipped',
  error: 'error',
};

/** What became of a requirement or a check. */
type Decided = Pick<RequirementResult, 'outcome' | 'waived'> & { readonly level?: Level };

/** The judged outcome of a requirement, without waivers. Earlier versions did not record it. */
export function foundOf({ outcome, waived, level }: Decided): Found {
  if (outcome !== 'waived') return outcome;
  const was = waived?.outcome ?? 'waived';
  if (was !== 'waived') return was;
  return level === 'should' ? 'warned' : 'failed';
}

/** True when the requirement is violated or warned, waived or not. */
export const isViolated = (one: Decided): boolean => ['failed', 'warned'].includes(foundOf(one));

/** True when the requirement was judged. */
export const isJudged = (one: Decided): boolean =>
  isViolated(one) || one.outcome === 'passed' || one.outcome === 'observed';

/** True for a waived violation or warning. */
export const isWaivedViolation = (one: Decided): boolean =>
  one.outcome === 'waived' && isViolated(one);

/** `waived until 2026-12-01 by Jo (fixed in release 12)`. Results of earlier versions do not list waivers. */
export function waivedWords({ id, reason }: RequirementResult, { waivers }: Results): string {
  const waiver = waivers?.find((one) => one.id === id && one.state === 'applied');
  if (waiver === undefined) return `waived: ${reason ?? NO_REASON}`;
  return `waived until ${waiver.expires} by ${waiver.owner} (${cut(waiver.reason, 200)})`;
}

/** The exchanges that a requirement was judged on, those that violate it first. */
export function shownBy({
  findings,
  exchanges,
  unrecorded = [],
}: Pick<RequirementResult, 'findings' | 'exchanges' | 'unrecorded'>): readonly string[] {
  const against = findings.flatMap(({ exchange }) => exchange ?? []);
  return [...new Set([...against, ...unrecorded, ...exchanges])];
}

/** Title of what stands in {@link checksOf} for the checks of other requirements. */
export const ELSEWHERE = 'in responses to requests of other checks';

/**
 * The checks of a requirement for display: one whose responses have findings has not passed, whoever found them, and what
 * no check of its own shows was shown elsewhere.
 */
export function checksOf(requirement: RequirementResult): readonly CheckResult[] {
  const { checks, findings, outcome } = requirement;
  if (!isViolated(requirement)) {
    const isOwn = checks.length === 0 || checks.some((one) => one.outcome === outcome);
    if (isOwn || !isJudged(requirement)) return checks;
    const { reason, exchanges } = requirement;
    return [{ title: ELSEWHERE, outcome, reason, exchanges, ms: 0 }, ...checks];
  }
  const against = new Map(findings.flatMap((one) => (one.exchange ? [[one.exchange, one]] : [])));
  const asked = new Set(checks.flatMap(({ exchanges }) => exchanges));
  const own = checks.map((check): CheckResult => {
    const id = check.exchanges.find((one) => against.has(one));
    if (id === undefined || isViolated(check)) return check;
    const { cause: _untested, ...judged } = check;
    return { ...judged, outcome, reason: against.get(id)?.message ?? null };
  });
  const elsewhere = [...against.keys()].filter((id) => !asked.has(id));
  if (elsewhere.length === 0 && own.some(isViolated)) return own;
  const reason = against.get(elsewhere[0] ?? '')?.message ?? violationOf(requirement);
  return [{ title: ELSEWHERE, outcome, reason, exchanges: elsewhere, ms: 0 }, ...own];
}

/** The violation of a requirement in the words of its first finding. */
export const violationOf = ({ findings, reason, waived, title }: RequirementResult): string =>
  findings[0]?.message ?? waived?.reason ?? reason ?? title;

const againstBaseline = (id: string, { gate }: Results): Against | null =>
  (Object.keys(AGAINST) as Against[]).find((one) => gate?.[AGAINST[one][0]]?.includes(id)) ?? null;

function stateOf(
  { id, level, outcome }: RequirementResult,
  baseline: Against | null,
  { failing = [], ...results }: Results,
): GateState {
  // Only a must that is inconclusive decides the exit code.
  if (baseline === 'known' || (outcome === 'inconclusive' && level !== 'must')) return 'skipped';
  // When nothing was judged, the case of the run fails, not 300 requirements.
  const kind = kindOf(results);
  const state = STATES[outcome] ?? 'passed';
  if (state === 'error' && (kind === 'unjudged' || kind === 'interrupted'))
    return outcome === 'error' ? 'error' : 'skipped';
  // Broken waivers and outdated baselines have separate cases.
  const fails = failing.some(
    (one) =>
      one.id === id && one.why !== 'waiver' && (one.why !== 'baseline' || baseline === 'new'),
  );
  return fails && state !== 'error' ? 'failed' : state;
}

/** How much a requirement was judged on: responses that are kept, or what the scenarios of a load run judged. */
function depthWords({ id, exchanges }: RequirementResult, { load }: Results): string {
  if (exchanges.length > 0) return ` on ${plural(exchanges.length, 'response')}`;
  const own = load.flatMap(({ requirements }) => requirements.filter((one) => one.id === id));
  const judged = own.reduce((sum, one) => sum + one.judged, 0);
  return judged === 0 ? '' : ` in ${plural(judged, 'judgement')} under load`;
}

export const NO_REASON = 'no reason recorded';

/** What was found, with how much a pass or an observation was judged on. */
function wordsOf(requirement: RequirementResult, found: Found, results: Results): string {
  const { waived, reason } = requirement;
  const isKept = found === 'passed' || found === 'observed';
  const words = `${FOUND_WORDS[found]}${isKept ? depthWords(requirement, results) : ''}`;
  if (found === 'passed') return words;
  const why = clause(waived?.reason || reason || NO_REASON);
  return `${words}: ${isViolated(requirement) ? violationOf(requirement) : why}`;
}

export const FOUND_WORDS: Readonly<Record<Found, string>> = {
  passed: 'passed',
  observed: 'observed',
  failed: 'violated',
  warned: 'warned',
  inconclusive: 'could not be judged',
  untested: 'untested',
  error: 'bug in Assay',
};

/** How a requirement that is violated now or in the baseline stands to it: the list of the gate that has it, and in words. */
const AGAINST = {
  new: ['regressions', 'not in the baseline, or worse than in it; '],
  known: ['known', 'as in the baseline; '],
  fixed: ['unexpectedPasses', 'fixed since the baseline; '],
  hidden: ['hidden', 'in the baseline, what failed is hidden by a server error; '],
  stale: ['stale', 'in the baseline, not all that failed was judged again; '],
} as const;
type Against = keyof typeof AGAINST;

/** The status of a requirement: outcome, waiver, baseline and kind of run, combined once for every format, and in one sentence. */
export function statusOf(requirement: RequirementResult, results: Results) {
  const found = foundOf(requirement);
  const baseline = againstBaseline(requirement.id, results);
  const waived = requirement.outcome === 'waived' ? `${waivedWords(requirement, results)}; ` : '';
  return {
    found,
    baseline,
    state: stateOf(requirement, baseline, results),
    words: `${waived}${baseline === null ? '' : AGAINST[baseline][1]}${wordsOf(requirement, found, results)}`,
  };
}

/** Musts by status: `open` are violated and not waived, `unjudged` neither verified nor violated. */
export function tallyOf(requirements: readonly RequirementResult[]) {
  const musts = requirements.filter(({ level }) => level === 'must');
  const verified = musts.filter(({ outcome }) => outcome === 'passed').length;
  const open = musts.filter(({ outcome }) => outcome === 'failed').length;
  const waived = musts.filter(isWaivedViolation).length;
  const unjudged = musts.length - verified - open - waived;
  return { musts: musts.length, verified, open, waived, unjudged };
}

/** The outcome for judging purposes: a waived violation is `waived`, a waived gap was not judged. */
export const outcomeOf = ({ outcome, waived }: Decided): Outcome =>
  outcome === 'waived' && waived !== undefined && isGap(waived.outcome) ? waived.outcome : outcome;

/** True for outcomes without evidence about the target. */
export const isGap = (outcome: Outcome): boolean =>
  outcome === 'inconclusive' || outcome === 'untested';

/** True when a requirement can be waived. Of untested ones, only those that lack data: the others have a setting. */
export function isWaivable({
  outcome,
  cause,
}: Pick<RequirementResult, 'outcome' | 'cause'>): boolean {
  if (outcome === 'untested') return cause?.kind === 'data';
  return outcome === 'failed' || outcome === 'warned' || outcome === 'inconclusive';
}

/** False for a pass that cannot show that an earlier violation is gone: the defect could not show, or shows elsewhere. */
export function showsFixed({ id, exchanges }: RequirementResult, results: Results): boolean {
  if (id !== REMAINING_DECREMENTS) return true;
  const limiter = results.requirements.find((one) => one.id === LIMIT_ENFORCED);
  if (limiter?.outcome === 'passed') return true;
  if (limiter !== undefined && isViolated(limiter)) return false;
  const judged = new Set(exchanges);
  return results.exchanges.some(
    (one) => judged.has(one.id) && one.response?.headers[RATE_HEADERS.remaining] === '0',
  );
}
