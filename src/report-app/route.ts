/** Where the reader is: a name before the `?` of the fragment, and a search after it. */
export interface Route {
  readonly name: string;
  readonly query: string;
}

/** Reads a fragment such as `#requirements?q=is%3Afailed`. A broken escape is taken as it stands. */
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

/** Writes the search of a view into the address without a new step in the history. */
export function writeQuery(name: string, query: string): void {
  const hash = `#${name}${query === '' ? '' : `?${new URLSearchParams({ q: query }).toString()}`}`;
  if (hash === location.hash) return;
  try {
    history.replaceState(null, '', hash);
  } catch {
    // A page without an origin of its own may not do that everywhere; the search works all the same.
  }
}
