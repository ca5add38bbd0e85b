import { jsonText } from '../../text/json-text.ts';
import { durationOf, failingIds, gateState, reachedNoVerdict, reasonText } from '../model/gate.ts';
import type { GateState } from '../model/gate.ts';
import { bySection } from '../model/labels.ts';
import type { BaselineGate, RequirementResult, Results } from '../model/results.ts';
import { oneLine } from '../../text/text.ts';
import { byNeed, isBroken, waiverWords } from '../model/waiver-words.ts';

/** States of a test in CTRF. */
type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

interface CtrfTest {
  readonly name: string;
  readonly status: CtrfStatus;
  readonly duration: number;
  readonly suite: readonly string[];
  readonly message?: string;
  readonly rawStatus: string;
  readonly tags: readonly string[];
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A requirement that could not be judged is "other" here: neither a pass nor a violation. */
const STATUS: Readonly<Record<GateState, CtrfStatus>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'other',
  skipped: 'skipped',
};

function requirementTest(
  requirement: RequirementResult,
  failing: ReadonlySet<string>,
  gate: BaselineGate | undefined,
): CtrfTest {
  return {
    name: oneLine(`${requirement.id} ${requirement.title}`),
    status: STATUS[gateState(requirement, failing, gate)],
    duration: durationOf(requirement),
    suite: ['assay', `§${oneLine(requirement.section, 20)}`],
    ...(requirement.outcome === 'passed'
      ? {}
      : { message: oneLine(reasonText(requirement), 2000) }),
    rawStatus: requirement.outcome,
    tags: [requirement.level, requirement.basis],
    extra: {
      id: requirement.id,
      ...(requirement.reading === null ? {} : { reading: requirement.reading }),
      findings: requirement.findings,
      exchanges: requirement.exchanges,
    },
  };
}

function verdictTest(results: Results): CtrfTest {
  return {
    name: 'a verdict was reached',
    status: reachedNoVerdict(results) ? 'failed' : 'passed',
    duration: 0,
    suite: ['assay', 'run'],
    message: oneLine(results.sentence, 2000),
    rawStatus: results.verdict,
    tags: ['run'],
  };
}

/** The test that stands for the waiver file; null without one. */
function waiversTest({ waivers = [] }: Results): CtrfTest | null {
  if (waivers.length === 0) return null;
  const broken = byNeed(waivers).filter(isBroken);
  const words = broken.map((one) => `${one.id}: ${waiverWords(one)}. ${one.detail}`);
  return {
    name: 'every waiver holds',
    status: broken.length === 0 ? 'passed' : 'failed',
    duration: 0,
    suite: ['assay', 'run'],
    ...(broken.length === 0 ? {} : { message: oneLine(words.join(' '), 2000) }),
    rawStatus: broken.length === 0 ? 'held' : 'broken',
    tags: ['run'],
  };
}

function epoch(time: string): number {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? 0 : ms;
}

/** Renders a report in the Common Test Report Format: one test a requirement, and one for the run itself. */
export function renderCtrf(results: Results): string {
  const failing = failingIds(results);
  const sections = bySection(results.requirements);
  const tests = [
    verdictTest(results),
    ...[waiversTest(results)].filter((one) => one !== null),
    ...sections.flatMap(([, requirements]) =>
      requirements.map((requirement) => requirementTest(requirement, failing, results.gate)),
    ),
  ];
  const count = (status: CtrfStatus): number =>
    tests.filter((test) => test.status === status).length;
  const report = {
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    timestamp: results.endedAt,
    generatedBy: `${results.tool.name} ${results.tool.version}`,
    results: {
      tool: { name: results.tool.name, version: results.tool.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        suites: sections.length + 1,
        start: epoch(results.startedAt),
        stop: epoch(results.endedAt),
      },
      tests,
      environment: { testEnvironment: results.target.baseUrl },
      extra: {
        verdict: results.verdict,
        sentence: results.sentence,
        profile: results.profile,
        seed: results.seed,
      },
    },
  };
  return `${jsonText(report)}\n`;
}
