import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Searchable } from '../report/page/view/lists.tsx';
import { compileQuery, toggleTerm } from './query.ts';
import { writeQuery } from './route.ts';

interface SearchProps<Item> {
  /** Name of the view in the URL. */
  readonly view: string;
  /** The query in the URL. */
  readonly query: string;
  readonly items: readonly Item[];
  /** Terms offered as buttons, with their labels. */
  readonly terms: readonly (readonly [term: string, words: string])[];
  /** Examples of terms. */
  readonly examples: readonly string[];
  /** Shows the matches. */
  readonly children: (matches: readonly Item[], isAsked: boolean) => ComponentChildren;
}

/** A search field that is part of the URL, with buttons for common terms, and its matches. */
export function Search<Item extends Searchable>(props: SearchProps<Item>): VNode {
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
      <div class="search">
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
        <div class="bar-tools">
          {terms.map(([term, words]) => (
            <button
              type="button"
              aria-pressed={query.split(/\s+/).includes(term)}
              onClick={() => change(toggleTerm(query, term))}
            >
              {words}
            </button>
          ))}
        </div>
        <p class="note" id={`hint-${view}`}>
          <strong role="status">{`${matches.length} of ${items.length} ${view}`}</strong>
          <span>
            {'. Search for words, "phrases", '}
            {examples.map((term) => [<code>{term}</code>, ' '])}
            <code>-word</code>
            {' to exclude. Press / to search.'}
          </span>
        </p>
      </div>
      {children(matches, query.trim() !== '')}
    </>
  );
}
