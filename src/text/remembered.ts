/**
 * Characters of the texts whose results are kept, twice as many at most: those asked for since the last half was forgotten,
 * and that half. The news that a run of the standard profile reads have two thirds as many.
 */
const KEPT = 1_000_000;
/** What a result takes beside its text, in characters. */
const BESIDE = 100;
/** Longer texts are looked at anew each time, so that what is kept stays small. */
const LONGEST = 8192;

/**
 * Remembers what a pure function said of a text. The same texts come again and again: a news item stands on several
 * pages, and is judged by several checks.
 */
export function remembered<Result extends object>(
  read: (text: string) => Result,
): (text: string) => Result {
  let recent = new Map<string, Result>();
  let older = new Map<string, Result>();
  let size = 0;
  return (text) => {
    if (text.length > LONGEST) return read(text);
    const known = recent.get(text) ?? older.get(text) ?? read(text);
    if (!recent.has(text)) {
      size += text.length + BESIDE;
      if (size > KEPT) {
        older = recent;
        recent = new Map();
        size = text.length + BESIDE;
      }
      recent.set(text, known);
    }
    return known;
  };
}
