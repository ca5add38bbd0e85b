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
