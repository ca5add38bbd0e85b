import type { Exchange } from '../../contract/exchange.ts';
import { besideOf } from '../analysis/beside.ts';
import { failingGroups } from '../model/failing-text.ts';
import { findingLines } from '../analysis/evidence-text.ts';
import { durationOf, failingIds, gateState, reachedNoVerdict, reasonText } from '../model/gate.ts';
import type { GateState } from '../model/gate.ts';
import { bySection } from '../model/labels.ts';
import { renderLoadSuites } from './load-junit.ts';
import type { LoadSuites } from './load-junit.ts';
import { cutBytes, visible } from '../../text/text.ts';
import { byNeed, countBroken, isBroken, waiverWords } from '../model/waiver-words.ts';
import type { RequirementResult, Results } from '../model/results.ts';
import { xml, xmlBlock } from './xml.ts';

/** A reader such as GitLab drops what is too large; the evidence itself is in the other files. */
const MESSAGE_BYTES = 2048;
const DETAIL_BYTES = 8192;
const DETAILED_FINDINGS = 5;

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function property(name: string, value: string): string {
  return `        <property name="${xml(name)}" value="${xml(cutBytes(visible(value), MESSAGE_BYTES))}"/>`;
}

interface Case {
  readonly state: GateState;
  readonly ms: number;
  readonly text: string;
}

function requirementCase(
  requirement: RequirementResult,
  exchangeOf: ReadonlyMap<string, Exchange>,
  failing: ReadonlySet<string>,
  { gate, target }: Results,
): Case {
  const state = gateState(requirement, failing, gate);
  const ms = durationOf(requirement);
  const properties = [
    property('level', requirement.level),
    property('outcome', requirement.outcome),
    ...(requirement.reading === null ? [] : [property('reading', requirement.reading)]),
    ...(state === 'passed' && requirement.outcome !== 'passed'
      ? [property(requirement.outcome, reasonText(requirement))]
      : []),
  ];
  const shown = requirement.findings.slice(0, DETAILED_FINDINGS);
  const lines = [
    `Requirement: ${requirement.id} (§${requirement.section}, ${requirement.level}) ${requirement.title}`,
    ...shown.flatMap((finding) => [
      '',
      ...findingLines(
        finding,
        exchangeOf.get(finding.exchange ?? '') ?? null,
        target.keyVariables,
        besideOf(finding, exchangeOf),
      ),
    ]),
    ...(requirement.findings.length > shown.length
      ? ['', `${requirement.findings.length - shown.length} more findings are in results.json.`]
      : []),
  ];
  const message = xml(cutBytes(visible(reasonText(requirement)), MESSAGE_BYTES));
  const body: string[] = [];
  if (state === 'failed') {
    const type = requirement.outcome === 'failed' ? 'violation' : requirement.outcome;
    body.push(
      `      <failure type="${xml(type)}" message="${message}">${xmlBlock(lines, DETAIL_BYTES)}</failure>`,
    );
  } else if (state === 'error') {
    body.push(
      `      <error type="${xml(requirement.outcome)}" message="${message}">${xmlBlock(lines, DETAIL_BYTES)}</error>`,
    );
  } else if (state === 'skipped') {
    body.push(`      <skipped message="${message}"/>`);
  } else if (shown.length > 0) {
    body.push(`      <system-out>${xmlBlock(lines, DETAIL_BYTES)}</system-out>`);
  }
  const name = xml(cutBytes(visible(`${requirement.id} ${requirement.title}`), MESSAGE_BYTES));
  return {
    state,
    ms,
    text: [
      `    <testcase classname="${xml(`assay.${requirement.section}`)}" name="${name}" time="${seconds(ms)}">`,
      '      <properties>',
      ...properties,
      '      </properties>',
      ...body,
      '    </testcase>',
    ].join('\n'),
  };
}

/**
 * The case that stands for the waiver file: a failure that names each waiver that no longer holds. Its requirement may have
 * passed, or not exist, so that no other case could say it. Null without a waiver file.
 */
function waiversCase({ waivers = [] }: Results): Case | null {
  if (waivers.length === 0) return null;
  const broken = byNeed(waivers).filter(isBroken);
  const lines = broken.map((one) => `${one.id}: ${waiverWords(one)}. ${one.detail}`);
  const message = `${countBroken(waivers).join(', ')}: ${broken.map(({ id }) => id).join(', ')}`;
  const name = '    <testcase classname="assay.run" name="every waiver holds" time="0.000"';
  return {
    state: broken.length === 0 ? 'passed' : 'failed',
    ms: 0,
    text:
      broken.length === 0
        ? `${name}/>`
        : [
            `${name}>`,
            `      <failure type="waiver" message="${xml(cutBytes(visible(message), MESSAGE_BYTES))}">${xmlBlock(lines, DETAIL_BYTES)}</failure>`,
            '    </testcase>',
          ].join('\n'),
  };
}

/** The case that stands for the run: an error when no verdict was reached. */
function verdictCase(results: Results): Case {
  const failed = reachedNoVerdict(results);
  const sentence = xml(cutBytes(visible(results.sentence), MESSAGE_BYTES));
  const failing = failingGroups(results).map(({ text, ids }) =>
    xml(
      cutBytes(visible(`Exit code ${results.exitCode}: ${text}: ${ids.join(', ')}`), DETAIL_BYTES),
    ),
  );
  return {
    state: failed ? 'error' : 'passed',
    ms: 0,
    text: [
      '    <testcase classname="assay.run" name="a verdict was reached" time="0.000">',
      failed
        ? `      <error type="${xml(results.verdict)}" message="${sentence}"/>`
        : `      <system-out>${[sentence, ...failing].join('\n')}</system-out>`,
      '    </testcase>',
    ].join('\n'),
  };
}

function counts(cases: readonly Case[]): string {
  return sums(cases, NO_LOAD);
}

const NO_LOAD = { tests: 0, failures: 0, errors: 0, skipped: 0, seconds: 0 };

/** Attributes of a suite: the cases, and what load scenarios add to the whole document. */
function sums(cases: readonly Case[], load: Omit<LoadSuites, 'text'>): string {
  const of = (state: GateState): number => cases.filter((one) => one.state === state).length;
  const time = seconds(cases.reduce((sum, one) => sum + one.ms, load.seconds * 1000));
  return `tests="${cases.length + load.tests}" failures="${of('failed') + load.failures}" errors="${of('error') + load.errors}" skipped="${of('skipped') + load.skipped}" time="${time}"`;
}

/**
 * Renders JUnit XML: one suite a section, one case a requirement, one case for the run itself, and one for its waivers. Names are the
 * requirement's id and title, so they are unique and stay the same from run to run. No bodies are written.
 */
export function renderJUnit(results: Results): string {
  const failing = failingIds(results);
  const exchangeOf = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const suites = [
    {
      name: 'assay.run',
      cases: [verdictCase(results), waiversCase(results)].filter((one) => one !== null),
    },
    ...bySection(results.requirements).map(([section, requirements]) => ({
      name: `assay.${section}`,
      cases: requirements.map((requirement) =>
        requirementCase(requirement, exchangeOf, failing, results),
      ),
    })),
  ];
  const load = renderLoadSuites(results.load);
  const runProperties = [
    ['target', results.target.baseUrl],
    ['profile', results.profile],
    ['seed', String(results.seed)],
    ['verdict', results.verdict],
    ['version', results.tool.version],
  ] as const;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="assay" ${sums(
      suites.flatMap((suite) => suite.cases),
      load,
    )}>`,
  ];
  for (const suite of suites) {
    lines.push(
      `  <testsuite name="${xml(suite.name)}" timestamp="${xml(results.startedAt)}" ${counts(suite.cases)}>`,
    );
    if (suite.name === 'assay.run') {
      lines.push('    <properties>');
      for (const [name, value] of runProperties) lines.push(property(name, value).slice(2));
      lines.push('    </properties>');
    }
    for (const one of suite.cases) lines.push(one.text);
    lines.push('  </testsuite>');
  }
  if (load.tests > 0) lines.push(load.text);
  lines.push('</testsuites>', '');
  return lines.join('\n');
}
