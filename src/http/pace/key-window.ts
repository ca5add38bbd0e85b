import { LimiterClock, type Skew } from './limiter-clock.ts';
import type { RateAnnouncement } from './rate-headers.ts';

/** What an answer says about the window of its key. */
export interface Settlement {
  readonly status: number;
  readonly announced: RateAnnouncement | null;
}

/** A reset that changes by at least this share of the window belongs to another window. */
const NEXT_WINDOW = 0.9;

export interface KeyWindowOptions {
  /** Requests per window. */
  readonly requests: number;
  readonly windowMs: number;
  /** Target's clock minus the run's clock, from `Date`. */
  readonly skew: () => Skew;
}

interface AnnouncedWindow {
  /** Time of the target, epoch ms. */
  resetAt: number;
  /** Smallest announced number of remaining requests. */
  remaining: number;
  /** Counted answers in this window. */
  counted: number;
  /** Times of the first and of the last answer about this window, ms of the run's clock. */
  readonly adoptedAt: number;
  updatedAt: number;
}

/**
 * Tracks how many requests one key may send without a 429 (§8, ruling 13). Pure: times are arguments, in ms of the
 * run's clock.
 *
 * Credible announcements of the target are used, up to `requests` per announced window. Otherwise at most `requests`
 * are sent within any `windowMs`, which works for fixed and sliding windows. A request counts from sending until
 * `windowMs` after its answer, because the target counted it some time in between.
 */
export class KeyWindow {
  readonly #options: KeyWindowOptions;
  /** Sending times of unanswered requests. */
  readonly #inFlight = new Map<number, number>();
  /** Times of answers in the last `windowMs`, oldest first. */
  #answered: number[] = [];
  #window: AnnouncedWindow | null = null;
  /** Nothing is sent before this time, because of a 429. */
  #blockedUntil = Number.NEGATIVE_INFINITY;
  /** False until an answer shows whether the target announces windows. */
  #known = false;
  /** Set when announcements were wrong; they are ignored then. */
  #distrusted = false;
  /** Set when the reset moved by less than a window: the window slides. */
  #slides = false;
  readonly #limiter: LimiterClock;
  #contradictions = 0;
  #emptyStarts = 0;
  #ticket = 0;
  /** Remaining requests announced by the last answer, or 0. */
  #saidLeft = 0;
  /** Consecutive 429s. */
  #refusals = 0;

  constructor(options: KeyWindowOptions) {
    this.#options = options;
    this.#limiter = new LimiterClock(options.windowMs, options.skew);
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Requests that may be sent now; 0 when it must wait for an answer or for the window. */
  available(now: number): number {
    if (now < this.#blockedUntil) return 0;
    const { requests } = this.#options;
    const window = this.#window;
    if (window === null) return Math.min(this.#known ? requests : this.#probe(), this.#own(now));
    const own = this.#slides ? this.#own(now) : requests;
    const end = this.#local(window.resetAt);
    if (now < end) {
      const left = Math.min(window.remaining, requests - window.counted);
      return Math.max(0, Math.min(left - this.#inFlight.size, own));
    }
    return now < end + this.#margin() ? 0 : Math.min(this.#probe(), own);
  }

  /** What the limit leaves for the last window length, counting only our own requests. */
  #own(now: number): number {
    this.#forget(now);
    return Math.max(0, this.#options.requests - this.#inFlight.size - this.#answered.length);
  }

  /** Potential requests: a key whose window is unknown or over may have a full one. For ordering the keys of a pool. */
  promise(now: number): number {
    const available = this.available(now);
    const unexplored =
      !this.#known || (this.#window !== null && this.#local(this.#window.resetAt) <= now);
    return available > 0 && unexplored ? this.#options.requests : available;
  }

  /** When more requests may become available without another answer, or null. */
  nextAt(now: number): number | null {
    if (now < this.#blockedUntil) return this.#blockedUntil;
    const window = this.#window;
    if (window !== null) {
      const end = this.#local(window.resetAt) + this.#margin();
      if (now < end) return end;
      if (!this.#slides) return null;
    }
    if (this.#own(now) > 0) return null;
    const oldest = this.#answered[0];
    return oldest === undefined ? null : oldest + this.#options.windowMs + 1;
  }

  /** End of the announced window in the run's clock, ms, or null. */
  endsAt(): number | null {
    return this.#window === null ? null : this.#local(this.#window.resetAt);
  }

  /**
   * True when the current window is used up, so that one more request should get a 429. False while the window is
   * unknown, over or known to reject.
   */
  full(now: number): boolean {
    if (now < this.#blockedUntil || !this.#known) return false;
    const window = this.#window;
    // Trust the announced remaining requests even if the announced reset is not credible.
    if (window === null) return this.available(now) === 0 && this.#saidLeft === 0;
    return now < this.#local(window.resetAt) - this.#margin() && this.available(now) === 0;
  }

  /** True when the current window is announced and all its requests were ours. */
  get allOurs(): boolean {
    return this.#window !== null && this.#window.counted >= this.#options.requests;
  }

  /** Requests of this run answered within the last window length. */
  recent(now: number): number {
    this.#forget(now);
    return this.#answered.length;
  }

  /** Marks a request as sent; returns the ticket for `settle`. */
  send(now: number): number {
    this.#ticket += 1;
    this.#inFlight.set(this.#ticket, now);
    return this.#ticket;
  }

  /** Records the answer to a request, or null without one (the target may still have counted it). */
  settle(ticket: number, now: number, settlement: Settlement | null): void {
    const sentAt = this.#inFlight.get(ticket);
    if (sentAt === undefined) return;
    this.#inFlight.delete(ticket);
    this.#forget(now);
    this.#answered.push(now);
    if (settlement === null) {
      this.#countUnannounced(now);
      return;
    }
    const { status, announced } = settlement;
    this.#saidLeft = announced?.remaining ?? 0;
    const credible =
      announced !== null && !this.#distrusted && this.#limiter.take(announced.resetAt, sentAt, now);
    if (credible) {
      this.#known = true;
      this.#adopt(announced, status, sentAt, now);
    } else {
      // A failing server may omit announcements, so a 5xx decides nothing.
      if (status < 500) this.#known = true;
      this.#countUnannounced(now);
    }
    this.#refusals = status === 429 ? this.#refusals + 1 : 0;
    if (status === 429) this.#block(announced, now);
    // More than one window's requests: they spanned two windows of the target. Wait, so that the next ones are in one
    // window.
    else if (this.#window === null && this.#answered.length > this.#options.requests) {
      this.#blockedUntil = Math.max(this.#blockedUntil, now + this.#options.windowMs);
    }
  }

  /** While the window is unknown or just over, one request explores the new one. */
  #probe(): number {
    return this.#inFlight.size === 0 ? 1 : 0;
  }

  #adopt(announced: RateAnnouncement, status: number, sentAt: number, now: number): void {
    const { requests, windowMs } = this.#options;
    const { resetAt, remaining } = announced;
    const window = this.#window;
    if (window === null) {
      const start =
        this.#local(resetAt) - windowMs - this.#limiter.jitter - this.#limiter.tolerance;
      const recent = this.#answered.filter((time) => time >= start).length;
      const counted = Math.max(recent, 1);
      this.#window = { resetAt, remaining, counted, adoptedAt: now, updatedAt: now };
      return;
    }
    const end = this.#local(window.resetAt);
    const jitter = this.#limiter.jitter;
    const same =
      resetAt === window.resetAt || (Math.abs(resetAt - window.resetAt) <= jitter && sentAt < end);
    if (same) {
      // A successful request sent after the last answer must have reduced the remaining requests.
      const stuck = remaining > 0 && remaining >= window.remaining;
      if (stuck && status < 300 && sentAt >= window.updatedAt) {
        this.#distrust();
        return;
      }
      window.resetAt = Math.max(window.resetAt, resetAt);
      window.remaining = Math.min(window.remaining, remaining);
      if (status !== 429) window.counted += 1;
      window.updatedAt = now;
      return;
    }
    // Ignore late answers about earlier windows.
    if (resetAt < window.resetAt) {
      if (sentAt < window.adoptedAt) return;
      this.#countUnannounced(now);
      this.#contradictions += 1;
      if (this.#contradictions >= 2) this.#distrust();
      return;
    }
    if (now < end - jitter - this.#limiter.tolerance) this.#contradictions += 1;
    if (resetAt - window.resetAt < windowMs * NEXT_WINDOW) this.#slides = true;
    // Several new windows without remaining requests: the announcement is wrong, or the window slides; counting our own
    // requests works for both.
    this.#emptyStarts = remaining === 0 && requests > 1 ? this.#emptyStarts + 1 : 0;
    if (this.#contradictions >= 2 || this.#emptyStarts >= 2) {
      this.#distrust();
      return;
    }
    this.#window = { resetAt, remaining, counted: 1, adoptedAt: now, updatedAt: now };
  }

  #distrust(): void {
    this.#distrusted = true;
    this.#window = null;
  }

  /** Counts a request whose answer announced nothing. */
  #countUnannounced(now: number): void {
    const window = this.#window;
    if (window === null) return;
    if (now < this.#local(window.resetAt)) {
      window.remaining = Math.max(0, window.remaining - 1);
      window.counted += 1;
    } else {
      this.#window = null;
    }
  }

  #block(announced: RateAnnouncement | null, now: number): void {
    const { windowMs } = this.#options;
    const reset = announced === null ? null : this.#local(announced.resetAt) + this.#margin();
    let until = now + windowMs;
    if (reset !== null && reset <= now + 2 * windowMs) {
      // A reset in the past means that the skew is larger than assumed: try again a little later, and then after a
      // whole window.
      const soon = this.#refusals > 1 ? windowMs : Math.max(1000, 4 * this.#margin());
      until = reset > now ? reset : now + Math.min(windowMs, soon);
    }
    this.#blockedUntil = Math.max(this.#blockedUntil, until);
  }

  #local(targetTime: number): number {
    return this.#limiter.local(targetTime);
  }

  /**
   * Delay after the announced reset, so that the next request is not counted in the old window: announced times may be
   * rounded down by a second.
   */
  #margin(): number {
    return this.#limiter.jitter + this.#limiter.tolerance;
  }

  #forget(now: number): void {
    const horizon = now - this.#options.windowMs;
    const kept = this.#answered.findIndex((time) => time > horizon - 1);
    this.#answered = kept === -1 ? [] : this.#answered.slice(kept);
  }
}
