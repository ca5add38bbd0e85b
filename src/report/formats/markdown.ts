import { groupCauses } from '../analysis/causes.ts';
import type { Cause } from '../analysis/causes.ts';
import { failingGroups } from '../model/failing-text.ts';
import { sendAgain } from '../analysis/send-again.ts';
import { rerunCommand } from '../analysis/rerun.ts';
import { exchangeLine, placeText } from '../analysis/evidence-text.ts';
import { code, fenced, prose } from '../analysis/markdown-text.ts';
import {
  LEVELS,
  OUTCOME_LABELS,
  verdictTitle,
  countOutcomes,
  outcomesSeen,
  lengthWords,
} from '../model/labels.ts';
import type { Results } from '../model/results.ts';
import { plural } from '../../text/text.ts';
import { countWords, groupUnjudged } from '../model/unjudged.ts';

/** Below the 64 KB that every reader of step summaries takes. */
const BOUND = 60_000;
/** A list of ids is cut here; the full list is in the report. */
const LISTED = 25;

function idList(ids: readonly string[]): string {
  const shown = ids.slice(0, LISTED).map((id) => code(id, 80));
  const more = ids.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function cells(values: readonly string[]): string {
  return `| ${values.join(' | ')} |`;
}

function table(results: Results): readonly string[] {
  const outcomes = outcomesSeen(results.requirements);
  if (outcomes.length === 0) return ['No requirement was judged.'];
  const counts = countOutcomes(results.requirements);
  return [
    cells([
      'level',
      ...outcomes.map((one) => `${OUTCOME_LABELS[one].icon} ${OUTCOME_LABELS[one].word}`),
    ]),
    cells(['---', ...outcomes.map(() => '--:')]),
    ...LEVELS.map((level) =>
      cells([level, ...outcomes.map((outcome) => String(counts[level][outcome]))]),
    ),
  ];
}

function causeBlock(cause: Cause, number: number, results: Results): string {
  const { finding, requirement } = cause.example;
  const lines = [
    `${number}. **${prose(cause.message)}**`,
    `   ${[
      plural(cause.members.length, 'finding'),
      plural(cause.requirements.length, 'requirement'),
      ...(cause.endpoints.length > 0 ? [plural(cause.endpoints.length, 'endpoint')] : []),
    ].join(', ')}`,
    '',
    `   - Requirement: ${idList(cause.requirements.map((one) => one.id))} — ${prose(requirement.title)}`,
    `   - Expected: ${code(finding.expected)}`,
    `   - Actual: ${code(finding.actual)}`,
  ];
  const place = placeText(finding, cause.exchange);
  if (place !== '') lines.push(`   - At: ${code(place)}`);
  for (const one of cause.beside)
    lines.push(`   - Beside: ${code(`${one.id} (${exchangeLine(one)})`)}`);
  if (cause.endpoints.length > 1) lines.push(`   - Endpoints: ${idList(cause.endpoints)}`);
  if (cause.advice !== null) lines.push(`   - ${prose(cause.advice)}`);
  const commands = [
    ...cause.beside.map((one) => sendAgain(results, requirement.id, one)),
    ...(cause.exchange === null ? [] : [sendAgain(results, requirement.id, cause.exchange)]),
    rerunCommand(results, { id: requirement.id, path: finding.replay }),
  ];
  return [...lines, '', ...fenced(commands, 'sh').map((line) => `   ${line}`), ''].join('\n');
}

function unjudgedBlock(results: Results): string {
  const groups = groupUnjudged(results.requirements);
  if (groups.length === 0) return '';
  const lines = groups.map((group) => {
    const label = OUTCOME_LABELS[group.outcome];
    const setting = group.setting === null ? '' : ` ${code(group.setting, 80)}`;
    const reasons = prose(group.reasons.slice(0, 3).join('; '));
    const ids = idList(group.requirements.map((one) => one.id));
    return `- ${label.icon} ${countWords(group)}${setting}: ${reasons}: ${ids}`;
  });
  return ['## Not verified', '', ...lines, ''].join('\n');
}

/** What is mixed comes from deployments that differ, and is worth a look; the rest is there for those who look for it. */
function readingsBlock(results: Results): string {
  const lines = (isMixed: boolean): readonly string[] =>
    results.readings
      .filter((reading) => reading.mixed === isMixed)
      .map(({ question, answer }) => `- ${prose(question)}: ${code(answer)}`);
  if (results.readings.length === 0) return '';
  const [mixed, plain] = [lines(true), lines(false)];
  return [
    '## Readings: what the target does where it may choose',
    '',
    ...(mixed.length === 0 ? [] : ['Mixed:', '', ...mixed, '']),
    ...(plain.length === 0
      ? []
      : [
          `<details><summary>${plural(plain.length, 'reading')}</summary>`,
          '',
          ...plain,
          '',
          '</details>',
        ]),
    '',
  ].join('\n');
}

/**
 * Renders `summary.md` for step summaries and comments: verdict, counts, causes, what was not verified, readings. Text
 * of the target appears in code spans only. The result stays below 64 KB; what was left out is said at the end.
 */
export function renderMarkdown(results: Results): string {
  const causes = groupCauses(results);
  const failed = causes.filter((cause) => cause.outcome === 'failed');
  const warned = causes.filter((cause) => cause.outcome === 'warned');
  const head = [
    `# Assay: ${verdictTitle(results)}`,
    '',
    prose(results.sentence, 1000),
    '',
    ...failingGroups(results).flatMap(({ text, ids }) => [
      `- Exit code ${results.exitCode}: ${text}: ${ids.map((id) => code(id, 120)).join(', ')}`,
    ]),
    ...(results.failing?.length ? [''] : []),
    `Target ${code(results.target.baseUrl)}${results.target.reference ? ' (embedded reference server)' : ''}, profile ${code(results.profile, 40)}, seed ${results.seed}; ${plural(results.requests.total, 'request')} in ${lengthWords(results)}. Assay ${code(results.tool.version, 40)}.`,
    '',
    ...table(results),
    '',
  ].join('\n');
  const notes = results.notes.map((note) => `- ${prose(note)}\n`).join('');
  const tail = [
    unjudgedBlock(results),
    notes === '' ? '' : `## Notes\n\n${notes}`,
    readingsBlock(results),
  ];

  const blocks = [head];
  let bytes = Buffer.byteLength(head);
  let leftOut = 0;
  const add = (text: string, bound: number): boolean => {
    const size = Buffer.byteLength(text) + 1;
    if (text === '') return true;
    if (bytes + size > bound) return false;
    blocks.push(text);
    bytes += size;
    return true;
  };
  // Findings may take two thirds; the gaps in what was verified must not be crowded out by them.
  for (const [title, list] of [
    ['Violations', failed],
    ['Warnings', warned],
  ] as const) {
    if (list.length === 0) continue;
    add(`## ${title}\n`, BOUND);
    for (const [index, cause] of list.entries()) {
      if (!add(causeBlock(cause, index + 1, results), (BOUND * 2) / 3)) leftOut += 1;
    }
  }
  let sectionsCut = false;
  for (const text of tail) if (!add(text, BOUND)) sectionsCut = true;
  if (leftOut > 0 || sectionsCut) {
    const what = [
      ...(leftOut > 0 ? [plural(leftOut, 'cause')] : []),
      ...(sectionsCut ? ['longer lists'] : []),
    ].join(' and ');
    blocks.push(
      `Left out here for length: ${what}. The full text is in report.html and results.json.\n`,
    );
  }
  return blocks.join('\n');
}
