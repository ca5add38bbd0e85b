import type { VNode } from 'preact';
import type { ListRow } from '../report/page/view/lists.tsx';
import { more } from '../report/page/view/parts.tsx';
import { Search } from './search.tsx';

/** Matches shown; a longer list would be slow, and nobody reads it. */
const SHOWN = 300;

const TERMS = [
  ['is:found', 'with findings'],
  ['is:refused', 'refused'],
  ['http:429', '429'],
  ['role:none', 'without a key'],
] as const;
const EXAMPLES = ['is:failed', 'e:/etfs', 'http:400', 'role:restricted'];

interface ExplorerProps {
  readonly rows: readonly ListRow[];
  readonly query: string;
}

/** The search of the exchanges. */
export function Explorer({ rows, query }: ExplorerProps): VNode {
  return (
    <Search view="exchanges" query={query} items={rows} terms={TERMS} examples={EXAMPLES}>
      {(matches) => (
        <>
          {matches.length === 0 && <p>No matches.</p>}
          <ul class="rows">
            {matches.slice(0, SHOWN).map((row) => (
              <li key={row.place}>
                <a href={`#${row.place}`}>{row.content()}</a>
              </li>
            ))}
          </ul>
          {more(matches.length - SHOWN, 'matches: narrow the search')}
        </>
      )}
    </Search>
  );
}
