import { useEffect, useState } from 'preact/hooks';

/** Where the reader is: a name before the `?` of the fragment, and parameters after it. */
export interface Route {
  readonly name: string;
  readonly parameters: URLSearchParams;
}

/** Reads a fragment such as `#checks?q=is%3Afailed`. A broken escape is taken as it stands. */
export function parseRoute(hash: string): Route {
  const text = hash.startsWith('#') ? hash.slice(1) : hash;
  const start = text.indexOf('?');
  const name = start < 0 ? text : text.slice(0, start);
  return {
    name: unescaped(name),
    parameters: new URLSearchParams(start < 0 ? '' : text.slice(start + 1)),
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The route as it is now, kept up to date. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseRoute(hash);
}

/** Writes a parameter of the present view into the address without a new step in the history. */
export function writeParameter(name: string, key: string, value: string): void {
  const hash = `#${name}${value === '' ? '' : `?${new URLSearchParams({ [key]: value }).toString()}`}`;
  if (hash === location.hash) return;
  try {
    history.replaceState(null, '', hash);
  } catch {
    // A page without an origin of its own may not do that everywhere; the filter works all the same.
  }
}
