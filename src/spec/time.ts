/** Durations in milliseconds. Days are UTC days, which all have the same length. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** UTC day of a time in epoch ms, `yyyy-MM-dd`. */
export const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
