import type { Exchange } from '../../spec/exchange.ts';
import { oneLine, plural } from '../../text/text.ts';
import { comparedWith, findingLines } from '../analysis/evidence-text.ts';
import { reachedVerdict } from '../model/gate.ts';
import { headOf, lineWords } from '../model/head.ts';
import type { Head } from '../model/head.ts';
import { bySection } from '../model/labels.ts';
import type { LoadRequirement, LoadResult } from '../model/load-results.ts';
import type { RequirementResult, Results } from '../model/results.ts';
import { statusOf } from '../model/status.ts';
import type { GateState } from '../model/status.ts';
import { byNeed, countBroken, isBroken, waiverWords } from '../model/waiver-words.ts';

/** Findings written per case. */
const DETAILED = 5;

/** One test case: a requirement, the verdict, the waivers or the baseline. */
export interface Case {
  readonly name: string;
  readonly state: GateState;
  /** `violation`, `baseline`, `inconclusive`, … */
  readonly type: string;
  /** Why it is in its state; may be empty. */
  readonly message: string;
  /** Details, one fact per line. */
  readonly lines: readonly string[];
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly ms: number;
  readonly requirement: RequirementResult | null;
}

/** The cases of one part of a run. */
export interface Suite {
  readonly name: string;
  readonly startedAt: string;
  readonly cases: readonly Case[];
}

const PLAIN = { message: '', lines: [], properties: [], ms: 0, requirement: null } as const;

/**
 * The test cases of every format that has them. What fails the exit code fails here, and what could not be judged is an error.
 * A load run has no cases for the suites, which did not run.
 */
export function suitesOf(results: Results): readonly Suite[] {
  const { startedAt } = results;
  const head = headOf(results);
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const sections = head.kind === 'load' ? [] : bySection(results.requirements);
  return [
    {
      name: 'assay.run',
      startedAt,
      cases: [verdictCase(results, head), ...waiverCases(results), ...baselineCases(results)],
    },
    ...sections.map(([section, requirements]) => ({
      name: `assay.${section}`,
      startedAt,
      cases: requirements.map((one) => requirementCase(one, results, exchanges)),
    })),
    ...results.load.map(loadSuite),
  ];
}

/** Without this case, a run without a verdict would look green because all cases were skipped. */
function verdictCase(results: Results, { title, sentence, lines }: Head): Case {
  const isReached = reachedVerdict(results.verdict);
  return {
    ...PLAIN,
    name: 'a verdict was reached',
    state: isReached ? 'passed' : 'error',
    type: results.verdict,
    message: sentence,
    lines: [title, sentence, ...lines.map(lineWords)],
  };
}

/** Fails for each waiver that is no longer valid; its requirement may have passed, or not exist. */
function waiverCases({ waivers = [] }: Results): readonly Case[] {
  if (waivers.length === 0) return [];
  const broken = byNeed(waivers).filter(isBroken);
  const name = 'every waiver holds';
  if (broken.length === 0) return [{ ...PLAIN, name, state: 'passed', type: 'held' }];
  return [
    {
      ...PLAIN,
      name,
      state: 'failed',
      type: 'waiver',
      message: `${countBroken(waivers).join(', ')}: ${broken.map(({ id }) => id).join(', ')}`,
      lines: broken.map((one) => `${one.id}: ${waiverWords(one)}. ${one.detail}`),
    },
  ];
}

/** Fails when the baseline is out of date: a fixed requirement itself passes. */
function baselineCases(results: Results): readonly Case[] {
  const { gate } = results;
  if (gate === undefined) return [];
  const name = 'the baseline is up to date';
  const old = [...gate.unexpectedPasses, ...gate.stale, ...gate.unmatched];
  if (old.length === 0) return [{ ...PLAIN, name, state: 'passed', type: 'current' }];
  const lines = headOf(results).lines.filter(({ ids }) => ids.some((id) => old.includes(id)));
  return [
    {
      ...PLAIN,
      name,
      state: 'failed',
      type: 'baseline',
      message: lines.map(lineWords).join('; '),
      lines: lines.map(lineWords),
    },
  ];
}

function requirementCase(
  requirement: RequirementResult,
  results: Results,
  exchanges: ReadonlyMap<string, Exchange>,
): Case {
  const { id, section, level, title, findings, outcome, reading } = requirement;
  const { state, words, found, baseline } = statusOf(requirement, results);
  const variables = results.target.keyVariables;
  const shown = findings.slice(0, DETAILED);
  const lines = shown.flatMap((finding) => {
    const exchange = exchanges.get(finding.exchange ?? '') ?? null;
    return ['', ...findingLines(finding, exchange, variables, comparedWith(finding, exchanges))];
  });
  const left = findings.length - shown.length;
  return {
    name: `${id} ${title}`,
    state,
    type: found === 'failed' ? 'violation' : found,
    message: words,
    lines:
      lines.length === 0 && state === 'passed'
        ? []
        : [
            `Requirement: ${id} (§${oneLine(section, 20)}, ${level}) ${title}`,
            ...lines,
            ...(left > 0 ? ['', `${plural(left, 'more finding')} in results.json`] : []),
          ],
    properties: [
      ['level', level],
      ['outcome', outcome],
      ['judged on', String(requirement.exchanges.length)],
      ...(reading === null ? [] : [['reading', reading] as const]),
      ...(state === 'passed' && (outcome !== 'passed' || baseline !== null)
        ? [[baseline ?? outcome, words] as const]
        : []),
    ],
    ms: Math.round(requirement.checks.reduce((sum, { ms }) => sum + Math.max(0, ms), 0)),
    requirement,
  };
}

/** A load scenario: one case per requirement, and one for its verdict. */
function loadSuite(load: LoadResult): Suite {
  const { sent, admitted, refused, other, failed } = load.requests;
  const isOpen = load.outcome === 'inconclusive';
  const verdict: Case = {
    ...PLAIN,
    name: 'a verdict was reached',
    state: isOpen ? 'error' : 'passed',
    type: load.outcome,
    message: load.reason,
    lines: [
      load.reason,
      `${sent} sent, ${admitted} admitted, ${refused} refused, ${other} other, ${failed} unanswered`,
      load.command,
    ],
    ms: Math.max(0, Date.parse(load.endedAt) - Date.parse(load.startedAt)) || 0,
  };
  return {
    name: `assay.load.${load.scenario}`,
    startedAt: load.startedAt,
    cases: [verdict, ...load.requirements.map(loadCase)],
  };
}

const LOAD_STATES: Readonly<Partial<Record<string, GateState>>> = {
  failed: 'failed',
  untested: 'skipped',
};

function loadCase({ id, title, level, outcome, findings, total, judged }: LoadRequirement): Case {
  const [first] = findings;
  const times = `judged ${plural(judged, 'time')}`;
  return {
    ...PLAIN,
    name: `${id} ${title}`,
    state: LOAD_STATES[outcome] ?? 'passed',
    type: outcome === 'failed' ? 'violation' : outcome,
    message: outcome === 'untested' ? 'not judged' : (first?.message ?? times),
    lines: [
      times,
      ...findings.flatMap((one) => [
        one.message,
        `  expected ${one.expected}`,
        `  actual   ${one.actual}`,
      ]),
      ...(total > findings.length ? [`${total} in total`] : []),
    ],
    properties: [
      ['level', level],
      ['outcome', outcome],
    ],
  };
}
