import type { Moment } from '../ask/moment.ts';
import type { BoundCheck } from './bound-check.ts';

/** Does what a check asks for. */
export type Begin<Asked> = (bound: BoundCheck, place: number) => Promise<Asked>;

/**
 * Checks that ask at a time, for each request that may be under way. Many wait for the window of a key; those behind them
 * that ask with other keys, or with none, need not.
 */
const ASKING = 8;

/**
 * Lets checks ask ahead of their turn. They come out one after the other in their order; what one asks for rarely depends on
 * what others are answered, so that it is on its way long before. Some wait for their turn; what is behind a check that is
 * alone waits until that is done.
 */
export class Ahead<Asked> {
  readonly #checks: readonly BoundCheck[];
  readonly #places: ReadonlyMap<BoundCheck, number>;
  readonly #begin: Begin<Asked>;
  readonly #most: number;
  readonly #asked = new Map<BoundCheck, Promise<Asked>>();
  #next = 0;
  #asking = 0;
  #stopped = false;

  /**
   * @param checks all that will come out, in their order
   * @param concurrency requests that may be under way at a time; with 1, nothing is asked ahead
   */
  constructor(checks: readonly BoundCheck[], concurrency: number, begin: Begin<Asked>) {
    this.#checks = checks;
    this.#places = new Map(checks.map((bound, place) => [bound, place]));
    this.#begin = begin;
    this.#most = concurrency > 1 ? concurrency * ASKING : 0;
  }

  /** What a check asked for: it has begun to, or begins now. Rejects with what it threw. */
  async of(bound: BoundCheck): Promise<Asked> {
    // When its turn has come, all before it came out: nothing else is under way unless it is asked ahead.
    const asked = this.#asked.get(bound) ?? this.#start(bound);
    this.#next = Math.max(this.#next, this.#placeOf(bound) + 1);
    if (momentOf(bound) !== 'alone') this.#goOn();
    try {
      return await asked;
    } finally {
      this.#asked.delete(bound);
      this.#goOn();
    }
  }

  /** Begins nothing more ahead: the run is cut short. */
  stop(): void {
    this.#stopped = true;
  }

  #placeOf(bound: BoundCheck): number {
    return this.#places.get(bound) ?? 0;
  }

  /** Begins with what comes next, up to a check that is alone. */
  #goOn(): void {
    for (; !this.#stopped && this.#asking < this.#most; this.#next += 1) {
      const bound = this.#checks[this.#next];
      const moment = bound && momentOf(bound);
      if (bound === undefined || moment === 'alone') return;
      if (moment === undefined) void this.#start(bound);
    }
  }

  #start(bound: BoundCheck): Promise<Asked> {
    this.#asking += 1;
    const asked = this.#begin(bound, this.#placeOf(bound)).finally(() => {
      this.#asking -= 1;
      if (momentOf(bound) !== 'alone') this.#goOn();
    });
    this.#asked.set(bound, asked);
    // Whoever waits for it is told; until then nobody has to.
    asked.catch(() => undefined);
    return asked;
  }
}

/**
 * When a check asks; undefined when it asks ahead. Searches spend what the budget leaves, and nothing may be under way while
 * the clock is moved.
 */
export const momentOf = ({ check }: BoundCheck): Moment | undefined =>
  'search' in check || check.movesClock === true ? 'alone' : check.asks;
