import { oneLine, plural, visible } from '../../text/text.ts';
import { outlineOf } from '../analysis/outline.ts';
import { fact, type Fact, type TextReport } from '../analysis/text-report.ts';
import { lineWords } from '../model/head.ts';
import type { Outcome, Results } from '../model/results.ts';
import { guardLines, palette, wrap } from './console.ts';

export interface TerminalOptions {
  readonly color: boolean;
  /** Columns to wrap lines to. Commands are never wrapped, so that they can be copied. */
  readonly width: number;
}

export interface SummaryOptions extends TerminalOptions {
  /** Whether to print the curl line of each cause. */
  readonly showCurl: boolean;
  /** Report files, listed at the end. */
  readonly paths?: readonly string[];
}

const LABEL_WIDTH = 15;
/** Entries printed per part; the rest is counted. */
const SHOWN = 20;
const LONGEST = 500;

type Paint = (text: string) => string;

/** Lays a report out for a terminal or a CI log. Text from the target is escaped and cannot start a workflow command. */
export function toTerminal(report: TextReport, options: TerminalOptions): string {
  const paint = palette(options.color);
  const width = Math.max(40, options.width);
  const lines: string[] = [''];
  /** Wrapped lines; those that continue are indented as far as the first one's `head` is wide. */
  const add = (text: string, painted: Paint = (line) => line, head = '', columns = 0): void => {
    for (const [index, line] of wrap(visible(text), width - columns).entries())
      lines.push(`${index === 0 ? head : ' '.repeat(columns)}${painted(line)}`);
  };
  const paints: Readonly<Record<string, Paint>> = { Expected: paint.green, Actual: paint.red };
  const addFact = ({ label, text, is }: Fact): void => {
    const head = paint.dim(`   ${label.padEnd(LABEL_WIDTH - 3)}`);
    if (is === 'prose' || is === 'value')
      add(oneLine(text, LONGEST), paints[label], head, LABEL_WIDTH);
    else lines.push(head + paint.cyan(visible(text)));
  };
  const entryPaints: Readonly<Partial<Record<Outcome, Paint>>> = {
    failed: (text) => paint.bold(paint.red(text)),
    warned: paint.yellow,
    waived: paint.yellow,
    passed: paint.green,
  };
  const tones = { passed: paint.green, plain: paint.cyan, failed: paint.red, warned: paint.yellow };
  const tone = tones[report.tone];

  lines.push(paint.bold(tone(paint.inverse(` ${visible(report.title)} `))));
  add(oneLine(report.sentence, 1000), paint.bold);
  for (const line of report.lines) add(lineWords(line));
  for (const { title, entries, noun } of report.parts) {
    lines.push('');
    add(title, paint.bold);
    for (const { mark, tone: outcome, text, facts } of entries.slice(0, SHOWN)) {
      if (facts.length > 0) lines.push('');
      add(`${mark} ${oneLine(text, LONGEST)}`.trimStart(), entryPaints[outcome]);
      for (const one of facts) addFact(one);
    }
    const left = entries.length - SHOWN;
    if (left > 0) lines.push('', `${plural(left, `more ${noun}`)} ${report.rest}`);
  }
  lines.push('');
  for (const one of report.facts) addFact(one);
  lines.push('', paint.bold(tone(visible(report.end))), '');
  return guardLines(lines.join('\n'));
}

/** Renders the summary of a run for a terminal or a CI log. */
export function renderSummary(results: Results, options: SummaryOptions): string {
  const outline = outlineOf(results, options.showCurl);
  const paths = (options.paths ?? []).flatMap((path, index) =>
    fact(index === 0 ? 'Written' : '', path, 'command'),
  );
  return toTerminal({ ...outline, facts: [...outline.facts, ...paths] }, options);
}
