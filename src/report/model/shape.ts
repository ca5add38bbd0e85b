/** A text without quoted names, paths and numbers. */
export function shape(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|'[^']*'/g, '‹›')
    .replace(/(?:\/[\w{}%.~*-]+)+/g, '‹path›')
    .replace(/\d+(?:\.\d+)?/g, '#');
}
