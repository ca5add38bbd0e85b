import type { ComponentChildren, VNode } from 'preact';
import { toggleTerm } from './query.ts';

export interface SearchProps {
  /** Name of the view in the URL. */
  readonly view: string;
  readonly label: string;
  readonly query: string;
  /** Terms offered as buttons, with their labels. */
  readonly terms: readonly (readonly [term: string, words: string])[];
  readonly onChange: (query: string) => void;
  /** The number of matches and a hint. */
  readonly children: ComponentChildren;
}

/** A search field with buttons for common terms. */
export function Search(props: SearchProps): VNode {
  const { view, label, query, terms, onChange, children } = props;
  return (
    <div class="search">
      <label for={`search-${view}`}>{label}</label>
      <input
        id={`search-${view}`}
        class="search-field"
        type="search"
        value={query}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`hint-${view}`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <div class="bar-tools">
        {terms.map(([term, words]) => (
          <button
            type="button"
            aria-pressed={query.split(/\s+/).includes(term)}
            onClick={() => onChange(toggleTerm(query, term))}
          >
            {words}
          </button>
        ))}
      </div>
      <p class="note" id={`hint-${view}`}>
        {children}
      </p>
    </div>
  );
}
