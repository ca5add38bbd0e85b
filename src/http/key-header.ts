/** Letter case in which the name of the key header is sent. Names of headers have none (§5 rule 2). */
export type KeyCase = 'lower' | 'mixed';

/** A header name in another letter case; as it is without one. */
export function inCase(name: string, letterCase: KeyCase | undefined): string {
  if (letterCase === undefined) return name;
  const lower = name.toLowerCase();
  return letterCase === 'lower'
    ? lower
    : lower.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** How a header name is written, so that two requests that differ in that alone can be told apart. */
export function keyCaseOf(name: string): KeyCase | 'other' {
  if (name === inCase(name, 'lower')) return 'lower';
  return name === inCase(name, 'mixed') ? 'mixed' : 'other';
}
