import type { Exchange } from '../../spec/exchange.ts';
import type { SessionOptions } from '../session-options.ts';

interface UnderWayOptions extends Pick<SessionOptions, 'concurrency' | 'position'> {
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
  slot(): Promise<() => void> {
    return this.#slots.enter();
  }

  /** Waits for permission to send. */
  send(): Promise<() => void> {
    return this.#wire.enter();
  }

  /** Resolves when nothing is in flight and no caller sends immediately again. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS;) {
      const isBusy = this.#wire.inside > 0;
      turns = isBusy ? 0 : turns + 1;
      await new Promise((resolve) => {
        if (isBusy) setTimeout(resolve, 1);
        else setImmediate(resolve);
      });
    }
  }

  /** Allows one more request in flight after a good answer. */
  widen(): void {
    if (this.#capacity >= this.#most) return;
    this.#capacity += 1;
    this.#wire.admit();
  }

  /** Reduces the limit after a missing answer or a 5xx. */
  observe({ response }: Exchange): void {
    const hasFailed = response === null || response.status >= 500;
    if (hasFailed && Number.isFinite(this.#most)) this.#capacity = 1;
  }
}

/** A semaphore with a queue in the order of the run. */
class Turnstile {
  inside = 0;
  readonly #capacity: () => number;
  readonly #position: () => number;
  #waiting: { readonly position: number; readonly enter: () => void }[] = [];

  /** @param capacity current capacity @param position position of the caller in the order of the run */
  constructor(capacity: () => number, position: () => number) {
    this.#capacity = capacity;
    this.#position = position;
  }

  /** Enters as soon as there is capacity. @returns a function that leaves */
  async enter(): Promise<() => void> {
    if (this.#waiting.length > 0 || this.inside >= this.#capacity()) {
      const position = this.#position();
      await new Promise<void>((enter) => {
        const behind = this.#waiting.findIndex((other) => other.position > position);
        this.#waiting.splice(behind === -1 ? this.#waiting.length : behind, 0, { position, enter });
      });
    } else this.inside += 1;
    return () => {
      this.inside -= 1;
      // The caller may ask again immediately and comes first then, so wait for it.
      if (this.#waiting.length > 0) setImmediate(() => this.admit());
    };
  }

  /** Lets waiting callers in while there is capacity. */
  admit(): void {
    while (this.inside < this.#capacity()) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.inside += 1;
      next.enter();
    }
  }
}
