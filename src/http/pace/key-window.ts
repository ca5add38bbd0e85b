import { LimiterClock, type Skew } from './limiter-clock.ts';
import type { RateAnnouncement } from './rate-headers.ts';

/** How an answer bears on the window of its key; null when no answer arrived. */
export interface Settlement {
  readonly status: number;
  readonly announced: RateAnnouncement | null;
}

/** A reset that moves by this share of the window length or more is that of another window. */
const NEXT_WINDOW = 0.9;

export interface KeyWindowOptions {
  /** Requests that one window admits. */
  readonly requests: number;
  readonly windowMs: number;
  /** Target's clock minus the run's clock, as `Date` tells it. */
  readonly skew: () => Skew;
}

interface AnnouncedWindow {
  /** Time of the target, epoch ms. */
  resetAt: number;
  /** Smallest number announced for this window. */
  remaining: number;
  /** Answers that were counted in this window. */
  counted: number;
  /** Times of the first and of the last answer about this window, ms of the run's clock. */
  readonly adoptedAt: number;
  updatedAt: number;
}

/** What answers said of a window that was not believed. */
interface HeardWindow extends RateAnnouncement {
  /** Answers that announced it. */
  readonly counted: number;
}

/**
 * Knows how many requests one key may still send without being refused (§8, ruling 13). Pure: every time is passed
 * in, in ms of the run's clock.
 *
 * While the target announces credible figures they are followed, and never beyond `requests` in one announced window.
 * Otherwise, and while nothing is known, no more than `requests` are sent within any `windowMs`, which is right for fixed
 * and for sliding windows: whatever comes back, a key never sends more. A request counts from its sending until
 * `windowMs` after its answer, because the target counted it somewhere in between.
 */
export class KeyWindow {
  readonly #options: KeyWindowOptions;
  /** Sending times of unanswered requests. */
  readonly #inFlight = new Map<number, number>();
  /** Times of the answers of the last `windowMs`, oldest first. */
  #answered: number[] = [];
  #window: AnnouncedWindow | null = null;
  /** The last window that was announced and not believed: the clocks may have been compared too little by then. */
  #heard: HeardWindow | null = null;
  /** Nothing is sent before this time: a refusal said so. */
  #blockedUntil = Number.NEGATIVE_INFINITY;
  /** False until an answer tells whether the target announces its windows. */
  #known = false;
  /** Set when announcements proved false; they are then ignored. */
  #distrusted = false;
  /** Set when the reset moved by less than a window: older requests are given back one by one. */
  #slides = false;
  readonly #limiter: LimiterClock;
  #contradictions = 0;
  #emptyStarts = 0;
  #ticket = 0;
  /** Requests that the last answer said are left; 0 when it did not say. */
  #saidLeft = 0;
  /** Refusals in a row. */
  #refusals = 0;

  constructor(options: KeyWindowOptions) {
    this.#options = options;
    this.#limiter = new LimiterClock(options.windowMs, options.skew);
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Requests that may be sent now; 0 when it is time to wait for an answer or for the window. */
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

  /** What the limit leaves of the requests of any window length, ours alone being counted. */
  #own(now: number): number {
    this.#forget(now);
    return Math.max(0, this.#options.requests - this.#inFlight.size - this.#answered.length);
  }

  /** Requests to hope for: what a key whose window is unknown or over may turn out to have. Orders the keys of a pool. */
  promise(now: number): number {
    const available = this.available(now);
    const unexplored =
      !this.#known || (this.#window !== null && this.#local(this.#window.resetAt) <= now);
    return available > 0 && unexplored ? this.#options.requests : available;
  }

  /** When more may become available without any further answer; null when an answer has to come first. */
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

  /** End of the announced window in the run's clock, ms; null when none is announced. */
  endsAt(): number | null {
    return this.#window === null ? null : this.#local(this.#window.resetAt);
  }

  /**
   * True when every request that the present window admits was sent: one more is expected to be refused. Not while the
   * window is unknown, over or already known to refuse.
   */
  full(now: number): boolean {
    if (now < this.#blockedUntil || !this.#known) return false;
    const window = this.#window;
    // What an answer says is left is left, also where the end that it announces is not believed.
    if (window === null) return this.available(now) === 0 && this.#saidLeft === 0;
    return now < this.#local(window.resetAt) - this.#margin() && this.available(now) === 0;
  }

  /** True when the present window is announced and all its requests were ours. */
  get allOurs(): boolean {
    return this.#window !== null && this.#window.counted >= this.#options.requests;
  }

  /** Requests of this run that were answered within the last window length. */
  recent(now: number): number {
    this.#forget(now);
    return this.#answered.length;
  }

  /** Marks a request as sent. The ticket is handed back when it is settled. */
  send(now: number): number {
    this.#ticket += 1;
    this.#inFlight.set(this.#ticket, now);
    return this.#ticket;
  }

  /** Takes in the answer to a request, or null when it got none (the target may have counted it all the same). */
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
      if (announced !== null) this.#hear(announced);
      // A failing server may leave out what it announces otherwise; such an answer decides nothing.
      if (status < 500) this.#known = true;
      this.#countUnannounced(now);
    }
    this.#refusals = status === 429 ? this.#refusals + 1 : 0;
    if (status === 429) this.#block(announced, now);
    // More than a window admits: two windows of the target met. Begun anew, the next requests come within one.
    else if (this.#window === null && this.#answered.length > this.#options.requests) {
      this.#blockedUntil = Math.max(this.#blockedUntil, now + this.#options.windowMs);
    }
  }

  /** Before the window is known or right after it ended, one request finds out what the new one holds. */
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
      // What was heard of this window before it was believed counts: answers overtake each other, so it may say that less
      // is left, and what announced it belongs to it, whatever the clocks say.
      const heard =
        this.#heard !== null && Math.abs(this.#heard.resetAt - resetAt) <= this.#limiter.jitter
          ? this.#heard
          : { remaining, counted: 0 };
      this.#window = {
        resetAt,
        remaining: Math.min(remaining, heard.remaining),
        counted: Math.max(recent, heard.counted + 1),
        adoptedAt: now,
        updatedAt: now,
      };
      return;
    }
    const end = this.#local(window.resetAt);
    const jitter = this.#limiter.jitter;
    const same =
      resetAt === window.resetAt || (Math.abs(resetAt - window.resetAt) <= jitter && sentAt < end);
    if (same) {
      // Refused requests may not count, but one that was served and sent after the last answer has used something up.
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
    // A late answer about a window that is over tells nothing about the present one.
    if (resetAt < window.resetAt) {
      if (sentAt < window.adoptedAt) return;
      this.#countUnannounced(now);
      this.#contradictions += 1;
      if (this.#contradictions >= 2) this.#distrust();
      return;
    }
    if (now < end - jitter - this.#limiter.tolerance) this.#contradictions += 1;
    if (resetAt - window.resetAt < windowMs * NEXT_WINDOW) this.#slides = true;
    // Several starts without a single request left: the key is not shared with anyone that busy, the figure is wrong
    // (or the window slides, for which counting our own requests is exact).
    this.#emptyStarts = remaining === 0 && requests > 1 ? this.#emptyStarts + 1 : 0;
    if (this.#contradictions >= 2 || this.#emptyStarts >= 2) {
      this.#distrust();
      return;
    }
    this.#window = { resetAt, remaining, counted: 1, adoptedAt: now, updatedAt: now };
  }

  #hear({ resetAt, remaining }: RateAnnouncement): void {
    const heard = this.#heard;
    if (heard !== null && resetAt < heard.resetAt) return;
    this.#heard =
      heard !== null && resetAt === heard.resetAt
        ? { resetAt, remaining: Math.min(remaining, heard.remaining), counted: heard.counted + 1 }
        : { resetAt, remaining, counted: 1 };
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
      // A reset that is over already means that the clocks differ more than believed: ask again a little later, and when
      // that was too early as well, after a whole window.
      const soon = this.#refusals > 1 ? windowMs : Math.max(1000, 4 * this.#margin());
      until = reset > now ? reset : now + Math.min(windowMs, soon);
    }
    this.#blockedUntil = Math.max(this.#blockedUntil, until);
  }

  #local(targetTime: number): number {
    return this.#limiter.local(targetTime);
  }

  /**
   * How much later than the announced end the next request is sent, so that it is not counted in the old window: announced
   * times may be rounded down by a second.
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
