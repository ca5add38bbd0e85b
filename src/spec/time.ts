/** Durations in milliseconds. Days are UTC days, which all have the same length. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Memo: rows of a few months are dated again and again. */
const days = new Map<number, string>();
const MOST_DAYS = 4096;

/** UTC day of a time in epoch ms, `yyyy-MM-dd`. */
export function isoDay(time: number): string {
  const day = Math.floor(time / DAY);
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size === MOST_DAYS) days.clear();
  const text = new Date(time).toISOString().slice(0, 10);
  days.set(day, text);
  return text;
}
