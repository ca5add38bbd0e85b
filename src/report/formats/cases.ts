import type { Exchange } from '../../spec/exchange.ts';
import { oneLine, plural } from '../../text/text.ts';
import { comparedWith, findingFacts } from '../analysis/evidence-text.ts';
import { goOn, resumeStep } from '../analysis/rerun.ts';
import { isRepeated, sendAgain } from '../analysis/send-again.ts';
import type { Fact } from '../analysis/text-report.ts';
import { reachedVerdict } from '../model/gate.ts';
import { loadEntry } from '../analysis/outline.ts';
import { asShown } from '../analysis/shown.ts';
import { groupCauses, headWith } from '../analysis/causes.ts';
import { lineWords, type Head } from '../model/head.ts';
import { bySection, findingWords } from '../model/labels.ts';
import { requirementUnder } from '../model/load.ts';
import type { LoadResult } from '../model/load-results.ts';
import type { RequirementResult, ResultFinding, Results } from '../model/results.ts';
import { isGap, statusOf, type GateState } from '../model/status.ts';
import { byNeed, isBroken, waiverWords } from '../model/waiver-words.ts';

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

const factLine = ({ label, text }: Fact): string => `${label}: ${oneLine(text, 500)}`;

const PLAIN = { message: '', lines: [], properties: [], ms: 0, requirement: null } as const;

/** The test cases of every format that has them. What fails the exit code fails here; what could not be judged is an error. */
export function suitesOf(recorded: Results) {
  const results = asShown(recorded);
  const { startedAt } = results;
  const causes = groupCauses(results);
  const head = headWith(causes, recorded);
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const sections = head.kind === 'load' ? [] : bySection(results.requirements);
  return [
    {
      name: 'assay.run',
      startedAt,
      cases: [verdictCase(results, head), ...waiverCases(results), ...baselineCases(results, head)],
    },
    ...sections.map(([section, requirements]) => ({
      name: `assay.${section}`,
      startedAt,
      cases: requirements.map((one) => {
        const told = causes.map(({ example }) => example.finding);
        const best = told.filter((finding) => one.findings.includes(finding));
        const findings = [...new Set([...best, ...one.findings])];
        return requirementCase({ ...one, findings }, results, exchanges, best);
      }),
    })),
    ...results.load.map((load) => loadSuite(load, results)),
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
    lines: [
      title,
      sentence,
      ...lines.map(lineWords),
      ...goOn(results).map(({ words, command }) => `${words} ${command}`),
    ],
  };
}

/** Fails when there is something to say. */
const gateCase = (name: string, type: string, lines: readonly string[]): Case => ({
  ...PLAIN,
  name,
  type,
  state: lines.length === 0 ? 'passed' : 'failed',
  message: lines.join('; '),
  lines,
});

/** Fails for each waiver that is no longer valid; its requirement may have passed, or not exist. */
function waiverCases({ waivers = [] }: Results): readonly Case[] {
  if (waivers.length === 0) return [];
  const broken = byNeed(waivers).filter(isBroken);
  const lines = broken.map((one) => `${one.id}: ${waiverWords(one)}. ${one.detail}`);
  return [gateCase('every waiver holds', 'waiver', lines)];
}

/** Fails when the baseline is out of date: a fixed requirement itself passes. */
function baselineCases({ gate }: Results, head: Head): readonly Case[] {
  if (gate === undefined) return [];
  const fresh = new Set(gate.regressions);
  const lines = head.lines
    .filter(({ about, ids }) => about === 'baseline' && !ids.some((id) => fresh.has(id)))
    .map(lineWords);
  return [gateCase('the baseline is up to date', 'baseline', lines)];
}

/** @param best its first findings, which show a cause each: a key that is let in, and another one */
function requirementCase(
  requirement: RequirementResult,
  results: Results,
  exchanges: ReadonlyMap<string, Exchange>,
  best: readonly ResultFinding[] = [],
  depth = requirement.exchanges.length,
): Case {
  const { id, section, level, title, findings, total, outcome, reading } = requirement;
  const { state, words: first, found, baseline } = statusOf(requirement, results);
  const words = [first, ...best.slice(1).map(({ message }) => message)].join('; ');
  const isOpen = outcome === 'inconclusive' && results.verdict === 'interrupted';
  const resume = isOpen ? resumeStep(results) : null;
  const shown = findings.slice(0, 5);
  const lines = shown.flatMap((finding) => {
    const exchange = exchanges.get(finding.exchange ?? '') ?? null;
    const related = comparedWith(finding, exchanges);
    const one = exchange === null ? [] : [exchange];
    // A loop shows what several responses show together.
    const isLoop = exchange !== null && isRepeated(results, id, exchange);
    const sent = isLoop ? one : [...related, ...one];
    return [
      '',
      oneLine(finding.message, 500),
      ...findingFacts(finding, exchange, related).map(factLine),
      ...sent.map((other) => `Repeat: ${sendAgain(results, id, other)}`),
    ];
  });
  const left = findings.length - shown.length;
  return {
    name: `${id} ${title}`,
    state,
    type: found === 'failed' ? 'violation' : found,
    message: resume === null ? words : `${words}. ${resume.words} ${resume.command}`,
    lines:
      lines.length === 0 && state === 'passed'
        ? []
        : [
            `Requirement: ${id} (§${oneLine(section, 20)}, ${level}) ${title}`,
            ...lines,
            ...(left > 0 ? ['', `${plural(left, 'more finding')} in results.json`] : []),
            ...(total === undefined ? [] : [`Recorded: ${findingWords(findings.length, total)}`]),
          ],
    properties: [
      ['level', level],
      ['outcome', outcome],
      ...(isGap(outcome) ? [] : [['judged on', String(depth)] as const]),
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
function loadSuite(load: LoadResult, results: Results) {
  const { scenario, outcome, reason, startedAt, endedAt } = load;
  const verdict: Case = {
    ...PLAIN,
    name: 'a verdict was reached',
    state: outcome === 'inconclusive' ? 'error' : 'passed',
    type: outcome,
    message: reason,
    lines: [reason, ...loadEntry(load).facts.map(factLine)],
    ms: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) || 0,
  };
  const cases = load.requirements.map((one): Case => {
    const requirement = requirementUnder(load, one);
    // Judged on responses that are not kept.
    return {
      ...requirementCase(requirement, results, new Map(), [], one.judged),
      requirement: null,
    };
  });
  return { name: `assay.load.${scenario}`, startedAt, cases: [verdict, ...cases] };
}
