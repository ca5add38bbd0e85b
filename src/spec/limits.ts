import { DAY } from './time.ts';

/** Limits of the service (§8). Times are milliseconds. */

/** Requests that one key may make in one window (§8). */
export const RATE_LIMIT = 20;
/** Length of the request window (§8). */
export const RATE_WINDOW_MS = 60_000;
/** Requests that one key may make in one month (§8). */
export const MONTHLY_QUOTA = 100_000;
/** `details.window` of the refusal (§8). Stays this text when a test target scales its window. */
export const RATE_WINDOW_TEXT = '60s';
/** `message` of the refusal (§8). */
export const RATE_LIMIT_MESSAGE = 'Rate limit exceeded';

/** Names of the rate-limit headers (§8), lower-cased as recorded. */
export const RATE_HEADERS = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;

/**
 * By how much two announcements of one reset may differ (§8, ruling 12), ms: a second, for times that are rounded or made
 * of a rest in seconds, and a little for instances whose clocks are not quite equal.
 */
export const RESET_TOLERANCE_MS = 1100;

/** Name of the key header (§5 rule 2), as `details.header` gives it. */
export const KEY_HEADER = 'X-API-KEY';

/**
 * How far back a range may reach (§4.1-§4.5, §8). A "month" is a calendar month of at most 31 days: the
 * lengths here are the longest ones, and one more day is tolerated when records are judged (ruling 5).
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

/** Tolerance when records are compared with a window (ruling 5). */
export const WINDOW_TOLERANCE_MS = DAY;

/** Items that `GET /news` may return at most in one answer (§4.2 rule 4). */
export const NEWS_MAX_ITEMS = 200;
