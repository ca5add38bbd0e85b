/**
 * The value of a header without the spaces and tabs around it, which are no part of it (RFC 9110, section 5.5). Other white
 * space is: `trim` would take too much. No pattern, since those take quadratic time on a long run of spaces.
 */
export function headerValue(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;
