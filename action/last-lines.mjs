// What a run said last on its error stream: the reason when it leaves nothing else behind.

const MOST_CHARACTERS = 4_000;
const MOST_LINES = 20;

/** Keeps the end of a stream that is passed on. */
export function lastLines() {
  let text = '';
  return {
    add(chunk) {
      text = (text + String(chunk)).slice(-MOST_CHARACTERS);
    },
    /** The last lines, without those that are empty. */
    lines: () =>
      text
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '')
        .slice(-MOST_LINES),
  };
}

/** Lines as a block of Markdown that none of them can end. */
export function block(lines) {
  const longest = Math.max(2, ...lines.map((line) => /`{3,}/.exec(line)?.[0].length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join('\n');
}
