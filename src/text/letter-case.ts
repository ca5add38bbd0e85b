/**
 * A text as it compares with others regardless of letter case, in whichever direction the other side folded it: the small
 * form of "İ" is two characters, and the capital form of "ß" is.
 */
export const folded = (text: string): string =>
  text.toLowerCase().toUpperCase().normalize('NFKC').toLowerCase().normalize('NFKC');
