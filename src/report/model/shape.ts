/** A message without what differs from place to place: quoted names, paths, numbers. Messages of one kind agree in it. */
export function shape(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|'[^']*'/g, '‹›')
    .replace(/(?:\/[\w{}%.~*-]+)+/g, '‹path›')
    .replace(/\d+(?:\.\d+)?/g, '#');
}
