// The end of the error output of a run: the reason, if there are no results.

const MOST_CHARACTERS = 4_000;
const MOST_LINES = 20;

/** Keeps the end of a stream. */
export function lastLines() {
  let text = '';
  return {
    add(chunk) {
      text = (text + String(chunk)).slice(-MOST_CHARACTERS);
    },
    /** The last lines that are not empty. */
    lines: () =>
      text
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '')
        .slice(-MOST_LINES),
  };
}

/** Lines as a Markdown code block whose fence none of them can close. */
export function block(lines) {
  const longest = Math.max(2, ...lines.map((line) => /`{3,}/.exec(line)?.[0].length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join('\n');
}
