import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { ListRow } from '../report/page/view/lists.tsx';
import { compileQuery } from './query.ts';
import { Search } from './search.tsx';

export interface ExplorerProps {
  /** Name of the view, as it stands in the address. */
  readonly view: string;
  readonly title: string;
  readonly noun: string;
  readonly rows: readonly ListRow[];
  readonly query: string;
  /** Terms offered as buttons, with the words on them. */
  readonly terms: readonly (readonly [term: string, words: string])[];
  /** Address of what is chosen and stands beside the list; null without it. */
  readonly chosen: string | null;
  readonly onQuery: (query: string) => void;
  /** Is told the addresses of the rows, in their order. */
  readonly onOrder: (places: readonly string[]) => void;
}

/** Height of a row, px; narrow pages have two lines a row. */
const WIDE = 34;
const NARROW = 62;
const narrow = matchMedia('(max-width: 44rem)');
/** Rows beyond the visible ones that are kept ready. */
const SPARE = 8;
/** Where each list was scrolled to when it was left. */
const places = new Map<string, number>();

function useRowHeight(): number {
  const [height, setHeight] = useState(narrow.matches ? NARROW : WIDE);
  useEffect(() => {
    const follow = (): void => setHeight(narrow.matches ? NARROW : WIDE);
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
  return height;
}

interface ListProps {
  readonly name: string;
  readonly label: string;
  readonly rows: readonly ListRow[];
  readonly chosen: string | null;
}

/** Only the rows in sight are in the document, so that 20,000 cost no more than 20. */
function VirtualList({ name, label, rows, chosen }: ListProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useRowHeight();
  const [top, setTop] = useState(places.get(name) ?? 0);
  const [room, setRoom] = useState(600);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    element.scrollTop = places.get(name) ?? 0;
    // The list is as high as the screen where something stands beside it.
    const sizes = new ResizeObserver(() => setRoom(element.clientHeight || 600));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [name]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const index = chosen === null ? -1 : rows.findIndex(({ place }) => place === chosen);
    if (element === null || index < 0) return;
    const [from, to] = [index * height, (index + 1) * height];
    const { scrollTop, clientHeight } = element;
    if (from >= scrollTop && to <= scrollTop + clientHeight) return;
    const near = from > scrollTop - 3 * height && to < scrollTop + clientHeight + 3 * height;
    if (!near) element.scrollTop = from - clientHeight / 2;
    else element.scrollTop = from < scrollTop ? from - height : to + height - clientHeight;
    // The row is to be there at once: it may be waited for with the focus.
    setTop(element.scrollTop);
  }, [chosen, rows, height]);
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && element.scrollTop > rows.length * height) element.scrollTop = 0;
  }, [rows, height]);
  const first = Math.max(0, Math.floor(top / height) - SPARE);
  const last = Math.min(rows.length, Math.ceil((top + room) / height) + SPARE);
  return (
    <div
      class="scroller"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop);
        places.set(name, event.currentTarget.scrollTop);
      }}
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
              if (item !== null) {
                item.style.top = `${(first + index) * height}px`;
                item.style.height = `${height}px`;
              }
            }}
          >
            <a href={`#${row.place}`} aria-current={row.place === chosen ? 'true' : undefined}>
              {row.content()}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A list with a search that stands in the address, so that what is seen can be sent to somebody. */
export function Explorer(props: ExplorerProps): VNode {
  const { view, title, noun, rows, query, terms, chosen, onQuery, onOrder } = props;
  const shown = useMemo(() => rows.filter(compileQuery(query)), [rows, query]);
  useLayoutEffect(() => onOrder(shown.map(({ place }) => place)), [shown, onOrder]);
  const change = (next: string): void => {
    places.delete(view);
    onQuery(next);
  };
  return (
    <>
      <h2 tabIndex={-1}>{title}</h2>
      <Search view={view} label="Search" query={query} terms={terms} onChange={change}>
        <strong role="status">{`${shown.length} of ${rows.length} ${noun}`}</strong>
        <span class="hint">
          {'. Words, "phrases", '}
          <code>is:failed</code> <code>s:4.3</code> <code>e:/etfs</code> <code>http:400</code>{' '}
          <code>-word</code>
          {' to leave out; / jumps here.'}
        </span>
      </Search>
      {shown.length === 0 ? (
        <p>Nothing fits this search.</p>
      ) : (
        <VirtualList name={view} label={title} rows={shown} chosen={chosen} />
      )}
    </>
  );
}
