import { oneLine, visible } from '../../text/text.ts';

/** Escapes prose that may quote the target: markup, mentions, references and automatic links. */
export function prose(text: string, max = 600): string {
  return oneLine(text, max)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]|~$]|^[#+-]/g, '\\$&')
    .replace(/@(?=\S)|:(?=\/\/)|\bwww(?=\.)|#(?=\d)/gi, '$&<!-- -->');
}

/** Text in a code span whose fence is longer than any run of backticks inside. */
export function code(text: string, max = 300): string {
  const shown = oneLine(text, max);
  if (shown === '') return '(empty)';
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown strips one space on each side; it separates a leading or trailing backtick from the fence.
  return `${fence} ${shown} ${fence}`;
}

/** A fenced block with hidden characters made visible, and a fence longer than any run of backticks inside. */
export function fenced(lines: readonly string[], language: string): readonly string[] {
  const shown = lines.map((line) => visible(line));
  const longest = Math.max(2, ...(shown.join('\n').match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...shown, fence];
}
