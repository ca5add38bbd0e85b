/** Letter case of the key header. Header names are case-insensitive (§5 rule 2). */
export type KeyCase = 'lower' | 'mixed';

/** Changes the letter case of a header name. */
export function inCase(name: string, letterCase: KeyCase | undefined): string {
  if (letterCase === undefined) return name;
  const lower = name.toLowerCase();
  return letterCase === 'lower'
    ? lower
    : lower.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** The letter case of a header name, to distinguish requests that differ only in it. */
export function keyCaseOf(name: string): KeyCase | 'other' {
  if (name === inCase(name, 'lower')) return 'lower';
  return name === inCase(name, 'mixed') ? 'mixed' : 'other';
}
