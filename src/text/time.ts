/** Range of dates around 1970, ms (ECMA-262). */
const FARTHEST = 8.64e15;

/** Formats epoch ms; targets may send invalid numbers. */
export function isoTime(time: number): string {
  return Math.abs(time) <= FARTHEST ? new Date(time).toISOString() : 'no time';
}

/** Epoch ms with a readable form: `1750000000000 (2025-06-15T15:06:40.000Z)`. */
export function readableTime(time: number | null): string {
  return time === null ? 'none' : `${Math.round(time)} (${isoTime(time)})`;
}
