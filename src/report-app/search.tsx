import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { OUTCOMES } from '../report/model/results.ts';
import type { PageData } from '../report/page/page-data.ts';
import { searchable, type ListRow, type Searchable } from '../report/page/view/lists.tsx';
import { anchor, Button, more, outcomeWords } from '../report/page/view/parts.tsx';
import { compileQuery, toggleTerm, writeQuery } from './query.ts';

interface SearchProps<Item> {
  readonly view: string;
  readonly query: string;
  readonly items: readonly Item[];
  /** Terms offered as buttons, with their labels. */
  readonly terms: readonly (readonly [term: string, words: string])[];
  readonly examples: readonly string[];
  readonly children: (matches: readonly Item[], isAsked: boolean) => ComponentChildren;
}

/** A search field that is part of the URL, with buttons for common terms, and its matches. */
function Search<Item extends Searchable>(props: SearchProps<Item>): VNode {
  const { view, query: asked, items, terms, examples, children } = props;
  const [query, setQuery] = useState(asked);
  useEffect(() => setQuery(asked), [asked]);
  const matches = useMemo(() => items.filter(compileQuery(query)), [items, query]);
  const change = (next: string): void => {
    setQuery(next);
    writeQuery(view, next);
  };
  return (
    <>
      <div class="bar-tools">
        <label for={`search-${view}`}>Search</label>
        <input
          id={`search-${view}`}
          class="search-field"
          type="search"
          value={query}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`hint-${view}`}
          onInput={(event) => change(event.currentTarget.value)}
        />
        {terms.map(([term, words]) => (
          <Button
            pressed={query.split(/\s+/).includes(term)}
            act={() => change(toggleTerm(query, term))}
          >
            {words}
          </Button>
        ))}
      </div>
      <p class="note" id={`hint-${view}`}>
        <strong role="status">{`${matches.length} of ${items.length} ${view}`}</strong>
        {'. Search for words, "phrases", '}
        {examples.map((term) => [<code>{term}</code>, ' '])}
        <code>-word</code>
        {' to exclude. Press / to search.'}
      </p>
      {children(matches, query.trim() !== '')}
    </>
  );
}

/** Matches shown; a longer list would be slow, and nobody reads it. */
const SHOWN = 100;

const TERMS = [
  ['is:found', 'with findings'],
  ['is:refused', 'refused'],
  ['http:429', '429'],
  ['role:none', 'without a key'],
] as const;

/** The search of the exchanges. */
export function Explorer({ rows, query }: { rows: readonly ListRow[]; query: string }): VNode {
  const examples = ['is:failed', 'e:/etfs', 'http:400', 'role:restricted'];
  return (
    <Search view="exchanges" query={query} items={rows} terms={TERMS} examples={examples}>
      {(matches) => (
        <>
          {matches.length === 0 && <p>No matches.</p>}
          <ul class="rows">
            {matches.slice(0, SHOWN).map((row) => (
              <li key={row.elementId}>
                <a href={`#${row.elementId}`}>{row.content()}</a>
              </li>
            ))}
          </ul>
          {more(matches.length - SHOWN, 'matches: narrow the search')}
        </>
      )}
    </Search>
  );
}

type Row = Pick<ListRow, 'elementId'>;

/** Shows the matching rows of the static page and, when searching, unfolds their sections. */
function Show({ matches, isAsked }: { matches: readonly Row[]; isAsked: boolean }): null {
  useEffect(() => {
    const fitting = new Set(matches.map(({ elementId }) => elementId));
    for (const part of document.querySelectorAll<HTMLDetailsElement>('#requirements .part')) {
      const rows = [...part.querySelectorAll<HTMLElement>('tbody > tr[id]')];
      for (const row of rows) row.hidden = !fitting.has(row.id);
      part.hidden = rows.every(({ hidden }) => hidden);
      if (isAsked && !part.hidden) part.open = true;
    }
  }, [matches, isAsked]);
  return null;
}

/** The search of the requirements. */
export function Filter({ data, query }: { data: PageData; query: string }): VNode {
  const { requirements } = data;
  const items = useMemo(
    () => requirements.map((one) => ({ elementId: anchor('r', one.id), ...searchable(one, data) })),
    [requirements, data],
  );
  const seen = OUTCOMES.filter((outcome) => requirements.some((one) => one.outcome === outcome));
  const terms = seen.map((outcome) => [`is:${outcome}`, outcomeWords(outcome)] as const);
  const examples = ['level:must', 's:4.3', 'e:/etfs', 'role:expired', 'is:unproven'];
  return (
    <Search view="requirements" query={query} items={items} terms={terms} examples={examples}>
      {(matches, isAsked) => <Show matches={matches} isAsked={isAsked} />}
    </Search>
  );
}
