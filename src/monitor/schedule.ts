import { createHash } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '../spec/time.ts';
import { OptionError } from '../run/option-error.ts';
import { plural } from '../text/text.ts';

/** A schedule of runs. Times are epoch ms, calendars UTC. */
export interface Schedule {
  /** The latest time up to and including `now`. */
  previous(now: number): number;
  /** The first time after `now`. */
  next(now: number): number;
  /** Number of times after `from`, up to and including `to`. */
  count(from: number, to: number): number;
  readonly intervalMs: number;
  /** `every 6 hours`. */
  readonly words: string;
}

/** Minimum interval: a run takes minutes at the rate limit. */
const LEAST_EVERY = MINUTE;
/** Maximum interval, so that every month has a run. */
const MOST_EVERY = 28 * DAY;

/**
 * A fixed interval, counted from midnight UTC of 1970-01-01: every six hours means at 0, 6, 12 and 18 o'clock.
 * @throws OptionError for less than a minute or more than 28 days
 */
export function every(ms: number): Schedule {
  if (!Number.isSafeInteger(ms) || ms < LEAST_EVERY || ms > MOST_EVERY) {
    throw new OptionError(
      'The monitor interval must be between one minute and 28 days.',
      'For example --every 6h.',
    );
  }
  return {
    previous: (now) => Math.floor(now / ms) * ms,
    next: (now) => (Math.floor(now / ms) + 1) * ms,
    count: (from, to) => Math.max(0, Math.floor(to / ms) - Math.floor(from / ms)),
    intervalMs: ms,
    words: `every ${lengthWords(ms)}`,
  };
}

/** Jitter: share of the interval, and maximum, ms. */
const JITTER_SHARE = 0.1;
const MOST_JITTER = 15 * MINUTE;

/**
 * Jitter of a scheduled run, ms: up to a tenth of the interval and at most 15 minutes, so that many monitors do not
 * start in the same second. Deterministic for a time and seed.
 */
export function jitterOf(moment: number, intervalMs: number, seed: string): number {
  const most = Math.min(MOST_JITTER, intervalMs * JITTER_SHARE);
  const digest = createHash('sha256').update(`${seed} ${moment}`).digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * most);
}

/** `6 hours`, `90 minutes`. */
function lengthWords(ms: number): string {
  const units = [
    [DAY, 'day'],
    [HOUR, 'hour'],
    [MINUTE, 'minute'],
  ] as const;
  const [unit, word] = units.find(([one]) => ms % one === 0) ?? [1000, 'second'];
  return plural(Math.round(ms / unit), word);
}
