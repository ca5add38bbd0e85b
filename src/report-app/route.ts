/** A URL fragment: a name before the `?`, and a search after it. */
export interface Route {
  readonly name: string;
  readonly query: string;
}

/** Reads a fragment such as `#requirements?q=is%3Afailed`. Invalid escapes are kept. */
export function parseRoute(hash: string): Route {
  const text = hash.startsWith('#') ? hash.slice(1) : hash;
  const start = text.indexOf('?');
  const name = start < 0 ? text : text.slice(0, start);
  const query = new URLSearchParams(start < 0 ? '' : text.slice(start + 1)).get('q') ?? '';
  return { name: unescaped(name), query };
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
