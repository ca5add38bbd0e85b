/**
 * Folds a text for comparisons that ignore case, whether the other side used upper or lower case: "İ" in lower case and
 * "ß" in upper case become two characters.
 */
export const folded = (text: string): string =>
  text.toLowerCase().toUpperCase().normalize('NFKC').toLowerCase().normalize('NFKC');
