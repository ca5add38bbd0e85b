import { RESET_TOLERANCE_MS } from '../../spec/limits.ts';
import { DAY } from '../../spec/time.ts';

/** What `Date` tells about the target's clock. */
export interface Skew {
  /** Target's clock minus the run's clock, ms. */
  readonly ms: number;
  /** How far the target may be behind that, ms; infinite while nothing is known. */
  readonly uncertaintyMs: number;
  /** True when the target told its exact time, as a test target does whose clock can be moved. */
  readonly exact?: boolean;
}

/** Clocks that differ by no more than this are taken for right, ms. */
const AGREEMENT_MS = 2000;
/** How far `Date` may be off (ruling 12), ms. */
const DATE_OFF_MS = 62_000;
/** Without `Date`, how far the clock of the target may be off, ms. */
const UNDATED_OFF_MS = DAY;

/**
 * The clock by which the limiter of a key goes, as its announcements show it: every answer comes before the reset that it
 * announces, and no more than one window length before it. `Date` is better known, but may come from another clock
 * (ruling 12): it is followed where it agrees with the clock of this machine and with what was announced. Otherwise the
 * end of a window is taken for as late as the announcements allow, which is never more than one window length away.
 *
 * Times are those of the run's clock, ms; announced ones are epoch ms of the target.
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

  /** Differences of a reset that are taken for rounding, ms. */
  get jitter(): number {
    return Math.min(RESET_TOLERANCE_MS, Math.max(2, this.#windowMs * 0.02));
  }

  /** Takes in an announcement; false when it fits no clock that the target may have. */
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

  /** The time of the target in the run's clock, rather too late than too early. */
  local(targetTime: number): number {
    if (this.#isDateRight() || !Number.isFinite(this.#low)) return targetTime - this.#skew().ms;
    return targetTime - (this.#low - this.jitter);
  }

  /**
   * The doubt about the clock, as far as it is worth waiting for, ms: a wrong guess costs one repeat. Clocks that agree as
   * far as can be seen are most likely kept right and deserve less doubt than those that do not.
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
