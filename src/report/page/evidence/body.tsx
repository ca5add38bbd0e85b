import type { ComponentChildren, VNode } from 'preact';
import { excerpt, layoutJson } from '../../../text/json-layout.ts';
import type { ExcerptLine, LaidOutLine } from '../../../text/json-layout.ts';
import { cut } from '../../../text/text.ts';
import { Block } from '../view/hidden.ts';

/** Larger bodies are not laid out, only cut. */
const LAYOUT_BOUND = 2_000_000;
const POINTERS = 8;

const TOKEN = /("(?:[^"\\]|\\.)*")(:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** A body laid out with one value a line, the values at the pointers marked; null when it is not JSON. */
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

/** A laid out line in colours. The characters are those that were sent. */
function Coloured({ line }: { readonly line: string }): VNode {
  const parts: ComponentChildren[] = [];
  let last = 0;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index > last) parts.push(line.slice(last, match.index));
    const [whole, string, colon, number] = match;
    const name =
      string !== undefined ? (colon === undefined ? 's' : 'k') : number !== undefined ? 'n' : 'w';
    parts.push(<span class={`t-${name}`}>{string ?? whole}</span>, colon ?? '');
    last = match.index + whole.length;
  }
  parts.push(line.slice(last));
  return <>{parts}</>;
}

/** How much of a body is shown. */
export interface BodyLimits {
  readonly lines: number;
  /** Of all lines; marked ones are shown all the same. */
  readonly characters: number;
  /** Of one line, so that one long value does not fill the page. */
  readonly line: number;
}

/** What is shown of a body, in what order. */
export interface ShownBody {
  /** Lines of a laid out body, or the text as it was sent. */
  readonly content: readonly ExcerptLine[] | string;
  readonly characters: number;
  /** What is missing, one sentence; null when nothing is. */
  readonly missing: string | null;
}

/** Chooses what is shown of a body: the beginning and what surrounds the marks. */
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
  const missing = leftOut === 0 ? null : `${leftOut} of ${lines.length} lines are left out here.`;
  return { content, characters, missing };
}

/** The lines of a laid out body for a `<pre>`, the failing places marked. No digit is ever rewritten. */
export function BodyLines({
  content,
  coloured = false,
}: {
  readonly content: ShownBody['content'];
  /** Each colour is an element; a page that shows many bodies does without. */
  readonly coloured?: boolean;
}): VNode {
  if (typeof content === 'string') return <Block text={content} />;
  return (
    <>
      {content.map((line) => {
        if ('leftOut' in line) {
          return (
            <span class="gap">
              <Block text={`… ${line.leftOut} lines left out …\n`} />
            </span>
          );
        }
        const shown = coloured ? <Coloured line={line.text} /> : line.text;
        return (
          <>
            {line.marked ? <mark>{shown}</mark> : shown}
            <Block text={'\n'} />
          </>
        );
      })}
    </>
  );
}
