import { createHash } from 'node:crypto';

/** Characters that replace each other; hexadecimal letters stay hexadecimal. */
const KINDS = '0123456789 abcdef ghijklmnopqrstuvwxyz ABCDEF GHIJKLMNOPQRSTUVWXYZ'.split(' ');

/**
 * A text with the length and character classes of a model, so that a service cannot recognise it by its format;
 * separators such as the dashes of a UUID are kept.
 * @param taken texts that it must not be
 * @param label seed of the characters
 * @param most how many of the last characters vary
 * @returns undefined when the model has nothing to vary
 */
export function lookalike(
  model: string,
  taken: readonly string[],
  label: string,
  most = model.length,
): string | undefined {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const stream = createHash('shake256', { outputLength: model.length })
      .update(`${label} ${attempt}`)
      .digest();
    const made = Array.from(model, (character, index) => {
      const kind = KINDS.find((letters) => letters.includes(character));
      const isKept = kind === undefined || index < model.length - most;
      return isKept ? character : kind.charAt((stream[index] ?? 0) % kind.length);
    }).join('');
    if (!taken.includes(made)) return made;
  }
  return undefined;
}
