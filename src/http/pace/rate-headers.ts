import { RATE_HEADERS } from '../../spec/limits.ts';
import { isFromCache } from '../../judge/origin/from-cache.ts';
import { wholeNumber } from '../../text/whole-number.ts';

/** What an answer announces about the window of its key (§8). */
export interface RateAnnouncement {
  /** Requests left in the window. */
  readonly remaining: number;
  /** Time of the target at which the window ends, epoch ms. */
  readonly resetAt: number;
}

/** The announcement in recorded headers (names lower-cased); null unless both figures are whole numbers, and of this answer. */
export function rateAnnouncement(
  headers: Readonly<Record<string, string>>,
): RateAnnouncement | null {
  const remaining = wholeNumber(headers[RATE_HEADERS.remaining]);
  const resetAt = wholeNumber(headers[RATE_HEADERS.reset]);
  return remaining === null || resetAt === null || isFromCache(headers)
    ? null
    : { remaining, resetAt };
}
