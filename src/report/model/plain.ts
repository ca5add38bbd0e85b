/**
 * A message without the marks around names such as `list[0].id`. Messages may quote a target, so marks in them never
 * become elements of a page: a target could make any number of them.
 */
export function withoutMarks(text: string): string {
  return text.replace(/`([\w.[\]/{}*-]{1,80})`/g, '$1');
}
