import { httpDate } from '../../text/http-date.ts';

/** Servers write the Date header from a clock that they read once a second, sometimes a little late. */
const DATE_RESOLUTION_MS = 1000;
const DATE_LATENESS_MS = 100;

/** Answers in a row that must agree on a clock that was set back. */
const SET_BACK = 4;

/**
 * Estimates the target's clock minus the run's clock. Every `Date` header bounds it: the target read its clock between
 * sending and receiving, and the header is that time cut to a second. The bounds of all exchanges together narrow the
 * estimate well below a second. Needed because `X-RateLimit-Reset` is a time of the target (§8).
 */
export class SkewEstimate {
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #exact = false;
  /** Bounds of the last dates, as many in a row as lay behind all that is known and agree with each other. */
  #behind: (readonly [low: number, high: number])[] = [];

  /** Takes in the Date header of an exchange. Times are those of the run's clock, ms; an unreadable header is passed over. */
  observe(date: string | undefined, sentAt: number, receivedAt: number): void {
    const time = httpDate(date);
    // What the target told exactly is not corrected by a header that may come from another clock.
    if (Number.isNaN(time) || this.#exact) return;
    const low = time - receivedAt;
    const high = time + DATE_RESOLUTION_MS + DATE_LATENESS_MS - sentAt;
    // An answer from a cache has the date of an earlier one: it takes several in a row to show a clock that was set back.
    if (high < this.#low) {
      const agree = this.#behind.every((one) => low <= one[1] && high >= one[0]);
      this.#behind = [...(agree ? this.#behind : []), [low, high]];
      if (this.#behind.length < SET_BACK) return;
    }
    this.#behind = [];
    this.#narrow(low, high);
  }

  /** Takes in an exact time of the target, as its clock control reports it. */
  observeExact(time: number, sentAt: number, receivedAt: number): void {
    this.#exact = true;
    this.#narrow(time - receivedAt, time - sentAt);
  }

  /** Best estimate, ms; 0 while nothing is known or as long as equal clocks cannot be ruled out. */
  get ms(): number {
    if (!Number.isFinite(this.#low) || (this.#low <= 0 && this.#high >= 0)) return 0;
    return Math.round((this.#low + this.#high) / 2);
  }

  /**
   * How far the target's clock may be behind the estimate, ms: a time that it announces may come this much later than
   * believed. Infinite while nothing is known.
   */
  get uncertaintyMs(): number {
    return Math.max(0, Math.ceil(this.ms - this.#low));
  }

  #narrow(low: number, high: number): void {
    const narrowedLow = Math.max(this.#low, low);
    const narrowedHigh = Math.min(this.#high, high);
    // Bounds that exclude each other mean that a clock was set: only the newest ones hold then.
    const agree = narrowedLow <= narrowedHigh;
    this.#low = agree ? narrowedLow : low;
    this.#high = agree ? narrowedHigh : high;
  }
}
