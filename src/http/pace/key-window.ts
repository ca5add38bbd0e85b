import { doubtOf, RESET_TOLERANCE_MS, RATE_HEADERS } from '../../spec/limits.ts';
import { DAY } from '../../spec/time.ts';
import { DATE_BEHIND_MS, isFromCache } from '../../judge/origin/from-cache.ts';
import { wholeNumber } from '../../text/whole-number.ts';

/** Announcement of a response about the window of its key (§8). */
export interface RateAnnouncement {
  readonly remaining: number;
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

/**
 * Tracks how many requests one key may send without a 429 (§8, ruling 13). Pure: times are arguments, in ms of the run's
 * clock.
 *
 * At most `requests` are sent within any `windowMs`, which works for every kind of window, whatever the target announces.
 * A request counts from sending until `windowMs` after its answer, because the target counted it some time in between.
 * Announcements and refusals can only delay requests, when others use the key, too. Only after a refusal, one request is
 * sent as soon as the announced window is over, and another one once it certainly is.
 */
export class KeyWindow {
  readonly #options: KeyWindowOptions;
  #inFlight = 0;
  /** Times of answers in the last `windowMs`, oldest first. */
  #answered: number[] = [];
  #announced: AnnouncedWindow | null = null;
  /** Nothing is sent before this time, because the target has nothing left for the key. */
  #blockedUntil = Number.NEGATIVE_INFINITY;
  #refused = false;
  /** Consecutive answers that announced too early that nothing is left; from the second on, that is ignored. */
  #early = 0;
  /** True after resets that differ by less than the tolerance. */
  #isRecomputed = false;

  constructor(options: KeyWindowOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests that may be sent now; 0 when it must wait for an answer or for the window. */
  available(now: number): number {
    if (now < this.#blockedUntil) return 0;
    // A single request shows what others left of the window, and whether the window that refused one is over.
    if (this.#refused || this.recent(now) === 0) return this.#inFlight === 0 ? 1 : 0;
    const own = this.#own(now);
    return Math.max(0, this.#inFlight === 0 ? own : Math.min(own, this.#left(now)));
  }

  /** When more requests may become available without another answer, or null. */
  nextAt(now: number): number | null {
    if (now < this.#blockedUntil) return this.#blockedUntil;
    const oldest = this.#answered[0];
    if (this.recent(now) === 0 || oldest === undefined || this.#own(now) > 0) return null;
    return oldest + this.#options.windowMs + this.#margin + 1;
  }

  /** End of the announced window in the run's clock, ms, or null. */
  endsAt(): number | null {
    return this.#announced?.endsAt ?? null;
  }

  /**
   * True when the current window is used up, so that one more request should get a 429. False while the window is
   * unknown, over or known to reject.
   */
  full(now: number): boolean {
    if (this.#refused || this.recent(now) === 0) return false;
    const endsAt = this.endsAt();
    if (endsAt !== null && now < endsAt - this.#margin) return this.#left(now) <= 0;
    // A rest in whole seconds that was rounded down announces the end up to a second early.
    const mayLast = this.#isRecomputed && now < (endsAt ?? 0) + RESET_TOLERANCE_MS;
    if (endsAt !== null && !mayLast) return false;
    // Trust the announced remaining requests even if the announced reset is not credible.
    return this.#own(now) <= 0 && (this.#announced?.remaining ?? 0) <= this.#inFlight;
  }

  /** True when the current window is announced and all its requests were ours. */
  get allOurs(): boolean {
    return this.endsAt() !== null && (this.#announced?.counted ?? 0) >= this.#options.requests;
  }

  /** Requests of this run answered within the last window length. */
  recent(now: number): number {
    const horizon = now - this.#options.windowMs - this.#margin;
    while ((this.#answered[0] ?? now) < horizon) this.#answered.shift();
    return this.#answered.length;
  }

  send(): void {
    this.#inFlight += 1;
  }

  /** Records the answer to a request, or null without one (the target may still have counted it). */
  settle(now: number, settlement: Settlement | null): void {
    this.#inFlight -= 1;
    this.#answered.push(now);
    if (settlement === null) return;
    const { status, announced } = settlement;
    // A failing server may omit announcements.
    if (announced !== null || status < 500) this.#announced = this.#adopted(settlement, now);
    this.#refused = status === 429;
    const ours = this.recent(now) + this.#inFlight;
    const isEmpty = announced?.remaining === 0 && ours < this.#options.requests;
    this.#early = isEmpty ? this.#early + 1 : 0;
    if (this.#refused) this.#blockRefused(announced, now);
    else if (isEmpty && this.#early < 2) this.#block(this.endsAt(), now);
  }

  /** What the limit leaves for the last window length, counting only our own requests. */
  #own(now: number): number {
    return this.#options.requests - this.#inFlight - this.recent(now);
  }

  /** What the announced window leaves. */
  #left(now: number): number {
    const { remaining = 0 } = this.#announced ?? {};
    const applies = this.#early < 2 && now < (this.endsAt() ?? 0);
    return (applies ? remaining : this.#options.requests) - this.#inFlight;
  }

  #adopted({ status, announced }: Settlement, now: number): AnnouncedWindow | null {
    if (announced === null) return null;
    const before = this.#announced;
    const moved = Math.abs(announced.resetAt - (before?.resetAt ?? Infinity));
    const isSame = before !== null && moved <= this.#margin;
    this.#isRecomputed ||= moved > 0 && moved <= RESET_TOLERANCE_MS;
    const counted = (isSame ? before.counted : 0) + (status === 429 ? 0 : 1);
    // Answers may overtake each other.
    const remaining = Math.min(announced.remaining, isSame ? before.remaining : Infinity);
    return { ...announced, remaining, counted, endsAt: this.#endOf(announced, now) };
  }

  /** An end that cannot be, because a clock is wrong, is assumed as late as possible. */
  #endOf({ resetAt }: RateAnnouncement, now: number): number | null {
    const { windowMs, skewMs } = this.#options;
    const endsAt = resetAt - skewMs();
    if (Math.abs(endsAt - now) > DAY) return null;
    const fits = endsAt > now - this.#margin && endsAt <= now + windowMs + this.#margin;
    return fits ? endsAt : now + windowMs;
  }

  /** After a refusal past the announced end, waits until it certainly is past, since such a refusal is no wait. */
  #blockRefused(announced: RateAnnouncement | null, now: number): void {
    const { windowMs, skewMs } = this.#options;
    const end = (announced?.resetAt ?? 0) - skewMs();
    const certain = end + certaintyMs(windowMs);
    if (end <= now && now < certain && certain < end + windowMs)
      this.#blockedUntil = Math.max(this.#blockedUntil, certain, now + RESET_TOLERANCE_MS);
    else this.#block((this.endsAt() ?? 0) > now ? this.endsAt() : null, now);
  }

  #block(until: number | null, now: number): void {
    const end = until === null ? now + this.#options.windowMs : until + this.#margin;
    this.#blockedUntil = Math.max(this.#blockedUntil, end);
  }

  /** Announced times and windows may be rounded by a second. */
  get #margin(): number {
    return Math.min(RESET_TOLERANCE_MS, Math.max(2, this.#options.windowMs * 0.02));
  }
}
