/** Largest distance from 1970 that a date can have, ms (ECMA-262). */
const FARTHEST = 8.64e15;

/** Unix time in ms as a person reads it; targets send numbers that are no time at all. */
export function isoTime(time: number): string {
  return Math.abs(time) <= FARTHEST ? new Date(time).toISOString() : 'no time';
}

/** Unix time in ms as it was sent, with what a person reads: `1750000000000 (2025-06-15T15:06:40.000Z)`. */
export function moment(time: number | null): string {
  return time === null ? 'none' : `${time} (${isoTime(time)})`;
}
