import { DAY } from './time.ts';

/** Limits of the service (§8). Times are milliseconds. */

/** Requests per key and window (§8). */
export const RATE_LIMIT = 20;
/** Length of the request window (§8). */
export const RATE_WINDOW_MS = 60_000;
/** Requests per key and month (§8). */
export const MONTHLY_QUOTA = 100_000;
/** `details.window` of the 429 (§8). Does not change when a test target scales its window. */
export const RATE_WINDOW_TEXT = '60s';
/** `message` of the 429 (§8). */
export const RATE_LIMIT_MESSAGE = 'Rate limit exceeded';

/** Names of the rate-limit headers (§8), lower-cased as recorded. */
export const RATE_HEADERS = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;

/**
 * Tolerance between two announcements of the same reset (§8, ruling 12), ms: a second for rounding, plus a little for
 * different clocks of instances.
 */
export const RESET_TOLERANCE_MS = 1100;

/** Name of the key header (§5 rule 2), as in `details.header`. */
export const KEY_HEADER = 'X-API-KEY';

/**
 * How far back a range may go (§4.1-§4.5, §8). A "month" is a calendar month of at most 31 days; records get one more
 * day of tolerance (ruling 5).
 */
export const WINDOWS = {
  klines: recent('3 months', 92),
  etf: recent('1 month', 31),
  news: recent('7 days', 7),
} as const;
export type WindowName = keyof typeof WINDOWS;

function recent(length: string, maxDays: number) {
  return { length, text: `most recent ${length}`, maxMs: maxDays * DAY };
}

/** Tolerance for records outside of a window (ruling 5). */
export const WINDOW_TOLERANCE_MS = DAY;

/** Maximum number of items in a `GET /news` response (§4.2 rule 4). */
export const NEWS_MAX_ITEMS = 200;

/** The reading of `8/refused-counted` that decides whether errors use up a window. */
export const ERRORS_COUNT = 'Requests refused with 4xx count against the limit';

/** The answer of a reading that a run could not find. */
export const UNDECIDED = 'not distinguishable';

/** How far the limiter's clock may be from a correct one, ms; less for short test windows (ruling 12). */
export const doubtOf = (windowMs: number): number => Math.min(2000, windowMs / 10);
