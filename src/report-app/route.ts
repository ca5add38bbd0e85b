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
