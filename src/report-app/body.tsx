import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { BodyLines, layOut } from '../report/page/evidence/body.tsx';
import { Block } from '../report/page/view/hidden.ts';
import { excerpt } from '../text/json-layout.ts';

const LINES = 300;
const CHARACTERS = 60_000;

interface BodyProps {
  readonly label: string;
  readonly text: string;
  /** JSON pointers of the values to mark. */
  readonly pointers: readonly string[];
}

/** A body with buttons to show it raw and in full. */
export function Body({ label, text, pointers }: BodyProps): VNode {
  const lines = useMemo(() => layOut(text, pointers), [text, pointers]);
  const [raw, setRaw] = useState(false);
  const [all, setAll] = useState(false);
  const pane = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    // Scroll the pane, not the page, to the first mark.
    const element = pane.current;
    const mark = element?.querySelector('mark');
    if (element === null || mark === null || mark === undefined) return;
    const below = mark.getBoundingClientRect().top - element.getBoundingClientRect().top;
    if (below > element.clientHeight - 48) element.scrollTop += below - element.clientHeight / 3;
  }, [lines, raw]);
  if (text === '') return <p class="note">The body is empty.</p>;
  const pretty = raw ? null : lines;
  const long = pretty === null ? text.length > CHARACTERS : pretty.length > LINES;
  const size = pretty === null ? `${text.length} characters` : `${pretty.length} lines`;
  return (
    <>
      <div class="bar-tools">
        {lines !== null && (
          <button type="button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            Raw
          </button>
        )}
        {long && (
          <button type="button" aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? 'Less' : `All ${size}`}
          </button>
        )}
        {lines === null && <span class="note">Not JSON; shown as sent.</span>}
      </div>
      <pre class="json" ref={pane} tabIndex={0} role="region" aria-label={label}>
        {pretty === null ? (
          <Block text={all ? text : text.slice(0, CHARACTERS)} />
        ) : (
          <BodyLines lines={all ? pretty : excerpt(pretty, LINES)} />
        )}
      </pre>
    </>
  );
}
