import { guardLines, palette } from './console.ts';
import type { LoadOutcome, LoadRequirement, LoadResult } from '../model/load-results.ts';
import { oneLine, plural } from '../../text/text.ts';

const LABELS: Readonly<Record<LoadOutcome, string>> = {
  passed: 'PASSED',
  warned: 'WARNED',
  failed: 'FAILED',
  inconclusive: 'NO VERDICT',
};
const WINDOWS_SHOWN = 8;
const FINDINGS_SHOWN = 3;
const LATENCIES_SHOWN = 6;

/** A load result for a terminal or a CI log. */
export function renderLoadResult(
  result: LoadResult,
  { color }: { readonly color: boolean },
): string {
  const paint = palette(color);
  const { outcome, scenario, title, reason, requests, readings, health, notes, k6 } = result;
  const tones = { passed: paint.green, failed: paint.red };
  const tone = outcome === 'passed' || outcome === 'failed' ? tones[outcome] : paint.yellow;
  const lines: string[] = [
    '',
    `${paint.bold(tone(LABELS[outcome]))} ${paint.bold(scenario)}: ${oneLine(title)}`,
    oneLine(reason, 1000),
  ];
  for (const requirement of result.requirements) addFindings(lines, requirement, paint);
  lines.push('');
  /** A label and its lines; only the first has the label. */
  const field = (label: string, ...texts: readonly string[]): void => {
    for (const [index, text] of texts.entries())
      lines.push(`  ${paint.dim((index === 0 ? label : '').padEnd(11))} ${text}`);
  };
  const { sent, admitted, refused, other, failed } = requests;
  field(
    'Requests',
    `${sent} sent = ${admitted} admitted + ${refused} refused + ${other} other + ${failed} unanswered`,
  );
  field('Windows', ...windowTexts(result));
  field('Latency', ...latencyTexts(result));
  for (const { question, answer } of readings) field('Reading', oneLine(`${question}: ${answer}`));
  const { vus, dropped, spreadMs, lateMs } = health;
  field(
    'Generator',
    [
      plural(vus, 'user'),
      `${dropped} dropped`,
      ...(spreadMs === null ? [] : [`bursts within ${spreadMs} ms`]),
      ...(lateMs === null ? [] : [`at most ${lateMs} ms late`]),
    ].join(', '),
  );
  for (const note of notes) field('Note', oneLine(note, 500));
  field('k6', `${k6.version} (${k6.source})`);
  field('Rerun', paint.cyan(oneLine(result.command, 1000)));
  return guardLines(`${lines.join('\n')}\n`);
}

function addFindings(
  lines: string[],
  requirement: LoadRequirement,
  paint: ReturnType<typeof palette>,
): void {
  if (requirement.outcome !== 'failed' && requirement.outcome !== 'warned') return;
  const tone = requirement.outcome === 'failed' ? paint.red : paint.yellow;
  lines.push('', tone(`${requirement.id} (${requirement.level}) ${oneLine(requirement.title)}`));
  for (const { message, expected, actual } of requirement.findings.slice(0, FINDINGS_SHOWN)) {
    lines.push(`  ${oneLine(message)}`);
    lines.push(`    ${paint.dim('expected')} ${oneLine(expected)}`);
    lines.push(`    ${paint.dim('actual')}   ${oneLine(actual)}`);
  }
  const more = requirement.total - Math.min(FINDINGS_SHOWN, requirement.findings.length);
  if (more > 0) lines.push(`  ${plural(more, 'more finding')} in results.json`);
}

function windowTexts({ windows }: LoadResult): string[] {
  const texts = windows.slice(0, WINDOWS_SHOWN).map(({ key, admitted, refused, remaining }) => {
    const values = remaining.filter((value) => value !== null);
    const stairs =
      values.length === 0 ? '' : `, remaining ${Math.max(...values)} to ${Math.min(...values)}`;
    return `${key}: ${admitted} admitted, ${refused} refused${stairs}`;
  });
  if (windows.length > WINDOWS_SHOWN) {
    texts.push(`${windows.length - WINDOWS_SHOWN} more in results.json`);
  }
  return texts;
}

function latencyTexts({ latency }: LoadResult): string[] {
  const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  return latency
    .slice(0, LATENCIES_SHOWN)
    .map(
      ({ endpoint, status, count, p50, p95, p99 }) =>
        `${endpoint} ${status}: ${count} responses, p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)} ms`,
    );
}
