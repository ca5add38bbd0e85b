import { doubtOf, RESET_TOLERANCE_MS, RATE_HEADERS } from '../../spec/limits.ts';
import { DAY } from '../../spec/time.ts';
import { DATE_BEHIND_MS, isFromCache } from '../../judge/origin/from-cache.ts';
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

/** What an answer says about the window of its key. */
export interface Settlement {
  readonly status: number;
  readonly announced: RateAnnouncement | null;
}

export interface KeyWindowOptions {
  readonly requests: number;
  readonly windowMs: number;
  /** Target's clock minus the run's clock, ms. */
  readonly skewMs: () => number;
}

interface AnnouncedWindow extends RateAnnouncement {
  /** Its end in the run's clock, ms; null when the announced one is no time of this day. */
  readonly endsAt: number | null;
  /** Admitted requests of ours in this window. */
  readonly counted: number;
}

/** How long after an announced end a refusal breaks the announcement, whatever is unknown of the clock, ms. */
const certaintyMs = (windowMs: number): number =>
  RESET_TOLERANCE_MS + DATE_BEHIND_MS + doubtOf(windowMs);

/** The window of a key. */
export type KeyWindow = ReturnType<typeof keyWindow>;

/**
 * Tracks how many requests one key may send without a 429 (§8, ruling 13). Pure: times are arguments, in ms of the run's
 * clock.
 *
 * At most `requests` are sent within any `windowMs`, which works for every kind of window, whatever the target announces.
 * A request counts from sending until `windowMs` after its answer, because the target counted it some time in between.
 * Announcements and refusals can only delay requests, when others use the key, too. Only after a refusal, one request is
 * sent as soon as the announced window is over, and another one once it certainly is.
 */
export function keyWindow({ requests, windowMs, skewMs }: KeyWindowOptions) {
  let inFlight = 0;
  /** Times of answers in the last `windowMs`, oldest first. */
  const answered: number[] = [];
  let announcement: AnnouncedWindow | null = null;
  /** Nothing is sent before this time, because the target has nothing left for the key. */
  let blockedUntil = Number.NEGATIVE_INFINITY;
  let isRefused = false;
  /** Consecutive answers that announced too early that nothing is left; from the second on, that is ignored. */
  let early = 0;
  /** True after resets that differ by less than the tolerance. */
  let isRecomputed = false;
  /** Announced times and windows may be rounded by a second. */
  const margin = Math.min(RESET_TOLERANCE_MS, Math.max(2, windowMs * 0.02));

  /** End of the announced window in the run's clock, ms, or null. */
  const endsAt = (): number | null => announcement?.endsAt ?? null;
  /** Requests of this run answered within the last window length. */
  const recent = (now: number): number => {
    const horizon = now - windowMs - margin;
    while ((answered[0] ?? now) < horizon) answered.shift();
    return answered.length;
  };
  /** What the limit leaves for the last window length, counting only our own requests. */
  const ownLeft = (now: number): number => requests - inFlight - recent(now);
  /** What the announced window leaves. */
  const announcedLeft = (now: number): number => {
    const { remaining = 0 } = announcement ?? {};
    const applies = early < 2 && now < (endsAt() ?? 0);
    return (applies ? remaining : requests) - inFlight;
  };
  /** An end that cannot be, because a clock is wrong, is assumed as late as possible. */
  const endOf = ({ resetAt }: RateAnnouncement, now: number): number | null => {
    const end = resetAt - skewMs();
    if (Math.abs(end - now) > DAY) return null;
    const fits = end > now - margin && end <= now + windowMs + margin;
    return fits ? end : now + windowMs;
  };
  const adopted = ({ status, announced }: Settlement, now: number): AnnouncedWindow | null => {
    if (announced === null) return null;
    const before = announcement;
    const moved = Math.abs(announced.resetAt - (before?.resetAt ?? Infinity));
    const isSame = before !== null && moved <= margin;
    isRecomputed ||= moved > 0 && moved <= RESET_TOLERANCE_MS;
    const counted = (isSame ? before.counted : 0) + (status === 429 ? 0 : 1);
    // Answers may overtake each other.
    const remaining = Math.min(announced.remaining, isSame ? before.remaining : Infinity);
    return { ...announced, remaining, counted, endsAt: endOf(announced, now) };
  };
  const block = (until: number | null, now: number): void => {
    const end = until === null ? now + windowMs : until + margin;
    blockedUntil = Math.max(blockedUntil, end);
  };
  /** After a refusal past the announced end, waits until it certainly is past, since such a refusal is no wait. */
  const blockRefused = (announced: RateAnnouncement | null, now: number): void => {
    const end = (announced?.resetAt ?? 0) - skewMs();
    const certain = end + certaintyMs(windowMs);
    if (end <= now && now < certain && certain < end + windowMs)
      blockedUntil = Math.max(blockedUntil, certain, now + RESET_TOLERANCE_MS);
    else block((endsAt() ?? 0) > now ? endsAt() : null, now);
  };
  return {
    recent,
    endsAt,
    get inFlight(): number {
      return inFlight;
    },
    /** Requests that may be sent now; 0 when it must wait for an answer or for the window. */
    available(now: number): number {
      if (now < blockedUntil) return 0;
      // A single request shows what others left of the window, and whether the window that refused one is over.
      if (isRefused || recent(now) === 0) return inFlight === 0 ? 1 : 0;
      const own = ownLeft(now);
      return Math.max(0, inFlight === 0 ? own : Math.min(own, announcedLeft(now)));
    },
    /** When more requests may become available without another answer, or null. */
    nextAt(now: number): number | null {
      if (now < blockedUntil) return blockedUntil;
      const [oldest] = answered;
      if (recent(now) === 0 || oldest === undefined || ownLeft(now) > 0) return null;
      return oldest + windowMs + margin + 1;
    },
    /**
     * True when the current window is used up, so that one more request should get a 429. False while the window is
     * unknown, over or known to reject.
     */
    full(now: number): boolean {
      if (isRefused || recent(now) === 0) return false;
      const end = endsAt();
      if (end !== null && now < end - margin) return announcedLeft(now) <= 0;
      // A rest in whole seconds that was rounded down announces the end up to a second early.
      const mayLast = isRecomputed && now < (end ?? 0) + RESET_TOLERANCE_MS;
      if (end !== null && !mayLast) return false;
      // Trust the announced remaining requests even if the announced reset is not credible.
      return ownLeft(now) <= 0 && (announcement?.remaining ?? 0) <= inFlight;
    },
    /** True when the current window is announced and all its requests were ours. */
    allOurs: (): boolean => endsAt() !== null && (announcement?.counted ?? 0) >= requests,
    send(): void {
      inFlight += 1;
    },
    /** Records the answer to a request, or null without one (the target may still have counted it). */
    settle(now: number, settlement: Settlement | null): void {
      inFlight -= 1;
      answered.push(now);
      if (settlement === null) return;
      const { status, announced } = settlement;
      // A failing server may omit announcements.
      if (announced !== null || status < 500) announcement = adopted(settlement, now);
      isRefused = status === 429;
      const isEmpty = announced?.remaining === 0 && recent(now) + inFlight < requests;
      early = isEmpty ? early + 1 : 0;
      if (isRefused) blockRefused(announced, now);
      else if (isEmpty && early < 2) block(endsAt(), now);
    },
  };
}
