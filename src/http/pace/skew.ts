import { httpDate } from '../../text/http-date.ts';

/** Servers update the Date header once a second, sometimes a little late. */
const DATE_RESOLUTION_MS = 1000;
const DATE_LATENESS_MS = 100;

/** Consecutive answers that must agree that a clock was set back. */
const SET_BACK = 4;

/**
 * Estimates the target's clock minus the run's clock, because `X-RateLimit-Reset` is in the target's time (§8). The
 * target read its clock between sending and receiving, truncated to a second; the bounds of all exchanges together give
 * a precision well below a second.
 */
export class SkewEstimate {
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #exact = false;
  /** Bounds of consecutive recent dates that are earlier than the estimate and agree with each other. */
  #behind: (readonly [low: number, high: number])[] = [];

  /** Adds the Date header of an exchange; invalid ones are ignored. Times are in ms of the run's clock. */
  observe(date: string | undefined, sentAt: number, receivedAt: number): void {
    const time = httpDate(date);
    // Never correct an exact time by a header, which may come from another clock.
    if (Number.isNaN(time) || this.#exact) return;
    const low = time - receivedAt;
    const high = time + DATE_RESOLUTION_MS + DATE_LATENESS_MS - sentAt;
    // A cached answer has an earlier date, so a clock that was set back requires several answers.
    if (high < this.#low) {
      const agree = this.#behind.every((one) => low <= one[1] && high >= one[0]);
      this.#behind = [...(agree ? this.#behind : []), [low, high]];
      if (this.#behind.length < SET_BACK) return;
    }
    this.#behind = [];
    this.#narrow(low, high);
  }

  /** Adds an exact time of the target from its clock control. */
  observeExact(time: number, sentAt: number, receivedAt: number): void {
    this.#exact = true;
    this.#narrow(time - receivedAt, time - sentAt);
  }

  /** Best estimate, ms; 0 when unknown or when the clocks may be equal. */
  get ms(): number {
    if (!Number.isFinite(this.#low) || (this.#low <= 0 && this.#high >= 0)) return 0;
    return Math.round((this.#low + this.#high) / 2);
  }

  /** How far the target's clock may be behind the estimate, ms. Infinite when unknown. */
  get uncertaintyMs(): number {
    return Math.max(0, Math.ceil(this.ms - this.#low));
  }

  #narrow(low: number, high: number): void {
    const narrowedLow = Math.max(this.#low, low);
    const narrowedHigh = Math.min(this.#high, high);
    // Contradicting bounds mean that a clock was set: use only the latest ones.
    const agree = narrowedLow <= narrowedHigh;
    this.#low = agree ? narrowedLow : low;
    this.#high = agree ? narrowedHigh : high;
  }
}
