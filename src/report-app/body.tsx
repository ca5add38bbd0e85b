import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { layoutJson } from '../text/json-layout.ts';
import type { LaidOutLine } from '../text/json-layout.ts';
import { visible, visibleBlock } from '../text/text.ts';

/** Lines and characters shown before a reader asks for more. */
const LINES = 300;
const CHARACTERS = 60_000;
/** Lines kept around a marked one. */
const AROUND = 8;
/** Larger bodies are not laid out. */
const LAYOUT_BOUND = 2_000_000;
const POINTERS = 8;

const TOKEN = /("(?:[^"\\]|\\.)*")(:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** A laid out line in colours. The characters are those that were sent; hidden ones are made visible. */
function Line({ line }: { line: string }): ComponentChild {
  const parts: ComponentChild[] = [];
  let last = 0;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index > last) parts.push(line.slice(last, match.index));
    const [whole, string, colon, number] = match;
    const name =
      string !== undefined ? (colon === undefined ? 's' : 'k') : number !== undefined ? 'n' : 'w';
    const shown = string ?? whole;
    parts.push(<span class={`t-${name}`}>{visible(shown)}</span>, colon ?? '');
    last = match.index + whole.length;
  }
  parts.push(line.slice(last));
  return parts;
}

function merge(text: string, pointers: readonly string[]): readonly LaidOutLine[] | null {
  if (text.length > LAYOUT_BOUND) return null;
  const [first, ...rest] = pointers.length === 0 ? [null] : pointers.slice(0, POINTERS);
  const lines = layoutJson(text, first ?? null);
  if (lines === null) return null;
  const marked = new Set<number>();
  for (const pointer of rest) {
    layoutJson(text, pointer)?.forEach((line, index) => line.marked && marked.add(index));
  }
  return lines.map((line, index) => (marked.has(index) ? { ...line, marked: true } : line));
}

/** Which lines to show of many: the beginning and what surrounds the marks. */
function shownLines(lines: readonly LaidOutLine[]): readonly (readonly [number, LaidOutLine])[] {
  const near = new Set<number>();
  lines.forEach((line, index) => {
    if (!line.marked || near.size > LINES) return;
    for (let one = index - AROUND; one <= index + AROUND; one += 1) near.add(one);
  });
  const head = Math.max(20, LINES - near.size);
  return lines.flatMap((line, index): (readonly [number, LaidOutLine])[] =>
    index < head || near.has(index) ? [[index, line]] : [],
  );
}

function Pretty({ lines, all }: { lines: readonly LaidOutLine[]; all: boolean }): ComponentChild {
  const shown =
    all || lines.length <= LINES
      ? lines.map((one, index) => [index, one] as const)
      : shownLines(lines);
  let last = -1;
  return shown.map(([index, line]) => {
    const gap = index - last - 1;
    last = index;
    return (
      <>
        {gap > 0 && <span class="gap">{`… ${gap} lines left out …\n`}</span>}
        {line.marked ? (
          <mark>
            <Line line={line.text} />
          </mark>
        ) : (
          <Line line={line.text} />
        )}
        {'\n'}
      </>
    );
  });
}

/** The text as it was sent, cut where a page would suffer, the marked places in it. */
function Raw({
  text,
  lines,
  all,
}: {
  text: string;
  lines: readonly LaidOutLine[];
  all: boolean;
}): ComponentChild {
  const end = all ? text.length : Math.min(text.length, CHARACTERS);
  const found = lines.filter(({ marked }) => marked).toSorted((a, b) => a.start - b.start);
  // A mark around others, such as the object that lacks a member, would swallow them.
  const marks = found.filter(
    (one, index) => (found[index + 1]?.start ?? end) >= Math.min(one.end, end),
  );
  const parts: ComponentChild[] = [];
  let last = 0;
  for (const mark of marks) {
    if (mark.start < last || mark.start >= end) continue;
    parts.push(visibleBlock(text.slice(last, mark.start)));
    last = Math.min(end, mark.end);
    parts.push(<mark>{visibleBlock(text.slice(mark.start, last))}</mark>);
  }
  parts.push(visibleBlock(text.slice(last, end)));
  return parts;
}

export interface BodyProps {
  readonly label: string;
  readonly text: string;
  /** JSON pointers of the places to mark. */
  readonly pointers: readonly string[];
}

/** A body: laid out with the failing places marked, or raw. No digit is ever rewritten. */
export function Body({ label, text, pointers }: BodyProps): ComponentChild {
  const lines = useMemo(() => merge(text, pointers), [text, pointers]);
  const [raw, setRaw] = useState(false);
  const [all, setAll] = useState(false);
  const pane = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    // The failing place is what the reader came for; the pane alone is moved, not the page.
    const element = pane.current;
    const mark = element?.querySelector('mark');
    if (element === null || mark === null || mark === undefined) return;
    const below = mark.getBoundingClientRect().top - element.getBoundingClientRect().top;
    if (below > element.clientHeight - 48) element.scrollTop += below - element.clientHeight / 3;
  }, [lines, raw]);
  if (text === '') return <p class="note">The body is empty.</p>;
  const pretty = lines !== null && !raw;
  const long = pretty ? lines.length > LINES : text.length > CHARACTERS;
  return (
    <div class="body">
      <div class="bar-tools">
        {lines !== null && (
          <button type="button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            Raw
          </button>
        )}
        {long && (
          <button type="button" aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? 'Less' : `All ${pretty ? `${lines.length} lines` : `${text.length} characters`}`}
          </button>
        )}
        {lines === null && <span class="note">Not JSON; shown as it was sent.</span>}
      </div>
      <pre class="json" ref={pane} tabIndex={0} role="region" aria-label={label}>
        {pretty ? (
          <Pretty lines={lines} all={all} />
        ) : (
          <Raw text={text} lines={lines ?? []} all={all} />
        )}
      </pre>
    </div>
  );
}

/** The lines of a body as they are compared. */
export function linesOf(text: string): readonly string[] {
  return (layoutJson(text, null)?.map((line) => line.text) ?? text.split('\n')).map(visible);
}
