import type { VNode } from 'preact';
import { excerpt, layoutJson } from '../../../text/json-layout.ts';
import type { ExcerptLine, LaidOutLine } from '../../../text/json-layout.ts';
import { cut } from '../../../text/text.ts';
import { Block } from '../view/hidden.ts';

/** Larger bodies are only truncated, not laid out. */
const LAYOUT_BOUND = 2_000_000;
const POINTERS = 8;

/** A body with one value per line and the values at the pointers marked; null when it is not JSON. */
export function layOut(text: string, pointers: readonly string[]): readonly LaidOutLine[] | null {
  if (text.length > LAYOUT_BOUND) return null;
  const [first = null, ...rest] = pointers.slice(0, POINTERS);
  const lines = layoutJson(text, first);
  if (lines === null) return null;
  const marked = new Set<number>();
  for (const pointer of rest) {
    layoutJson(text, pointer)?.forEach((line, index) => line.marked && marked.add(index));
  }
  return lines.map((line, index) => (marked.has(index) ? { ...line, marked: true } : line));
}

/** How much of a body is shown. */
export interface BodyLimits {
  readonly lines: number;
  /** Of all lines; marked ones are always shown. */
  readonly characters: number;
  /** Of one line. */
  readonly line: number;
}

export interface ShownBody {
  /** Laid out lines, or the text as sent. */
  readonly content: readonly ExcerptLine[] | string;
  readonly characters: number;
  /** What is missing; null when nothing is. */
  readonly missing: string | null;
}

/** Chooses the lines to show: the beginning, and those around the marks. */
export function chooseLines(
  lines: readonly LaidOutLine[],
  { lines: most, characters: room, line: width }: BodyLimits,
): ShownBody {
  const content: ExcerptLine[] = [];
  let characters = 0;
  let leftOut = 0;
  for (const line of excerpt(lines, most)) {
    if ('leftOut' in line) {
      leftOut += line.leftOut;
      content.push(line);
    } else if (characters > room && !line.marked) {
      leftOut += 1;
    } else {
      const text = cut(line.text, width);
      characters += text.length;
      content.push({ ...line, text });
    }
  }
  const missing = leftOut === 0 ? null : `${leftOut} of ${lines.length} lines omitted.`;
  return { content, characters, missing };
}

/** The lines of a body for a `<pre>`, with marks. Values are never rewritten. */
export function BodyLines({ content }: Pick<ShownBody, 'content'>): VNode {
  if (typeof content === 'string') return <Block text={content} />;
  return (
    <>
      {content.map((line) => {
        if ('leftOut' in line) {
          return (
            <span class="gap">
              <Block text={`… ${line.leftOut} lines omitted …\n`} />
            </span>
          );
        }
        return (
          <>
            {line.marked ? <mark>{line.text}</mark> : line.text}
            <Block text={'\n'} />
          </>
        );
      })}
    </>
  );
}
