/**
 * A message without the backticks around names such as `list[0].id`. Messages may quote a target, so backticks in them never
 * become elements of a page: a target could create any number of them.
 */
export function withoutMarks(text: string): string {
  return text.replace(/`([\w.[\]/{}*-]{1,80})`/g, '$1');
}
