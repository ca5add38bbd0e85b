import type { Exclusivity } from '../ask/check.ts';
import type { BoundCheck } from './checks.ts';

/** Sends the requests of a check. */
export type Begin<Asked> = (bound: BoundCheck, position: number) => Promise<Asked>;

/**
 * Checks prefetched per concurrent request. Many wait for the window of a key; later ones with other keys, or without a key,
 * need not.
 */
const ASKING = 8;

/**
 * Sends the requests of checks before their turn, because they rarely depend on other responses. Results are delivered in the
 * order of the checks. Some checks wait for their turn, and everything after an exclusive check waits for it.
 */
export class Prefetch<Asked> {
  readonly #checks: readonly BoundCheck[];
  readonly #positions: ReadonlyMap<BoundCheck, number>;
  readonly #begin: Begin<Asked>;
  readonly #most: number;
  readonly #asked = new Map<BoundCheck, Promise<Asked>>();
  #next = 0;
  #asking = 0;
  #stopped = false;

  /**
   * @param checks all checks in their order
   * @param concurrency concurrent requests; 1 disables prefetching
   */
  constructor(checks: readonly BoundCheck[], concurrency: number, begin: Begin<Asked>) {
    this.#checks = checks;
    this.#positions = new Map(checks.map((bound, position) => [bound, position]));
    this.#begin = begin;
    this.#most = concurrency > 1 ? concurrency * ASKING : 0;
  }

  /** The responses of a check, requested now unless prefetched. Rejects with what the check threw. */
  async of(bound: BoundCheck): Promise<Asked> {
    const asked = this.#asked.get(bound) ?? this.#start(bound);
    this.#next = Math.max(this.#next, this.#positionOf(bound) + 1);
    if (exclusivityOf(bound) !== 'alone') this.#goOn();
    try {
      return await asked;
    } finally {
      this.#asked.delete(bound);
      this.#goOn();
    }
  }

  /** Stops prefetching, when the run is interrupted. */
  stop(): void {
    this.#stopped = true;
  }

  #positionOf(bound: BoundCheck): number {
    return this.#positions.get(bound) ?? 0;
  }

  /** Prefetches the next checks, up to an exclusive one. */
  #goOn(): void {
    for (; !this.#stopped && this.#asking < this.#most; this.#next += 1) {
      const bound = this.#checks[this.#next];
      const exclusivity = bound && exclusivityOf(bound);
      if (bound === undefined || exclusivity === 'alone') return;
      if (exclusivity === undefined) void this.#start(bound);
    }
  }

  #start(bound: BoundCheck): Promise<Asked> {
    this.#asking += 1;
    const asked = this.#begin(bound, this.#positionOf(bound)).finally(() => {
      this.#asking -= 1;
      if (exclusivityOf(bound) !== 'alone') this.#goOn();
    });
    this.#asked.set(bound, asked);
    // Rejections are handled by `of`.
    asked.catch(() => undefined);
    return asked;
  }
}

/**
 * When a check sends its requests; undefined when it may be prefetched. Searches spend the rest of the budget, and no request
 * may be in flight while the clock is advanced.
 */
export const exclusivityOf = ({ check }: BoundCheck): Exclusivity | undefined =>
  'search' in check || check.movesClock === true ? 'alone' : check.asks;
