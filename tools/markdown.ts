/** A paragraph, a heading and so on, or the lines of a list, a table or a code block. */
export type Block = string | readonly string[];

/** Blocks of Markdown, with an empty line between them; empty blocks are left out. */
export const blocks = (...parts: readonly Block[]): string =>
  parts
    .map((part) => [part].flat().join('\n'))
    .filter((text) => text !== '')
    .join('\n\n');

/** Text in a cell of a table. */
export const cell = (text: string): string =>
  text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;');

/** A row of a table. */
export const row = (...cells: readonly (string | number)[]): string =>
  `| ${cells.map((value) => cell(String(value))).join(' | ')} |`;
