import { REQUIREMENTS, requirementOf, type Requirement } from '../requirements/catalogue.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { KEY_ROLES, numberOf, type Exchange } from '../spec/exchange.ts';
import type { Target } from '../target/target.ts';
import { isLeftOut, NO_DATA, notSelected, type UntestedCause } from '../spec/cause.ts';
import type { Finding } from '../spec/finding.ts';
import { UNDECIDED } from '../spec/limits.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import { byQuestion, summaryOf, type Judgement, type Reading } from '../judge/judgement.ts';
import { isAlive } from '../judge/origin/recognition.ts';
import type { Profile } from '../ask/profiles.ts';
import { judgeAll } from '../requirements/judging.ts';
import { hindrancesOf, violatedIn } from '../requirements/hindrances.ts';
import type {
  CheckResult,
  Outcome,
  ReadingResult,
  RequirementResult,
  ResultFinding,
} from '../report/model/results.ts';
import { groupBy } from '../text/group-by.ts';
import type { CheckRecord, Collector } from './collect.ts';

/** What a run has collected. */
export type Evidence = Pick<Collector, 'checks' | 'exchanges' | 'session'>;

/**
 * The results of a run before the verdict: combines the outcomes of checks with a judgement of all exchanges. A check judges its requirement on the exchanges it
 * asked for; the rules then judge every exchange, and their findings count, too.
 */
export function assemble(
  { checks, exchanges, session }: Evidence,
  judgement: Judgement = judgeAll(exchanges, session?.facts ?? DEFAULT_FACTS),
) {
  const byRequirement = groupBy(checks, ({ meta }) => meta.requirement);
  const found = groupBy(
    checks.flatMap(({ meta }) => meta.findings ?? []),
    ({ requirement }) => requirement,
  );
  const { fatal = null, facts = DEFAULT_FACTS } = session ?? {};
  const alive = fatal?.code !== 'ASSAY_NOT_THIS_SERVICE' && isAlive(exchanges, facts);
  const requirements = REQUIREMENTS.map((requirement) => {
    const { id } = requirement;
    const own = byRequirement.get(id) ?? [];
    const result = resultOf(requirement, own, found.get(id) ?? [], judgement);
    if (alive) return result;
    // Without any answer of the service, nothing is a violation: there may be no service (ruling 23).
    const { outcome } = result;
    const accuses = outcome === 'failed' || outcome === 'warned';
    if (outcome === 'passed') return { ...result, ...NOT_ALIVE };
    return accuses && fatal !== null ? { ...result, ...NOT_ALIVE, findings: [] } : result;
  });
  const ofChecks = checks.flatMap(({ meta }) => meta.readings ?? []);
  return {
    requirements: requirements.map(({ hinderedBy = [], ...result }): RequirementResult => ({
      ...result,
      ...violatedIn([...hinderedBy, ...hindrancesOf(result, requirements)], requirements),
    })),
    readings: readingsOf([...judgement.readings, ...ofChecks]),
  };
}

/**
 * What a check that smoke left out may find, where the others lacked data. Larger profiles leave out little, and most of
 * that shows nothing on the data of the day.
 */
export const withLeftOut = (
  profile: Profile,
  requirements: readonly RequirementResult[],
  target?: Pick<Target, 'envelope'> | null,
): readonly RequirementResult[] =>
  requirements.map((one) => {
    if (profile !== 'smoke' || one.cause?.kind !== 'data' || one.follows !== undefined) return one;
    // What the setting hides, larger profiles do not see either.
    const { explains } = requirementOf(one.id as RequirementId);
    if (explains === 'wrapped bodies' && target?.envelope != null) return one;
    const left = one.checks.find((check) => check.cause?.kind === 'not-selected');
    return left === undefined
      ? one
      : { ...one, cause: left.cause ?? null, reason: left.reason ?? null };
  });

/** Replaces passes on a target that never answered like an implementation. */
const NOT_ALIVE = {
  outcome: 'inconclusive',
  reason:
    'no response to a request with a valid key contains data of the service, so nothing can pass',
  cause: null,
} as const;

/** Causes by priority: the first one says best what would make the requirement testable. */
const CAUSES: readonly UntestedCause['kind'][] = [
  'setting',
  'data',
  'time',
  'not-selected',
  'unseen',
];

/** The result of a requirement that was not judged. */
export const untested = (
  { id, level, basis, section, title }: Requirement,
  reason: string | null,
  cause: UntestedCause,
): RequirementResult => ({
  id,
  level,
  basis,
  section,
  title,
  outcome: 'untested',
  reason,
  cause,
  reading: null,
  findings: [],
  checks: [],
  exchanges: [],
});

function resultOf(
  requirement: Requirement,
  checks: readonly CheckRecord[],
  found: readonly Finding[],
  judgement: Judgement,
): RequirementResult & Pick<End, 'hinderedBy'> {
  const selected = checks.some(({ outcome }) => !isLeftOut(outcome));
  const passive = selected ? judgement.requirements.get(requirement.id) : undefined;
  const findings = uniqueFindings([...(selected ? found : []), ...(passive?.findings ?? [])]);
  // Checks may have recorded findings that the judgement of everything dropped.
  const { total = 0, findings: recorded = [], dropped = [] } = passive ?? {};
  const isCut = total > recorded.length && total > findings.length;
  const shown = new Set(findings.map(({ exchange }) => exchange));
  const exchanges = new Set([
    ...checks.flatMap(({ meta }) => meta.judged ?? []),
    ...(passive?.exchanges ?? []),
  ]);
  return {
    ...untested(requirement, null, NO_DATA),
    ...endOf(requirement, checks, selected ? judgement : undefined, findings),
    findings,
    ...(isCut && { total, unrecorded: [...dropped].filter((id) => !shown.has(id)) }),
    checks: checks.map(checkResult),
    exchanges: [...exchanges].toSorted(byNumber),
  };
}

type End = Pick<RequirementResult, 'outcome' | 'reason' | 'cause' | 'reading'> &
  Pick<CheckRecord['outcome'], 'hinderedBy'>;

/**
 * The outcome of a requirement, by priority: a finding; an internal error; a missing answer from target or network;
 * clean evidence from any exchange; untested, with the most useful cause.
 */
function endOf(
  { id, level }: Requirement,
  checks: readonly CheckRecord[],
  judgement: Judgement | undefined,
  findings: readonly ResultFinding[],
): End {
  const first = (kind: Outcome) => checks.find(({ outcome }) => outcome.kind === kind)?.outcome;
  const end = (outcome: Outcome, reason: string | null, more: Partial<End> = {}): End => ({
    outcome,
    reason,
    cause: null,
    reading: null,
    ...more,
  });
  const red = first('failed') ?? first('warned');
  if (red !== undefined || findings.length > 0) {
    const reason = red?.reason ?? findings[0]?.message ?? null;
    return end(level === 'must' ? 'failed' : 'warned', reason);
  }
  const error = first('error')?.reason ?? judgement?.broken.get(id);
  if (error !== undefined) return end('error', error);
  const withheld = first('inconclusive');
  if (withheld !== undefined) return end('inconclusive', withheld.reason, withheldBy(withheld));
  if (level === 'observe') {
    const seen =
      first('observed')?.reason ??
      summaryOf((judgement?.readings ?? []).filter(({ requirement }) => requirement === id));
    if (seen !== null) return end('observed', seen, { reading: seen });
  } else {
    const judged = judgement?.requirements.get(id)?.exchanges.size ?? 0;
    if (judged > 0 || first('passed') !== undefined) return end('passed', null);
  }
  const isOfLarger = checks.some(
    ({ outcome: { cause } }) => cause?.kind === 'not-selected' && cause.profile !== undefined,
  );
  for (const kind of CAUSES) {
    const best = checks.find(({ outcome }) => outcome.cause?.kind === kind)?.outcome;
    // A larger profile needs no key that only one of the checks needs.
    if (isOfLarger && best?.cause?.kind === 'setting' && isOfKey(best.cause.setting)) continue;
    if (best?.cause !== undefined) {
      return end('untested', best.reason, { cause: best.cause, ...withheldBy(best) });
    }
  }
  return checks.length === 0
    ? end('untested', 'no check covers it yet', { cause: notSelected('profile') })
    : end('untested', 'the target has no data to judge it by', { cause: NO_DATA });
}

const isOfKey = (setting: string): boolean => KEY_ROLES.some((role) => setting === `keys.${role}`);

const withheldBy = ({ hinderedBy = [] }: CheckRecord['outcome']): Pick<End, 'hinderedBy'> =>
  hinderedBy.length === 0 ? {} : { hinderedBy };

function checkResult({ meta, outcome, ms }: CheckRecord): CheckResult {
  return {
    title: meta.check,
    outcome: outcome.kind,
    reason: outcome.reason,
    ...(outcome.cause === undefined ? {} : { cause: outcome.cause }),
    exchanges: meta.judged ?? [],
    ms: Math.round(ms),
  };
}

const byNumber = (a: string, b: string): number => numberOf(a) - numberOf(b);

/**
 * Removes duplicate findings. A rule and the property that generated the request may report the same; the first one is
 * kept, with the replay path of the other.
 */
export function uniqueFindings(findings: readonly Finding[]): ResultFinding[] {
  const seen = new Map<string, ResultFinding>();
  for (const { requirement: _of, replay = null, ...finding } of findings) {
    const { kind, facts, expected, actual, pointer, exchange } = finding;
    const key = JSON.stringify([kind, facts, expected, actual, pointer, exchange]);
    const known = seen.get(key) ?? { ...finding, replay };
    seen.set(key, known.replay === null ? { ...known, replay } : known);
  }
  return [...seen.values()];
}

/**
 * One row per question; several answers mean that the target mixes readings.
 * @param counted false when not all readings were kept, so that counts would be too low
 */
export function readingsOf(readings: readonly Reading[], counted = true): ReadingResult[] {
  // Where one key shows it, others need not.
  const isTold = new Set(
    readings.filter(({ answer }) => answer !== UNDECIDED).map(({ question }) => question),
  );
  const told = readings.filter((one) => one.answer !== UNDECIDED || !isTold.has(one.question));
  return byQuestion(told).map(({ question, about, answers }) => ({
    question,
    ...(about && { about }),
    answer: [...answers.keys()].join(' / '),
    mixed: answers.size > 1,
    exchanges: [...answers.values()].flatMap((ids) => [...ids].slice(0, 3)),
    ...(answers.size > 1 && {
      forms: [...answers].map(([answer, ids]) => ({ answer, count: counted ? ids.size : null })),
    }),
  }));
}

/** Distinct exchanges in the order sent. */
export function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return [...byId.values()].toSorted((a, b) => byNumber(a.id, b.id));
}
