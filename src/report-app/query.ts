import type { Searchable } from '../report/page/view/lists.tsx';

/** `-name:"some words"`, `name:value`, `"some words"`, `word`; a leading `-` excludes matches. */
const TERM = /(-)?(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi;

/** Names that match whole values; others match substrings. */
const WHOLE = new Set(['is', 'level', 'http', 'code', 'role', 'method']);

function termsOf(query: string) {
  return [...query.matchAll(TERM)].map(([, minus, name, phrase, word]) => {
    const known = name !== undefined && [...WHOLE, 's', 'r', 'e'].includes(name.toLowerCase());
    const text = phrase ?? word ?? '';
    return {
      name: known ? name.toLowerCase() : null,
      value: (known || name === undefined ? text : `${name}:${text}`).toLowerCase(),
      without: minus !== undefined,
    };
  });
}

function matches(item: Searchable, { name, value }: ReturnType<typeof termsOf>[number]): boolean {
  if (name === null) return item.words.includes(value);
  const held = item.values[name] ?? '';
  if (name === 's') return held === value || held.startsWith(`${value}.`);
  return (WHOLE.has(name) ? held.split(' ') : held).includes(value);
}

/** A predicate for a query: every term must match. */
export function compileQuery(query: string): (item: Searchable) => boolean {
  const terms = termsOf(query);
  return (item) => terms.every((term) => matches(item, term) !== term.without);
}

/** Adds a term to the query, or removes it. */
export function toggleTerm(query: string, term: string): string {
  const terms = query.split(/\s+/).filter((one) => one !== '');
  return (terms.includes(term) ? terms.filter((one) => one !== term) : [...terms, term]).join(' ');
}

/** The name and the search in a fragment such as `#requirements?q=is%3Afailed`. Invalid escapes are kept. */
export function parseRoute(hash: string): { readonly name: string; readonly query: string } {
  const [name = '', ...search] = hash.replace(/^#/, '').split('?');
  return { name: unescaped(name), query: new URLSearchParams(search.join('?')).get('q') ?? '' };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Writes a search into the URL without a new history entry. */
export function writeQuery(name: string, query: string): void {
  const hash = `#${name}${query === '' ? '' : `?${new URLSearchParams({ q: query }).toString()}`}`;
  if (hash === location.hash) return;
  try {
    history.replaceState(null, '', hash);
  } catch {
    // Not allowed in pages without an origin; the search works anyway.
  }
}
