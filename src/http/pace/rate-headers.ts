import { RATE_HEADERS } from '../../spec/limits.ts';
import { isFromCache } from '../../judge/origin/from-cache.ts';
import { wholeNumber } from '../../text/whole-number.ts';

/** Announcement of a response about the window of its key (§8). */
export interface RateAnnouncement {
  /** Requests left in the window. */
  readonly remaining: number;
  /** End of the window, epoch ms of the target. */
  readonly resetAt: number;
}

/** The announcement in recorded headers (lower-case names); null unless both are whole numbers and not from a cache. */
export function rateAnnouncement(
  headers: Readonly<Record<string, string>>,
): RateAnnouncement | null {
  const remaining = wholeNumber(headers[RATE_HEADERS.remaining]);
  const resetAt = wholeNumber(headers[RATE_HEADERS.reset]);
  return remaining === null || resetAt === null || isFromCache(headers)
    ? null
    : { remaining, resetAt };
}
