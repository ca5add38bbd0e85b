import { plural, some } from '../../text/text.ts';
import { withKeyNames } from '../model/key-names.ts';
import { areWindowsCounted, formatMs, generatorWords } from '../model/load.ts';
import { requestWords, sampledWords } from '../model/load.ts';
import type { LoadResult } from '../model/load-results.ts';
import { countOutcomes, lengthWords, LEVELS } from '../model/labels.ts';
import { ICONS, type RequirementResult, type Results } from '../model/results.ts';
import { kindOf, waivedWords } from '../model/status.ts';
import { countWords, groupUnjudged } from '../model/unjudged.ts';
import { CAUSE_OUTCOMES, countFindings, groupCauses, headWith, warningsAmong } from './causes.ts';
import type { Cause } from './causes.ts';
import { findingFacts } from './evidence-text.ts';
import { BECAUSE_WORDS } from '../model/diff-words.ts';
import { markOf, newWords, originOf } from './history.ts';
import { factLines, prose } from './markdown-text.ts';
import {
  commandsOf,
  goOn,
  isSpent,
  nextStep,
  quotaNote,
  rerunNote,
  withQuotaLeft,
} from './rerun.ts';
import type { NextStep } from './rerun.ts';
import { asShown } from './shown.ts';
import { fact, remark, type Entry, type Fact, type Part, type TextReport } from './text-report.ts';
import { coverageWords } from './variety.ts';

/** Names shown per list. */
const NAMED = 6;

/** The facts about a cause besides its message. */
export function factsOf(cause: Cause, results: Results): readonly Fact[] {
  const { example, exchange, related, members, endpoints, requirements, scenarios } = cause;
  const { finding, requirement } = example;
  const waived = cause.outcome === 'waived' ? waivedWords(requirement, results) : '';
  const origin = originOf(cause, results);
  const others = requirements.map(({ id }) => id).filter((id) => id !== requirement.id);
  const scope = [
    countFindings([cause]),
    ...(endpoints.length > 1 ? [`on ${some(endpoints, NAMED)}`] : []),
    ...(others.length > 0 ? [`also against ${some(others, NAMED)}`] : []),
  ].join('; ');
  return [
    ...fact('Requirement', `${requirement.id} (${requirement.level}) ${requirement.title}`),
    ...fact('New', newWords(cause)),
    ...fact('Origin', origin === null ? '' : `likely ${BECAUSE_WORDS[origin]}`),
    ...fact('Waived', waived.replace(/^waived:? /, '')),
    ...findingFacts(finding, exchange, related),
    ...fact('Load', scenarios.map((index) => results.load[index]?.scenario).join(', '), 'value'),
    ...fact('Scope', members.length > 1 ? scope : ''),
    ...fact('Advice', cause.advice ?? ''),
  ];
}

function commandFacts(cause: Cause, results: Results, showCurl: boolean): readonly Fact[] {
  const { finding, requirement } = cause.example;
  const isAgain = results.profile === 'recorded' || !isSpent(results, requirement.id, [finding]);
  const facts = commandsOf(results, cause)
    .filter(([, , program]) => showCurl || program !== 'curl')
    .flatMap(([, text, program]) => fact(program === 'curl' ? 'Repeat' : 'Rerun', text, 'command'));
  if (isAgain) return [...fact('Rerun', quotaNote(results, requirement.id) ?? ''), ...facts];
  return [...facts, ...stepFacts(withQuotaLeft(results))];
}

const stepFacts = ({ words, command }: NextStep): readonly Fact[] => [
  ...fact('Next', words),
  ...fact('', command ?? '', 'command'),
];

const TITLES = { failed: 'Violations', warned: 'Warnings', waived: 'Violated and waived' } as const;

const causeParts = (
  causes: readonly Cause[],
  results: Results,
  showCurl: boolean,
): readonly Part[] =>
  CAUSE_OUTCOMES.map((outcome) => {
    const own = causes.filter((cause) => cause.outcome === outcome);
    const entries = own.map((cause, index): Entry => {
      const mark = markOf(cause, results);
      return {
        mark: `${ICONS[outcome]} ${index + 1}.`,
        tone: outcome,
        text: mark === null ? cause.message : `${mark}: ${cause.message}`,
        is: 'prose',
        facts: [...factsOf(cause, results), ...commandFacts(cause, results, showCurl)],
      };
    });
    const counts = `${plural(own.length, 'cause')}, ${countFindings(own)}`;
    const among = outcome === 'failed' ? warningsAmong(causes) : '';
    return { title: `${TITLES[outcome]}: ${counts}${among}`, entries, noun: 'cause' };
  });

/** What was not verified, and how to verify it. A waived violation was judged and is not a gap. */
export const gapsOf = (results: Results) =>
  groupUnjudged(results.requirements).map((group) => ({
    ...group,
    next: nextStep(group, results),
  }));

function gapPart(results: Results): Part {
  const gaps = gapsOf(results);
  const total = gaps.reduce((sum, { requirements }) => sum + requirements.length, 0);
  const entries = gaps.map((gap): Entry => {
    const { outcome, setting, reasons, requirements, next } = gap;
    const named = setting === null ? '' : ` [${setting}]`;
    const ids = requirements.map(({ id }) => id);
    return {
      mark: ICONS[outcome],
      tone: outcome,
      text: `${countWords(gap)}${named}: ${reasons.slice(0, 3).join('; ')}`,
      is: 'prose',
      facts: [...fact('Requirement', some(ids, 12)), ...stepFacts(next)],
    };
  });
  return { title: `Not verified: ${plural(total, 'requirement')}`, entries, noun: 'reason' };
}

const WINDOWS_SHOWN = 8;

/** A load scenario: what was sent and judged, and how the generator kept up. Its violations are causes. */
export function loadEntry(load: LoadResult): Entry {
  const { scenario, outcome, reason, requirements, readings } = load;
  const windows = areWindowsCounted(load) ? load.windows : [];
  const left = windows.length - WINDOWS_SHOWN;
  return {
    mark: ICONS[outcome],
    tone: outcome,
    text: `${scenario} ${outcome}: ${reason}`,
    is: 'prose',
    facts: [
      ...fact('Requests', requestWords(load)),
      ...requirements.flatMap((one) =>
        fact(
          'Judged',
          `${one.id} ${one.outcome}: ${plural(one.total, 'finding')} in ${plural(one.judged, 'judgement')}`,
        ),
      ),
      ...windows
        .slice(0, WINDOWS_SHOWN)
        .flatMap((one) =>
          fact('Window', `${one.key}: ${one.admitted} admitted, ${one.refused} refused`, 'value'),
        ),
      ...fact('Windows', left > 0 ? `${left} more in results.json` : ''),
      ...fact('Sample', sampledWords(load)),
      ...load.latency
        .slice(0, 6)
        .flatMap(({ endpoint, status, count, p50, p95, p99 }) =>
          fact(
            'Latency',
            `${endpoint} ${status}: ${count} responses, p50 ${formatMs(p50)}, p95 ${formatMs(p95)}, p99 ${formatMs(p99)} ms`,
            'value',
          ),
        ),
      ...readings.flatMap(({ question, answer }) =>
        fact('Reading', `${question}: ${answer}`, 'value'),
      ),
      ...fact('Generator', generatorWords(load), 'value'),
      ...load.notes.flatMap((note) => fact('Note', note)),
      ...fact('Rerun', load.command, 'command'),
    ],
  };
}

function notePart({ readings, notes }: Results): Part {
  const mixed = readings.filter((reading) => reading.mixed);
  const texts = [
    ...mixed.map(({ question, answer }) => `Mixed readings: ${question}: ${answer}`),
    ...notes,
  ];
  return { title: 'Notes', entries: texts.map((text) => remark(text)), noun: 'note' };
}

const LEVEL_LABELS = { must: 'Must', should: 'Should', observe: 'Observe' } as const;

function countFacts(requirements: readonly RequirementResult[]): readonly Fact[] {
  return LEVELS.flatMap((level) => {
    const own = requirements.filter((one) => one.level === level).map(({ outcome }) => outcome);
    const words = countOutcomes(own).map(([one, count]) => `${count} ${one}`);
    return fact(LEVEL_LABELS[level], words.join(', '));
  });
}

function runFacts(results: Results): readonly Fact[] {
  const { target, profile, seed, requests, tool } = results;
  const roles = Object.entries(requests.byRole)
    .filter(([, count]) => count > 0)
    .map(([role, count]) => `${count} ${role}`);
  const byRole = roles.length > 0 ? ` (keys: ${roles.join(', ')})` : '';
  const server = target.reference ? 'embedded reference server ' : '';
  return [
    ...fact('Target', `${server}${target.baseUrl}`, 'value'),
    ...fact('Profile', `${profile}, seed ${seed}`, 'value'),
    ...fact('Requests', `${requests.total}${byRole}`),
    ...fact('Time', lengthWords(results)),
    // What another server answered is no data of the service.
    ...fact('Data', kindOf(results) === 'unjudged' ? '' : coverageWords(results.looked ?? {})),
    ...fact('Assay', tool.version, 'value'),
    ...fact('Reruns', rerunNote(results) ?? ''),
  ];
}

/** Verdict, causes, load, what was not verified and how to verify it, notes, numbers and requests of a run. */
export function outlineOf(recorded: Results, showCurl = true): TextReport {
  const results = asShown(recorded);
  const causes = groupCauses(results);
  const head = headWith(causes, recorded);
  const load = withKeyNames(results).load.map(loadEntry);
  const steps = goOn(results).map(({ words, command }) =>
    remark(words, fact('Command', command, 'command')),
  );
  const parts = [
    { title: 'Next steps', entries: steps, noun: 'step' },
    ...causeParts(causes, results, showCurl),
    { title: 'Load', entries: load, noun: 'scenario' },
    // When nothing was judged, a list of 300 unverified requirements adds nothing to the sentence.
    ...(head.kind === 'unjudged' ? [] : [gapPart(results)]),
    notePart(results),
  ];
  return {
    ...head,
    parts: parts.filter(({ entries }) => entries.length > 0),
    facts: [
      ...(head.kind === 'unjudged' ? [] : countFacts(results.requirements)),
      ...runFacts(results),
    ],
    rest: 'in the report',
    end: `${head.title}, exit code ${results.exitCode}`,
  };
}

/** The first part of an issue about a cause, as Markdown, before the exchange. */
export function issueHead(results: Results, cause: Cause): string {
  const { target, startedAt, tool } = results;
  const facts = [
    ...factsOf(cause, results),
    ...fact('Target', `${target.baseUrl}, ${startedAt}, Assay ${tool.version}`, 'value'),
    ...commandFacts(cause, results, true),
  ];
  return [`## ${prose(cause.message)}`, '', ...factLines(facts), ''].join('\n');
}
