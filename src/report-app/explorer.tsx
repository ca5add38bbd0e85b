import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { ListRow } from '../report/page/view/lists.tsx';
import { compileQuery } from './query.ts';
import { writeQuery } from './route.ts';
import { Search } from './search.tsx';

/** Height of a row, px; narrow pages have two lines per row. */
const WIDE = 34;
const NARROW = 62;
const narrow = matchMedia('(max-width: 44rem)');
/** Rows rendered beyond the visible ones. */
const SPARE = 8;

const TERMS = [
  ['is:found', 'with findings'],
  ['is:refused', 'refused'],
  ['http:429', '429'],
  ['role:none', 'without a key'],
] as const;

function useRowHeight(): number {
  const [height, setHeight] = useState(narrow.matches ? NARROW : WIDE);
  useEffect(() => {
    const follow = (): void => setHeight(narrow.matches ? NARROW : WIDE);
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
  return height;
}

/** Renders only the visible rows. */
function VirtualList({ rows }: { readonly rows: readonly ListRow[] }): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useRowHeight();
  const [top, setTop] = useState(0);
  const [room, setRoom] = useState(600);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const sizes = new ResizeObserver(() => setRoom(element.clientHeight || 600));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  useEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [rows]);
  const first = Math.max(0, Math.floor(top / height) - SPARE);
  const last = Math.min(rows.length, Math.ceil((top + room) / height) + SPARE);
  return (
    <div
      class="scroller"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label="Exchanges"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul
        ref={(list) => {
          if (list !== null) list.style.height = `${rows.length * height}px`;
        }}
      >
        {rows.slice(first, last).map((row, index) => (
          <li
            key={first + index}
            aria-posinset={first + index + 1}
            aria-setsize={rows.length}
            ref={(item) => {
              if (item === null) return;
              item.style.top = `${(first + index) * height}px`;
              item.style.height = `${height}px`;
            }}
          >
            <a href={`#${row.place}`}>{row.content()}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ExplorerProps {
  readonly rows: readonly ListRow[];
  readonly query: string;
}

/** All exchanges, with a search that is part of the URL. */
export function Explorer({ rows, query: asked }: ExplorerProps): VNode {
  const [query, setQuery] = useState(asked);
  useEffect(() => setQuery(asked), [asked]);
  const shown = useMemo(() => rows.filter(compileQuery(query)), [rows, query]);
  return (
    <>
      <Search
        view="exchanges"
        label="Search"
        query={query}
        terms={TERMS}
        onChange={(next) => {
          setQuery(next);
          writeQuery('exchanges', next);
        }}
      >
        <strong role="status">{`${shown.length} of ${rows.length} exchanges`}</strong>
        <span class="hint">
          {'. Search for words, ids and terms such as '}
          <code>is:failed</code> <code>e:/etfs</code> <code>http:400</code>{' '}
          <code>role:restricted</code>, or exclude a word with <code>-word</code>
          {'. Press / to search.'}
        </span>
      </Search>
      {shown.length === 0 ? <p>No matches.</p> : <VirtualList rows={shown} />}
    </>
  );
}
