/** Results that are kept, twice as many at most: those asked for since the last half was forgotten, and that half. */
const KEPT = 500;
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
  return (text) => {
    if (text.length > LONGEST) return read(text);
    const known = recent.get(text) ?? older.get(text) ?? read(text);
    if (recent.size >= KEPT && !recent.has(text)) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, known);
    return known;
  };
}
