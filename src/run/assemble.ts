import { REQUIREMENTS, type Requirement } from '../contract/requirements.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Finding } from '../contract/finding.ts';
import { DEFAULT_FACTS } from '../rules/facts.ts';
import type { Judgement, Reading } from '../rules/judgement.ts';
import { isAlive } from '../rules/liveness.ts';
import { judgeAll } from '../rules/rules.ts';
import type {
  CheckResult,
  Outcome,
  ReadingResult,
  RequirementResult,
  ResultFinding,
} from '../report/results.ts';
import type { CheckRecord, Collector } from './collect.ts';

/** Everything that a run found, before the verdict. */
export interface Assembled {
  readonly requirements: readonly RequirementResult[];
  readonly readings: readonly ReadingResult[];
}

/**
 * Puts checks and the passive judgement of every exchange together. A check says how its requirement came out on the
 * exchanges it asked for; the rules then look at all exchanges, whoever asked for them, and what they find counts too.
 */
export function assemble(collector: Collector): Assembled {
  const facts = collector.session?.facts ?? DEFAULT_FACTS;
  const judgement = judgeAll(collector.exchanges, facts);
  const byRequirement = groupChecks(collector.checks);
  const alive = isAlive(collector.exchanges, facts);
  const requirements = REQUIREMENTS.map((requirement) => {
    const result = resultOf(requirement, byRequirement.get(requirement.id) ?? [], judgement);
    return alive || result.outcome !== 'passed' ? result : { ...result, ...NOT_ALIVE };
  });
  const readings = readingsOf([
    ...judgement.readings,
    ...collector.checks.flatMap(({ meta }) => meta.readings ?? []),
  ]);
  return { requirements, readings };
}

/** What becomes of a pass on a target that never showed itself to be an implementation. */
const NOT_ALIVE = {
  outcome: 'inconclusive',
  reason:
    'no answer to a valid key was one that the service would give, so nothing can be said to hold',
} as const;

function groupChecks(checks: readonly CheckRecord[]): Map<string, CheckRecord[]> {
  const groups = new Map<string, CheckRecord[]>();
  for (const check of checks) {
    const { requirement } = check.meta;
    groups.set(requirement, [...(groups.get(requirement) ?? []), check]);
  }
  return groups;
}

/** Of several checks, the outcome that says most against a pass; untested ones weigh nothing beside others. */
const WEIGHT: readonly Outcome[] = [
  'failed',
  'warned',
  'error',
  'inconclusive',
  'passed',
  'observed',
  'untested',
];

function resultOf(
  requirement: Requirement,
  checks: readonly CheckRecord[],
  judgement: Judgement,
): RequirementResult {
  const passive = judgement.requirements.get(requirement.id);
  const selected = checks.some(({ outcome }) => !isLeftOut(outcome));
  const passiveFindings = selected ? (passive?.findings ?? []) : [];
  const findings = uniqueFindings([
    ...checks.flatMap(({ meta }) => meta.findings ?? []),
    ...passiveFindings,
  ]);
  const worst = WEIGHT.map((kind) => checks.find(({ outcome }) => outcome.kind === kind)).find(
    (check) => check !== undefined,
  );
  let outcome: Outcome = worst?.outcome.kind ?? 'untested';
  let reason = worst?.outcome.reason ?? (worst === undefined ? 'no check covers it yet' : null);
  if (passiveFindings.length > 0 && outcome !== 'failed' && outcome !== 'warned') {
    outcome = requirement.level === 'must' ? 'failed' : 'warned';
    reason = passiveFindings[0]?.message ?? null;
  }
  const exchanges = new Set([
    ...checks.flatMap(({ meta }) => meta.judged ?? []),
    ...(selected ? (passive?.exchanges ?? []) : []),
  ]);
  return {
    id: requirement.id,
    level: requirement.level,
    basis: requirement.basis,
    section: requirement.section,
    title: requirement.title,
    outcome,
    reason,
    reading: requirement.level === 'observe' && outcome === 'observed' ? reason : null,
    findings,
    checks: checks.map(checkResult),
    exchanges: [...exchanges].toSorted(byNumber),
  };
}

function isLeftOut(outcome: CheckRecord['outcome']): boolean {
  return outcome.kind === 'untested' && outcome.reason?.startsWith('left out by --') === true;
}

function checkResult({ meta, outcome, ms }: CheckRecord): CheckResult {
  return {
    title: meta.check,
    outcome: outcome.kind,
    reason: outcome.reason,
    exchanges: meta.judged ?? [],
    ms: Math.round(ms),
  };
}

const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));

/** Each finding once. */
export function uniqueFindings(findings: readonly Finding[]): ResultFinding[] {
  const seen = new Map<string, ResultFinding>();
  for (const { message, expected, actual, pointer, exchange } of findings) {
    const key = JSON.stringify([message, expected, actual, pointer, exchange]);
    if (!seen.has(key)) seen.set(key, { message, expected, actual, pointer, exchange });
  }
  return [...seen.values()];
}

/** One row a question; several answers mean that the target mixes readings. */
export function readingsOf(readings: readonly Reading[]): ReadingResult[] {
  const byQuestion = new Map<string, Map<string, Set<string>>>();
  for (const { question, answer, exchange } of readings) {
    const answers = byQuestion.get(question) ?? new Map<string, Set<string>>();
    byQuestion.set(question, answers);
    answers.set(answer, (answers.get(answer) ?? new Set()).add(exchange));
  }
  return [...byQuestion].map(([question, answers]) => ({
    question,
    answer: [...answers.keys()].join(' / '),
    mixed: answers.size > 1,
    exchanges: [...answers.values()].flatMap((ids) => [...ids].slice(0, 3)),
  }));
}

/** The exchanges in the order sent, each once. */
export function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return [...byId.values()].toSorted((a, b) => byNumber(a.id, b.id));
}
