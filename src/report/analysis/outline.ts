import { plural, some } from '../../text/text.ts';
import type { Results } from '../model/results.ts';
import { waivedWords } from '../model/status.ts';
import { groupUnjudged } from '../model/unjudged.ts';
import type { UnjudgedGroup } from '../model/unjudged.ts';
import type { Cause } from './causes.ts';
import { groupCauses } from './causes.ts';
import { exchangeLine, locationText } from './evidence-text.ts';
import { code, fenced, prose } from './markdown-text.ts';
import { commandsOf, nextStep } from './rerun.ts';
import type { NextStep } from './rerun.ts';

/** One fact about a cause, the same in every format. */
export interface CauseFact {
  readonly label: string;
  readonly text: string;
  /** `value`: may contain text from the target. */
  readonly is: 'prose' | 'value' | 'location';
}

/** Names shown per list. */
const NAMED = 6;

/** The facts about a cause besides its message. */
export function factsOf(cause: Cause, results: Results): readonly CauseFact[] {
  const { example, exchange, related, members, endpoints, requirements, advice, outcome } = cause;
  const { scenarios } = cause;
  const { finding, requirement } = example;
  const location = locationText(finding, exchange);
  const others = requirements.map(({ id }) => id).filter((id) => id !== requirement.id);
  const scope = [
    plural(members.length, 'finding'),
    ...(endpoints.length > 1 ? [`on ${some(endpoints, NAMED)}`] : []),
    ...(others.length > 0 ? [`also against ${some(others, NAMED)}`] : []),
  ].join('; ');
  const fact = (label: string, text: string, is: CauseFact['is'] = 'prose'): CauseFact[] =>
    text === '' ? [] : [{ label, text, is }];
  return [
    ...fact('Requirement', `${requirement.id} (${requirement.level}) ${requirement.title}`),
    ...fact('Waived', outcome === 'waived' ? waivedWords(requirement, results) : ''),
    ...fact('Expected', finding.expected, 'value'),
    ...fact('Actual', finding.actual, 'value'),
    ...fact('At', location, 'location'),
    ...fact('Load', scenarios.map((index) => results.load[index]?.scenario).join(', '), 'value'),
    ...related.flatMap((one) => fact('Related', `${one.id} (${exchangeLine(one)})`, 'location')),
    ...fact('Scope', members.length > 1 ? scope : ''),
    ...fact('Advice', advice ?? ''),
  ];
}

/** Causes under one heading. */
export interface CausePart {
  readonly outcome: Cause['outcome'];
  readonly title: string;
  readonly causes: readonly Cause[];
}

/** Something that was not verified, and how to verify it. */
export interface Gap extends UnjudgedGroup {
  readonly next: NextStep;
}

/** The parts of a textual report. */
export interface Outline {
  readonly parts: readonly CausePart[];
  readonly gaps: readonly Gap[];
}

const TITLES = { failed: 'Violations', warned: 'Warnings', waived: 'Violated and waived' } as const;

export function outlineOf(results: Results, causes = groupCauses(results)): Outline {
  const parts = (['failed', 'warned', 'waived'] as const).map((outcome) => ({
    outcome,
    title: TITLES[outcome],
    causes: causes.filter((cause) => cause.outcome === outcome),
  }));
  return { parts: parts.filter((part) => part.causes.length > 0), gaps: gapsOf(results) };
}

/** What was not verified. A waived violation was judged and is not a gap. */
export const gapsOf = (results: Results): readonly Gap[] =>
  groupUnjudged(results.requirements).map((group) => ({
    ...group,
    next: nextStep(group, results),
  }));

/** The first part of an issue about a cause, as Markdown, before the exchange. */
export function issueHead(results: Results, cause: Cause): string {
  const commands = commandsOf(results, cause).map(([, command]) => command);
  return [
    `## ${prose(cause.message)}`,
    '',
    ...factsOf(cause, results).map(
      ({ label, text, is }) => `- ${label}: ${is === 'prose' ? prose(text) : code(text, 500)}`,
    ),
    `- Target: ${code(results.target.baseUrl)}, ${results.startedAt}, Assay ${results.tool.version}`,
    '',
    ...fenced(commands, 'sh'),
    '',
  ].join('\n');
}
