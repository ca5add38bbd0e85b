import type { VNode } from 'preact';
import { layoutJson, type ExcerptLine, type LaidOutLine } from '../../../text/json-layout.ts';
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

interface BodyLinesProps {
  readonly lines: readonly ExcerptLine[];
  /** Characters shown of one line. */
  readonly width?: number;
}

/** The lines of a body for a `<pre>`, with marks. Values are never rewritten. */
export function BodyLines({ lines, width = Infinity }: BodyLinesProps): VNode {
  return (
    <>
      {lines.map((line) => {
        if ('leftOut' in line) {
          return (
            <span class="gap">
              <Block text={`… ${line.leftOut} lines omitted …\n`} />
            </span>
          );
        }
        const text = cut(line.text, width);
        return (
          <>
            {line.marked ? <mark>{text}</mark> : text}
            <Block text={'\n'} />
          </>
        );
      })}
    </>
  );
}
