import { RESET_TOLERANCE_MS } from '../../spec/limits.ts';
import { DAY } from '../../spec/time.ts';

/** Clock skew of the target, from `Date`. */
export interface Skew {
  /** Target's clock minus the run's clock, ms. */
  readonly ms: number;
  /** How far the target may be behind that, ms; infinite when unknown. */
  readonly uncertaintyMs: number;
  /** True when the exact time is known, from the clock control of a test target. */
  readonly exact?: boolean;
}

/** Clocks with less skew are considered correct, ms. */
const AGREEMENT_MS = 2000;
/** Maximum error of `Date` (ruling 12), ms. */
const DATE_OFF_MS = 62_000;
/** Maximum error of the target's clock without `Date`, ms. */
const UNDATED_OFF_MS = DAY;

/**
 * The clock of the limiter of a key, derived from its announcements: every answer arrives before the announced reset,
 * and at most one window length before it. `Date` is more precise, but may come from another clock (ruling 12): it is
 * used if it agrees with the local clock and the announcements. Otherwise the end of a window is assumed as late as the
 * announcements allow, which is at most one window length away.
 *
 * Times are in ms of the run's clock; announced ones are epoch ms of the target.
 */
export class LimiterClock {
  readonly #windowMs: number;
  readonly #skew: () => Skew;
  /** Bounds of the limiter's clock minus the run's clock. */
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;

  constructor(windowMs: number, skew: () => Skew) {
    this.#windowMs = windowMs;
    this.#skew = skew;
  }

  /** Differences of a reset that may be rounding, ms. */
  get jitter(): number {
    return Math.min(RESET_TOLERANCE_MS, Math.max(2, this.#windowMs * 0.02));
  }

  /** Adds an announcement; false when it is implausible. */
  take(resetAt: number, sentAt: number, receivedAt: number): boolean {
    const low = resetAt - this.#windowMs - receivedAt;
    const high = resetAt - sentAt;
    const { ms, uncertaintyMs } = this.#skew();
    const [middle, off] = Number.isFinite(uncertaintyMs)
      ? [ms, DATE_OFF_MS + this.#windowMs]
      : [0, UNDATED_OFF_MS];
    const slack = 2 * this.jitter;
    const fits =
      low <= Math.min(this.#high + slack, middle + off) &&
      high >= Math.max(this.#low - slack, middle - off);
    if (!fits) return false;
    this.#low = Math.max(this.#low, low);
    this.#high = Math.min(this.#high, high);
    return true;
  }

  /** Converts a time of the target to the run's clock, rather too late than too early. */
  local(targetTime: number): number {
    if (this.#isDateRight() || !Number.isFinite(this.#low)) return targetTime - this.#skew().ms;
    return targetTime - (this.#low - this.jitter);
  }

  /**
   * Additional waiting time because of clock uncertainty, ms: a wrong guess costs one retry. Clocks that agree are most
   * likely synchronised and need less.
   */
  get tolerance(): number {
    if (!this.#isDateRight()) return 0;
    const { ms, uncertaintyMs } = this.#skew();
    const share = ms === 0 ? 0.02 : 0.1;
    return Math.min(uncertaintyMs, Math.max(2, this.#windowMs * share));
  }

  #isDateRight(): boolean {
    const { ms, uncertaintyMs, exact = false } = this.#skew();
    if (!Number.isFinite(uncertaintyMs)) return false;
    if (!exact && Math.abs(ms) > AGREEMENT_MS) return false;
    return (
      ms + uncertaintyMs >= this.#low - this.jitter &&
      ms - uncertaintyMs <= this.#high + this.jitter
    );
  }
}
