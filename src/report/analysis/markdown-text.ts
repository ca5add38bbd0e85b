import { oneLine, visible } from '../../text/text.ts';

/**
 * Prose that is ours but may quote the target: no markup, no mention, no reference and no automatic link survives.
 */
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
  // A space on both sides is taken away again by the reader; it keeps a leading or trailing backtick apart.
  return `${fence} ${shown} ${fence}`;
}

/**
 * A fenced block of one line each; hidden characters become visible, and the fence is longer than any run of backticks
 * inside.
 *
 * @param language what the block is in, as a reader of Markdown names it; a word of ours
 */
export function fenced(lines: readonly string[], language: string): readonly string[] {
  const shown = lines.map((line) => visible(line));
  const longest = Math.max(2, ...(shown.join('\n').match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...shown, fence];
}
