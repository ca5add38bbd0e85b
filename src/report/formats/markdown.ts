import { plural } from '../../text/text.ts';
import { code, factLines, prose } from '../analysis/markdown-text.ts';
import { outlineOf } from '../analysis/outline.ts';
import type { Entry, TextReport } from '../analysis/text-report.ts';
import type { Results } from '../model/results.ts';

/** Below the 64 KB limit of step summaries. */
const BOUND = 60_000;

function entryBlock({ mark, text, is, facts }: Entry): string {
  const words =
    is === 'value' ? code(text, 500) : facts.length > 0 ? `**${prose(text)}**` : prose(text);
  const head = `- ${mark.replace(/^[+=~-]/, '\\$&')}${mark === '' ? '' : ' '}${words}`;
  if (facts.length === 0) return head;
  return [head, ...factLines(facts).map((line) => `  ${line}`), ''].join('\n');
}

/** The first blocks that fit into a number of bytes. */
function fitting(blocks: readonly string[], room: number): readonly string[] {
  let left = room;
  const end = blocks.findIndex((block) => (left -= Buffer.byteLength(block) + 1) < 0);
  return end === -1 ? blocks : blocks.slice(0, end);
}

/** Lays a report out as Markdown. Text from the target appears in code spans only, or escaped. Stays below 64 KB. */
export function toMarkdown({ title, sentence, lines, facts, parts, rest }: TextReport): string {
  const ids = (own: readonly string[]): string => own.map((id) => code(id, 120)).join(', ');
  const items = lines.map(
    (line) => `- ${prose(line.text)}${line.ids.length === 0 ? '' : `: ${ids(line.ids)}`}`,
  );
  const head = [`# Assay: ${prose(title)}`, '', prose(sentence, 1000), '', ...items];
  let text = [...head, '', ...factLines(facts), ''].join('\n');
  for (const { title: name, entries, noun } of parts) {
    // A third of the space is left for the parts that follow.
    const room = ((BOUND - Buffer.byteLength(text)) * 2) / 3;
    const blocks = fitting(entries.map(entryBlock), room);
    const left = entries.length - blocks.length;
    const more = left === 0 ? [] : [`${plural(left, `more ${noun}`)} ${rest}`, ''];
    text += ['', `## ${name}`, '', ...blocks, ...more].join('\n');
  }
  return `${text.trimEnd()}\n`;
}

/** Renders `summary.md` for step summaries and comments. */
export const renderMarkdown = (results: Results): string => toMarkdown(outlineOf(results));
