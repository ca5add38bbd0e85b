/** What becomes of a valid key so that it is nearly the same and was never issued (§5 rule 3). */
export const NEAR_KEYS = [
  'a valid key and one character more',
  'a valid key without its last character',
  'a valid key in another letter case',
  'a valid key and one character before it',
] as const;

/** The key in each of these forms; one that has no letters is the same in another letter case. */
export function nearKeys(key: string): readonly string[] {
  const swapped = Array.from(key, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  return [`${key}x`, key.slice(0, -1), swapped.join(''), `x${key}`];
}

/** What programs send whose key was never set: words that no service issues and that are no secret. */
export const WORD_KEYS = ['null', 'undefined'] as const;
