/**
 * Trims spaces and tabs from a header value, which are not part of it (RFC 9110, section 5.5). Other white space is, so
 * `trim` would remove too much. No regular expression, which would take quadratic time on long runs of spaces.
 */
export function headerValue(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** Headers by name; repeated ones are joined, as clients read them. */
export function joinedHeaders(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
