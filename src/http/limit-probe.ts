import { setImmediate } from 'node:timers/promises';
import type { Exchange, KeyRole } from '../contract/exchange.ts';
import type { KeyCapacity } from './pacer.ts';
import type { RequestTarget } from './request-url.ts';

/** Requests that may be spent on probes in one run. */
const MOST_PROBES = 4;
/**
 * Decides when a run sends one request more than the limit admits (§8, ruling 13): together with the one that takes the
 * last place of a key's window, so that a limiter which checks first and counts later shows it. It repeats the smallest
 * good request so far, so that nothing but the limiter can be the reason for a refusal. One valid key is used up before
 * the others, since requests that are spread over a pool might never fill a window.
 */
export class LimitProbe {
  #good: { readonly target: RequestTarget; readonly bytes: number } | null = null;
  #left: number;
  #hasBegun: boolean;
  #busy = false;
  /** Which valid key is probed. */
  #key = 0;
  /** True when one probe was admitted without a word on windows, and another follows. */
  #follows = false;

  /** `left`: probes that are still due, when an earlier part of the run sent some. */
  constructor(left = MOST_PROBES) {
    this.#left = left;
    this.#hasBegun = left < MOST_PROBES;
  }

  /** True until the first probe: the window of the key is then used up as soon as can be. */
  get fillsWindow(): boolean {
    return !this.#hasBegun;
  }

  /** Probes that may still be sent. */
  get left(): number {
    return this.#left;
  }

  /** The key to use first while a probe is still due; null when it does not matter. */
  preferred(role: KeyRole): number | null {
    return role === 'valid' && this.#left > 0 ? this.#key : null;
  }

  /** Takes note of an answer, as a request that might be repeated. */
  observe(target: RequestTarget, exchange: Exchange): void {
    const { role, request, response } = exchange;
    if (role !== 'valid' || request.method !== 'GET' || response?.status !== 200) return;
    if (this.#good === null || response.bytes < this.#good.bytes) {
      this.#good = { target, bytes: response.bytes };
    }
  }

  /**
   * Sends a probe through `send` when it is time for one. True when another has to follow at once.
   *
   * @param capacity what the keys have at the moment
   * @param beside the request that is under way; null when there is none
   */
  async run(
    capacity: () => readonly KeyCapacity[],
    send: (target: RequestTarget, keyIndex: number) => Promise<Exchange>,
    beside: Promise<Exchange> | null,
  ): Promise<boolean> {
    const key = capacity()[this.#key];
    if (this.#busy || this.#left < 1 || this.#good === null) return false;
    if (key === undefined || !(key.full || this.#follows)) return false;
    const { target } = this.#good;
    this.#busy = true;
    this.#hasBegun = true;
    this.#left -= 1;
    try {
      const [{ response }] = await Promise.all([
        // Behind the other one: of two that arrive in their order the planned one is admitted.
        setImmediate().then(() => send(target, key.keyIndex)),
        beside?.catch(() => null),
      ]);
      this.#follows = response !== null && this.#learn(response.status === 429, capacity());
    } finally {
      this.#busy = false;
    }
    return this.#follows;
  }

  /**
   * A window that others had used before, or of which we saw the end only, says less: the next one is tried, too. So it is
   * after a window that was over when the probe came. Where nothing is announced, a probe that is admitted may have met the
   * next window of the target, or a limit that is too high: one more tells how high, or another key does, since that window
   * has just begun. True when one more has to follow.
   */
  #learn(refused: boolean, keys: readonly KeyCapacity[]): boolean {
    const key = keys[this.#key];
    const isFirst = !this.#follows;
    const isAnnounced = typeof key?.endsAt === 'number';
    const isTold = isAnnounced ? key.allOurs && (refused || key.full) : refused && isFirst;
    if (isTold) this.#left = 0;
    if (isAnnounced || isTold) return false;
    if (isFirst) return true;
    this.#key = (this.#key + 1) % keys.length;
    return false;
  }
}
