/** Size of the cache, in characters of text. The news read in a standard run have a third as many. */
const CACHE_SIZE = 2_000_000;
/** Overhead of a result, in characters. */
const OVERHEAD = 100;
/** Longer texts are not cached. */
const LONGEST = 8192;

/**
 * Caches the results of a pure function. Texts repeat often: a news item is on several pages and is judged by several
 * checks.
 */
export function remembered<Result extends object>(
  read: (text: string) => Result,
): (text: string) => Result {
  const cache = new Map<string, Result>();
  let size = 0;
  return (text) => {
    if (text.length > LONGEST) return read(text);
    const known = cache.get(text);
    if (known !== undefined) return known;
    const result = read(text);
    size += text.length + OVERHEAD;
    if (size > CACHE_SIZE) {
      cache.clear();
      size = text.length + OVERHEAD;
    }
    cache.set(text, result);
    return result;
  };
}

/** Caches the results of a pure function while its first argument lives; further arguments count only the first time. */
export function perObject<Of extends object, More extends readonly unknown[], Result>(
  read: (of: Of, ...more: More) => Result,
): (of: Of, ...more: More) => Result {
  const known = new WeakMap<Of, { readonly result: Result }>();
  return (of, ...more) => {
    const entry = known.get(of) ?? { result: read(of, ...more) };
    known.set(of, entry);
    return entry.result;
  };
}
