/** Variations of a valid key that were never issued (§5 rule 3). */
export const NEAR_KEYS = [
  'a valid key followed by an extra character',
  'a valid key without its last character',
  'a valid key in a different letter case',
  'a valid key preceded by an extra character',
] as const;

/** The variations of a key; without letters, the one with another letter case is unchanged. */
export function nearKeys(key: string): readonly string[] {
  const swapped = Array.from(key, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  return [`${key}x`, key.slice(0, -1), swapped.join(''), `x${key}`];
}

/** Words that programs send when their key is not set. Not secret. */
export const WORD_KEYS = ['null', 'undefined'] as const;
