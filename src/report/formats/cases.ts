import type { Exchange } from '../../spec/exchange.ts';
import { oneLine } from '../../text/text.ts';
import { besideOf } from '../analysis/beside.ts';
import { findingLines } from '../analysis/evidence-text.ts';
import { reachedVerdict } from '../model/gate.ts';
import { headOf, lineWords } from '../model/head.ts';
import type { Head } from '../model/head.ts';
import { bySection } from '../model/labels.ts';
import type { LoadRequirement, LoadResult } from '../model/load-results.ts';
import { readLoad } from '../model/load-view.ts';
import type { RequirementResult, Results } from '../model/results.ts';
import { standingOf } from '../model/standing.ts';
import type { GateState } from '../model/standing.ts';
import { byNeed, countBroken, isBroken, waiverWords } from '../model/waiver-words.ts';

/** Findings that are written out in a case. */
const DETAILED = 5;

/** One case of a run, for formats that know cases: a requirement, the verdict, the waivers, the baseline. */
export interface Case {
  readonly name: string;
  readonly state: GateState;
  /** What failed, as one word: `violation`, `baseline`, `inconclusive`. */
  readonly type: string;
  /** Why it is in its state; empty when there is nothing to say. */
  readonly message: string;
  /** What else there is to say, a fact a line. */
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
 * The one list of cases that every format with cases is made of: what the exit code fails on fails here, what could not be
 * judged is an error, and never a pass. Under load alone, the requirements of the suites are no cases: they were not run.
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
    ...readLoad(results.load).results.map(loadSuite),
  ];
}

/** The case that stands for the run: without a verdict it must not look green because every case in it was skipped. */
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

/** A failure that names each waiver that no longer holds: its requirement may have passed, or not exist. */
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

/** A failure that says what a baseline no longer says rightly: what is fixed is no failure of its requirement. */
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
  const { state, words, found, baseline } = standingOf(requirement, results);
  const variables = results.target.keyVariables;
  const shown = findings.slice(0, DETAILED);
  const lines = shown.flatMap((finding) => {
    const exchange = exchanges.get(finding.exchange ?? '') ?? null;
    return ['', ...findingLines(finding, exchange, variables, besideOf(finding, exchanges))];
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
            ...(left > 0 ? ['', `${left} more findings are in results.json.`] : []),
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

/** A load scenario: a case for each requirement that it judges, and one for its verdict. */
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
      `${sent} sent, ${admitted} admitted, ${refused} refused, ${other} other, ${failed} without an answer`,
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
  const times = `judged ${judged} times`;
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
      ...(total > findings.length ? [`${total} in all`] : []),
    ],
    properties: [
      ['level', level],
      ['outcome', outcome],
    ],
  };
}
