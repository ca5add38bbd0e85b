import { oneLine, visible } from '../../text/text.ts';
import type { Fact } from './text-report.ts';

/** Escapes prose that may quote the target: markup, mentions, references and automatic links. */
export function prose(text: string, max = 600): string {
  return oneLine(text, max)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]|~$]|^[#+-]/g, '\\$&')
    .replace(/@(?=\S)|:(?=\/\/)|\bwww(?=\.)|#(?=\d)/gi, '$&<!-- -->');
}

/** A fence longer than any run of backticks in a text, and than `least`. */
const fenceOf = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);

/** Text in a code span. */
export function code(text: string, max = 300): string {
  const shown = oneLine(text, max);
  if (shown === '') return '(empty)';
  const fence = fenceOf(shown, 0);
  // Markdown strips one space on each side; it separates a leading or trailing backtick from the fence.
  return `${fence} ${shown} ${fence}`;
}

/** A fenced block with hidden characters made visible. */
export function fenced(lines: readonly string[], language: string): readonly string[] {
  const shown = lines.map((line) => visible(line));
  const fence = fenceOf(shown.join('\n'), 2);
  return [`${fence}${language}`, ...shown, fence];
}

/** Facts as a list, and the commands among them as a block to copy. */
export function factLines(facts: readonly Fact[]): readonly string[] {
  const commands = facts.flatMap(({ is, text }) => (is === 'command' ? [text] : []));
  return [
    ...facts
      .filter(({ is }) => is !== 'command')
      .map(
        ({ label, text, is }) => `- ${label}: ${is === 'prose' ? prose(text) : code(text, 500)}`,
      ),
    ...(commands.length === 0 ? [] : ['', ...fenced(commands, 'sh')]),
  ];
}
