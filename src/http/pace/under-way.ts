import type { Exchange } from '../../spec/exchange.ts';
import { Turnstile, type Release } from './turnstile.ts';

export interface UnderWayOptions {
  /** Maximum number of parallel requests; default: no limit. */
  readonly concurrency?: number | undefined;
  /** Position of the caller in the order of the run; default: the same for all. */
  readonly position?: (() => number) | undefined;
  /** Requests with valid keys left in the budget. */
  readonly left: () => number;
  /**
   * True while one key after the other is used up to test the limiter. Using other keys in parallel would only delay
   * the test.
   */
  readonly fillsWindow: () => boolean;
  /** Maximum number of parallel requests per key. */
  readonly ofOneKey: () => number;
}

/**
 * The last requests of a budget are granted one by one, in the order of the run, so that a limit always ends a run at
 * the same request. This applies to the last `IN_ORDER` times the concurrency.
 */
const IN_ORDER = 4;

/** Idle event loop turns after which a run is considered to be waiting for the clock. */
const QUIET_TURNS = 3;

/**
 * Limits requests in flight. Starts with one, because requests may be wasted before the service is confirmed and after
 * failures; each good answer allows one more.
 */
export class UnderWay {
  readonly #most: number;
  #capacity: number;
  readonly #wire: Turnstile;
  readonly #slots: Turnstile;

  constructor({ concurrency, position = () => 0, left, fillsWindow, ofOneKey }: UnderWayOptions) {
    this.#most = concurrency ?? Number.POSITIVE_INFINITY;
    this.#capacity = concurrency === undefined ? this.#most : 1;
    this.#wire = new Turnstile(() => this.#capacity, position);
    this.#slots = new Turnstile(() => {
      if (concurrency === undefined) return this.#most;
      if (left() < IN_ORDER * concurrency) return 1;
      return fillsWindow() ? Math.min(concurrency, ofOneKey()) : concurrency;
    }, position);
  }

  /** Waits for permission to acquire a valid key, so that at most as many wait for a window as can be sent. */
  slot(): Promise<Release> {
    return this.#slots.enter();
  }

  /** Waits for permission to send. */
  send(): Promise<Release> {
    return this.#wire.enter();
  }

  /** Resolves when nothing is in flight and no caller sends immediately again. */
  async quiet(): Promise<void> {
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#wire.inside > 0) {
        await this.#wire.empty();
        turn = -1;
      }
    }
  }

  /** Allows one more request in flight after a good answer. */
  widen(): void {
    if (this.#capacity >= this.#most) return;
    this.#capacity += 1;
    this.#wire.look();
  }

  /** Reduces the limit after a missing answer or a 5xx. */
  observe({ response }: Exchange): void {
    const hasFailed = response === null || response.status >= 500;
    if (hasFailed && Number.isFinite(this.#most)) this.#capacity = 1;
  }
}
