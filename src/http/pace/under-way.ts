import type { Exchange } from '../../spec/exchange.ts';
import { Turnstile, type Leave } from './turnstile.ts';

export interface UnderWayOptions {
  /** Most requests at a time. Unbounded when it is left out. */
  readonly concurrency?: number | undefined;
  /** Place in the order of the run of whoever asks. The same for all by default. */
  readonly place?: (() => number) | undefined;
  /** Requests with valid keys that the budget leaves. */
  readonly left: () => number;
  /**
   * True while the window of a certain key is to be used up: other keys would only put off when the limit is seen to be kept,
   * and gain nothing, since a window of one key takes its time in any case.
   */
  readonly fillsWindow: () => boolean;
  /** Requests with one key that go out at a time. */
  readonly ofOneKey: () => number;
}

/**
 * The last requests that a budget leaves are given out one by one, in the order of the run, so that a bound cuts a run
 * off at the same request every time: so many times what may be under way.
 */
const IN_ORDER = 4;

/** Turns of the event loop in which nothing is sent before a run is taken to be waiting for the clock. */
const QUIET_TURNS = 3;

/**
 * How many requests are under way at a time. The first ones go out alone: until a service has shown itself, and after each
 * failure of it, every further request may be wasted. With each good answer there may be one more.
 */
export class UnderWay {
  readonly #most: number;
  #room: number;
  readonly #wire: Turnstile;
  readonly #turns: Turnstile;

  constructor({ concurrency, place = () => 0, left, fillsWindow, ofOneKey }: UnderWayOptions) {
    this.#most = concurrency ?? Number.POSITIVE_INFINITY;
    this.#room = concurrency === undefined ? this.#most : 1;
    this.#wire = new Turnstile({ place, room: () => this.#room });
    this.#turns = new Turnstile({
      place,
      room: () => {
        if (concurrency === undefined) return this.#most;
        if (left() < IN_ORDER * concurrency) return 1;
        return fillsWindow() ? Math.min(concurrency, ofOneKey()) : concurrency;
      },
    });
  }

  /** Leave to ask for something with a valid key: it may wait for a window then, and so may as many as can be sent. */
  turn(): Promise<Leave> {
    return this.#turns.enter();
  }

  /** Leave to send. */
  send(): Promise<Leave> {
    return this.#wire.enter();
  }

  /** Resolves when nothing is sent any more, and nobody who was answered sends more at once. */
  async quiet(): Promise<void> {
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#wire.inside > 0) {
        await this.#wire.empty();
        turn = -1;
      }
    }
  }

  /** The service answered as it should. */
  widen(): void {
    if (this.#room >= this.#most) return;
    this.#room += 1;
    this.#wire.look();
  }

  /** Takes note of an answer that did not come, or that says that the service failed. */
  observe({ response }: Exchange): void {
    const hasFailed = response === null || response.status >= 500;
    if (hasFailed && Number.isFinite(this.#most)) this.#room = 1;
  }
}
