import type { Comparison } from './figures.ts';

/** `reports/bench.json`. */
export interface BenchReport {
  readonly schemaVersion: 1;
  readonly date: string;
  readonly tool: { readonly name: string; readonly version: string };
  readonly versions: Readonly<Record<'node' | 'k6' | 'wrk' | 'cpu', string | null>>;
  /** Length of the whole benchmark. */
  readonly seconds: number;
  readonly comparisons: readonly Comparison[];
}

/** Where the table stands. */
export const BENCH_DOC = 'docs/bench.md';

const BEGIN = '<!-- figures: written by npm run bench -->';
const END = '<!-- end of figures -->';

/** The document before its first figures. */
export function benchDoc(): string {
  return `# Benchmarks\n\n${BEGIN}\n${END}\n`;
}

/**
 * The document with the figures of this report in place of the ones before.
 * @throws Error when its marks are gone
 */
export function withTable(text: string, report: BenchReport): string {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from === -1 || to < from) {
    throw new Error(`${BENCH_DOC} has lost its marks. Put "${BEGIN}" and "${END}" back.`);
  }
  return `${text.slice(0, from + BEGIN.length)}\n\n${tableOf(report)}\n${text.slice(to)}`;
}

function tableOf({ date, versions, seconds, comparisons }: BenchReport): string {
  const used = [
    `Node ${versions.node ?? ''}`,
    `k6 ${versions.k6 ?? ''}`,
    versions.wrk === null ? 'no wrk' : `wrk ${versions.wrk}`,
    versions.cpu ?? '',
  ];
  const header = ['compared', 'ours', 'bare', 'ratio', '95% interval', 'goal', 'command'];
  const rows = comparisons.map((one) => [
    one.title,
    wholes(one.oursPerCpuSecond),
    wholes(one.barePerCpuSecond),
    `**${one.ratio.toFixed(2)}**`,
    one.within?.map((end) => end.toFixed(2)).join(' to ') ?? 'too few pairs',
    one.goal.toFixed(2).replace(/0$/, ''),
    one.commands.map((command) => `\`${command}\``).join(', '),
  ]);
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [
    `Measured on ${date} in ${seconds} s: ${used.join(', ')}. The figures are medians of`,
    'requests per CPU second; the ratio is the median of the ratios of neighbouring measurements.',
    '',
    line(header),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    '',
  ].join('\n');
}

function wholes(value: Comparison['ratio']): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}
