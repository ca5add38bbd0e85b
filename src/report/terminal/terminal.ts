import { oneLine, plural, some, visible } from '../../text/text.ts';
import type { Cause } from '../analysis/causes.ts';
import { commandsOf } from '../analysis/rerun.ts';
import { coverageWords } from '../analysis/variety.ts';
import { factsOf, outlineOf } from '../analysis/outline.ts';
import type { CausePart, Gap } from '../analysis/outline.ts';
import { headOf, lineWords } from '../model/head.ts';
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
import { guardLines, palette, wrap } from './console.ts';
import type { Palette } from './console.ts';

export interface SummaryOptions {
  readonly color: boolean;
  /** Columns to wrap lines to. Commands are never wrapped, so that they can be copied. */
  readonly width: number;
  /** Whether to print the curl line of each cause. */
  readonly showCurl: boolean;
  /** Report files, listed at the end. */
  readonly paths?: readonly string[];
  /** Causes printed per kind; the rest is counted. Default 20. */
  readonly maxCauses?: number;
}

const LABEL_WIDTH = 15;
const IDS_SHOWN = 6;
const GROUPS_SHOWN = 20;

type Paint = (text: string) => string;
const plain: Paint = (text) => text;

class Lines {
  readonly #lines: string[] = [];
  readonly #width: number;
  readonly #paint: Palette;

  constructor(width: number, paint: Palette) {
    this.#width = width;
    this.#paint = paint;
  }

  blank(): void {
    if (this.#lines.at(-1) !== '') this.#lines.push('');
  }

  /** Wrapped prose with an indent; continuation lines are indented by `hanging` more. */
  text(text: string, indent = 0, paint: Paint = plain, hanging = 0): void {
    this.#wrapped(text, ' '.repeat(indent), ' '.repeat(indent + hanging), paint);
  }

  /** A labelled value; continuation lines align with its start. */
  field(label: string, value: string, paint: Paint = plain): void {
    this.#wrapped(value, this.#head(label), ' '.repeat(LABEL_WIDTH), paint);
  }

  /** A labelled command, never wrapped. */
  command(label: string, command: string): void {
    this.raw(this.#head(label) + this.#paint.cyan(visible(command)));
  }

  #head(label: string): string {
    return this.#paint.dim(`   ${label.padEnd(LABEL_WIDTH - 3)}`);
  }

  #wrapped(text: string, first: string, next: string, paint: Paint): void {
    for (const [index, line] of wrap(visible(text), this.#width - next.length).entries())
      this.raw(`${index === 0 ? first : next}${paint(line)}`);
  }

  raw(line: string): void {
    this.#lines.push(line);
  }

  toString(): string {
    return `${this.#lines.join('\n').trimEnd()}\n`;
  }
}

interface Shown {
  readonly lines: Lines;
  readonly results: Results;
  readonly options: SummaryOptions;
  readonly paint: Palette;
}

const LONGEST = 500;

function addCause({ lines, results, options, paint }: Shown, cause: Cause, number: number): void {
  const { icon } = OUTCOME_LABELS[cause.outcome];
  const tones: Readonly<Record<string, Paint>> = { Expected: paint.green, Actual: paint.red };
  lines.blank();
  lines.text(
    `${icon} ${number}. ${oneLine(cause.message, LONGEST)}`,
    0,
    cause.outcome === 'failed' ? (text) => paint.bold(paint.red(text)) : paint.yellow,
  );
  for (const { label, text, is } of factsOf(cause, results)) {
    if (is === 'location') lines.command(label, text);
    else lines.field(label, oneLine(text, LONGEST), tones[label]);
  }
  for (const [, command, program] of commandsOf(results, cause)) {
    const isCurl = program === 'curl';
    if (!isCurl || options.showCurl) lines.command(isCurl ? 'Repeat' : 'Rerun', command);
  }
}

function addPart(shown: Shown, { title, causes }: CausePart): void {
  const { lines, options, paint } = shown;
  const findings = causes.reduce((sum, cause) => sum + cause.members.length, 0);
  lines.blank();
  lines.text(
    `${title}: ${plural(causes.length, 'cause')}, ${plural(findings, 'finding')}`,
    0,
    paint.bold,
  );
  const most = options.maxCauses ?? 20;
  for (const [index, cause] of causes.slice(0, most).entries()) addCause(shown, cause, index + 1);
  if (causes.length > most) {
    lines.blank();
    lines.text(`${plural(causes.length - most, 'more cause')} in the report`);
  }
}

function addGaps({ lines, paint }: Shown, gaps: readonly Gap[]): void {
  if (gaps.length === 0) return;
  const total = gaps.reduce((sum, { requirements }) => sum + requirements.length, 0);
  lines.blank();
  lines.text(`Not verified: ${plural(total, 'requirement')}`, 0, paint.bold);
  for (const gap of gaps.slice(0, GROUPS_SHOWN)) {
    const { outcome, setting, reasons, requirements, next } = gap;
    const named = setting === null ? '' : ` [${setting}]`;
    const head = `${OUTCOME_LABELS[outcome].icon} ${countWords(gap)}${named}`;
    lines.text(`${head}: ${oneLine(reasons[0] ?? '')}`, 1, plain, 4);
    const ids = requirements.map(({ id }) => oneLine(id, 80));
    lines.text(some(ids, IDS_SHOWN), 5, paint.dim);
    lines.text(next.words, 5);
    if (next.command !== null) lines.command('Next', next.command);
  }
  if (gaps.length > GROUPS_SHOWN) {
    lines.text(`${plural(gaps.length - GROUPS_SHOWN, 'more reason')} in the report`, 1);
  }
}

function addTable(lines: Lines, results: Results, width: number, paint: Palette): void {
  const outcomes = outcomesSeen(results.requirements);
  if (outcomes.length === 0) return;
  const counts = countOutcomes(results.requirements);
  lines.blank();
  const words = outcomes.map((outcome) => OUTCOME_LABELS[outcome].word);
  const letters = words.join('').length;
  const gap = letters + 2 * words.length + 9 <= width ? 2 : 1;
  lines.raw(`${''.padEnd(9)}${words.map((word) => ' '.repeat(gap) + word).join('')}`);
  for (const level of LEVELS) {
    const cells = outcomes.map((outcome, index) => {
      const count = counts[level][outcome];
      const cell = String(count).padStart((words[index]?.length ?? 0) + gap);
      if (count === 0) return paint.dim(cell);
      return outcome === 'failed' ? paint.red(cell) : cell;
    });
    lines.raw(`${level.padEnd(9)}${cells.join('')}`);
  }
}

/**
 * Renders the summary of a run for a terminal or a CI log: verdict, causes, what was not verified and how to verify it,
 * requests and files. Text from the target is escaped and cannot start a workflow command.
 */
export function renderSummary(recorded: Results, options: SummaryOptions): string {
  const results = asShown(recorded);
  const paint = palette(options.color);
  const lines = new Lines(Math.max(40, options.width), paint);
  const shown: Shown = { lines, results, options, paint };
  const { title, tone: name, sentence, lines: under, kind } = headOf(recorded);
  const tones = { passed: paint.green, plain: paint.cyan, failed: paint.red, warned: paint.yellow };
  const tone = tones[name];
  lines.raw('');
  lines.raw(paint.bold(tone(paint.inverse(` ${visible(title)} `))));
  lines.text(oneLine(sentence, 1000), 0, paint.bold);
  for (const line of under) lines.text(oneLine(lineWords(line), 4000), 0);

  const { parts, gaps } = outlineOf(results);
  for (const part of parts) addPart(shown, part);
  // When nothing was judged, a list of 300 unverified requirements adds nothing to the sentence.
  const silent = kind === 'unjudged';
  if (!silent) addGaps(shown, gaps);

  const mixed = results.readings.filter((reading) => reading.mixed);
  if (mixed.length > 0 || results.notes.length > 0) {
    lines.blank();
    lines.text('Notes', 0, paint.bold);
    for (const reading of mixed) {
      lines.text(`Mixed readings: ${oneLine(reading.question)}: ${oneLine(reading.answer)}`, 1);
    }
    for (const note of results.notes) lines.text(oneLine(note, 500), 1);
  }

  if (!silent) addTable(lines, results, options.width, paint);
  lines.blank();
  const target = results.target.reference
    ? `embedded reference server ${results.target.baseUrl}`
    : results.target.baseUrl;
  lines.field('Target', target);
  lines.field('Profile', `${results.profile}, seed ${results.seed}`);
  const roles = Object.entries(results.requests.byRole)
    .filter(([, count]) => count > 0)
    .map(([role, count]) => `${count} ${role}`);
  const byRole = roles.length > 0 ? ` (keys: ${roles.join(', ')})` : '';
  lines.field('Requests', `${results.requests.total}${byRole}`);
  lines.field('Time', lengthWords(results));
  const coverage = coverageWords(results.looked ?? {});
  if (coverage !== '') lines.field('Data', coverage);
  lines.field('Assay', oneLine(results.tool.version, 40));
  for (const [index, path] of (options.paths ?? []).entries()) {
    lines.command(index === 0 ? 'Written' : '', path);
  }
  lines.blank();
  // Repeats the verdict, which long lists push out of sight.
  lines.raw(paint.bold(tone(`${visible(title)}, exit code ${results.exitCode}`)));
  return guardLines(lines.toString());
}
