/**
 * Keys that were never issued (§5 rule 3): variations of a valid key, and words that programs send when their key is not
 * set.
 */
export const KEY_VARIATIONS = {
  longer: 'a valid key followed by an extra character',
  shorter: 'a valid key without its last character',
  'other-case': 'a valid key in a different letter case',
  prefixed: 'a valid key preceded by an extra character',
  null: 'the word null as the key',
  undefined: 'the word undefined as the key',
} as const;

export type KeyVariation = keyof typeof KEY_VARIATIONS;

/** The variations of a key; without letters, the one with another letter case is unchanged. */
export function nearKeys(key: string): readonly string[] {
  const swapped = Array.from(key, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  return [`${key}x`, key.slice(0, -1), swapped.join(''), `x${key}`];
}

/** The words among {@link KEY_VARIATIONS}, which are not secret. */
export const WORD_KEYS = ['null', 'undefined'] as const;

/** The variation of a valid key that an unknown key is, if any. */
export function variationOf(key: string, valid: string): KeyVariation | undefined {
  const names = Object.keys(KEY_VARIATIONS) as KeyVariation[];
  return names[[...nearKeys(valid), ...WORD_KEYS].indexOf(key)];
}
