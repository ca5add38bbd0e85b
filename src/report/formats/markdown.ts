import { plural, some } from '../../text/text.ts';
import type { Cause } from '../analysis/causes.ts';
import { commandsOf } from '../analysis/rerun.ts';
import { code, fenced, prose } from '../analysis/markdown-text.ts';
import { factsOf, outlineOf } from '../analysis/outline.ts';
import type { Gap } from '../analysis/outline.ts';
import { headOf } from '../model/head.ts';
import { asShown } from '../model/load.ts';
import {
  LEVELS,
  OUTCOME_LABELS,
  countOutcomes,
  lengthWords,
  outcomesSeen,
} from '../model/labels.ts';
import type { Results } from '../model/results.ts';
import { countWords } from '../model/unjudged.ts';

/** Below the 64 KB limit of step summaries. */
const BOUND = 60_000;
/** Ids listed at once; the report has all. */
const LISTED = 25;

const idList = (ids: readonly string[], limit = LISTED): string =>
  some(
    ids.map((id) => code(id, 120)),
    limit,
  );

const cells = (values: readonly string[]): string => `| ${values.join(' | ')} |`;

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
  const facts = factsOf(cause, results).map(
    ({ label, text, is }) => `   - ${label}: ${is === 'prose' ? prose(text) : code(text)}`,
  );
  const commands = commandsOf(results, cause).map(([, command]) => command);
  return [
    `${number}. **${prose(cause.message)}**`,
    '',
    ...facts,
    '',
    ...fenced(commands, 'sh').map((line) => `   ${line}`),
    '',
  ].join('\n');
}

function gapLine(gap: Gap): string {
  const { icon } = OUTCOME_LABELS[gap.outcome];
  const setting = gap.setting === null ? '' : ` ${code(gap.setting, 80)}`;
  const reasons = prose(gap.reasons.slice(0, 3).join('; '));
  const { words, command } = gap.next;
  const next = `${prose(words)}${command === null ? '' : ` ${code(command, 600)}`}`;
  const ids = idList(gap.requirements.map((one) => one.id));
  return `- ${icon} ${countWords(gap)}${setting}: ${reasons}: ${ids}. ${next}`;
}

function loadBlock({ load }: Results): string {
  if (load.length === 0) return '';
  const lines = load.map(
    ({ scenario, outcome, reason }) =>
      `- ${code(scenario, 60)} ${prose(outcome, 40)}: ${prose(reason)}`,
  );
  return ['## Load', '', ...lines, ''].join('\n');
}

/** Mixed readings come from deployments that differ and are worth a look; the rest is folded. */
function readingsBlock({ readings }: Results): string {
  const lines = (isMixed: boolean): readonly string[] =>
    readings
      .filter((reading) => reading.mixed === isMixed)
      .map(({ question, answer }) => `- ${prose(question)}: ${code(answer)}`);
  if (readings.length === 0) return '';
  const [mixed, plain] = [lines(true), lines(false)];
  const summary = `<details><summary>${plural(plain.length, 'reading')}</summary>`;
  return [
    '## Readings: choices that the specification leaves open',
    '',
    ...(mixed.length === 0 ? [] : ['Mixed:', '', ...mixed, '']),
    ...(plain.length === 0 ? [] : [summary, '', ...plain, '', '</details>']),
    '',
  ].join('\n');
}

/**
 * Renders `summary.md` for step summaries and comments. Text from the target appears in code spans only. The result stays below
 * 64 KB and says at its end what was omitted.
 */
export function renderMarkdown(recorded: Results): string {
  const results = asShown(recorded);
  const { title, sentence, lines, kind } = headOf(recorded);
  const { parts, gaps } = outlineOf(results);
  const { target, profile, seed, requests, tool } = results;
  const head = [
    `# Assay: ${prose(title)}`,
    '',
    prose(sentence, 1000),
    '',
    ...lines.map(
      ({ text, ids }) =>
        `- ${prose(text)}${ids.length === 0 ? '' : `: ${idList(ids, ids.length)}`}`,
    ),
    ...(lines.length > 0 ? [''] : []),
    `Target ${code(target.baseUrl)}${target.reference ? ' (embedded reference server)' : ''}, profile ${code(profile, 40)}, seed ${seed}; ${plural(requests.total, 'request')} in ${lengthWords(results)}. Assay ${code(tool.version, 40)}.`,
    '',
    // Without judgements the table would be empty.
    ...(kind === 'unjudged' ? [] : [...table(results), '']),
  ].join('\n');
  const notes = results.notes.map((note) => `- ${prose(note)}\n`).join('');
  const isWhole = kind === 'suite' || kind === 'interrupted';
  const tail = [
    loadBlock(results),
    isWhole && gaps.length > 0 ? ['## Not verified', '', ...gaps.map(gapLine), ''].join('\n') : '',
    notes === '' ? '' : `## Notes\n\n${notes}`,
    readingsBlock(results),
  ];

  const blocks = [head];
  let bytes = Buffer.byteLength(head);
  /** Adds a block if it fits, and returns how many do not. */
  const add = (text: string, bound = BOUND): 0 | 1 => {
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > bound) return 1;
    blocks.push(text);
    bytes += size;
    return 0;
  };
  let causesLeft = 0;
  for (const { title: name, causes } of parts) {
    add(`## ${name}\n`);
    // Findings may take two thirds of the space, so that gaps always fit.
    for (const [index, cause] of causes.entries())
      causesLeft += add(causeBlock(cause, index + 1, results), (BOUND * 2) / 3);
  }
  let listsLeft = 0;
  for (const text of tail) if (text !== '') listsLeft += add(text);
  const omitted = [
    ...(causesLeft > 0 ? [plural(causesLeft, 'cause')] : []),
    ...(listsLeft > 0 ? ['longer lists'] : []),
  ].join(' and ');
  if (omitted !== '')
    blocks.push(`Omitted for length: ${omitted}. See report.html and results.json.\n`);
  return blocks.join('\n');
}
