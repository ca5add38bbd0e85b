/** Variations of a valid key that were never issued (§5 rule 3). */
export const NEAR_KEYS = [
  'a valid key and one character more',
  'a valid key without its last character',
  'a valid key in another letter case',
  'a valid key and one character before it',
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
