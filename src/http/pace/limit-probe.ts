import { setImmediate } from 'node:timers/promises';
import type { Exchange } from '../../spec/exchange.ts';
import type { KeyCapacity } from './pacer.ts';
import type { RequestTarget } from '../request-url.ts';

/** Requests that may be spent on probes in one run. */
const MOST_PROBES = 4;

/**
 * Decides when a run sends one request more than the limit admits (§8, ruling 13): together with the one that takes the
 * last place of a key's window, so that a limiter which checks first and counts later shows it. It repeats the smallest
 * good request so far, so that nothing but the limiter can be the reason for a refusal. Until the limiter has shown itself
 * one key is used up after the other, since requests that are spread over a pool might never fill a window; where the
 * window of one ended meanwhile, the next has another chance.
 */
export class LimitProbe {
  #good: { readonly target: RequestTarget; readonly bytes: number } | null = null;
  #left: number;
  #busy = false;
  /** Keys that were probed and have not had room since: another probe would show what the last one did. */
  readonly #probed = new Set<number>();
  /** The key that is probed once more, since it was admitted and announces nothing; null when there is none. */
  #follows: number | null = null;

  /** `left`: probes that are still due, when an earlier part of the run sent some. */
  constructor(left = MOST_PROBES) {
    this.#left = left;
  }

  /** True while a probe is due: one key after the other is then used up, as soon as can be. */
  get fillsWindow(): boolean {
    return this.#left > 0;
  }

  /** Probes that may still be sent. */
  get left(): number {
    return this.#left;
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
    if (this.#busy || this.#left < 1 || this.#good === null) return false;
    const keyIndex = this.#follows ?? this.#due(capacity());
    if (keyIndex === undefined) return false;
    const { target } = this.#good;
    this.#busy = true;
    this.#probed.add(keyIndex);
    this.#left -= 1;
    try {
      const [{ response }] = await Promise.all([
        // Behind the other one: of two that arrive in their order the planned one is admitted.
        setImmediate().then(() => send(target, keyIndex)),
        beside?.catch(() => null),
      ]);
      const key = this.#noteRoom(capacity())[keyIndex];
      const follows = response !== null && this.#learn(response.status === 429, key);
      this.#follows = follows ? keyIndex : null;
    } finally {
      this.#busy = false;
    }
    return this.#follows !== null;
  }

  /**
   * A window that others had used before, or of which we saw the end only, says less: the next one is tried, too. So it is
   * after a window that was over when the probe came. Where nothing is announced, a probe that is admitted may have met the
   * next window of the target, or a limit that is too high: one more tells how high, or another key does, since that window
   * has just begun. True when one more has to follow.
   */
  #learn(refused: boolean, key: KeyCapacity | undefined): boolean {
    const isFirst = this.#follows === null;
    const isAnnounced = typeof key?.endsAt === 'number';
    const isTold = isAnnounced ? key.allOurs && (refused || key.full) : refused && isFirst;
    if (isTold) this.#left = 0;
    return isFirst && !isAnnounced && !isTold;
  }

  /** The key that is used up and was not probed in this window. */
  #due(keys: readonly KeyCapacity[]): number | undefined {
    return this.#noteRoom(keys).find(({ keyIndex, full }) => full && !this.#probed.has(keyIndex))
      ?.keyIndex;
  }

  /** Notes which keys have room again. */
  #noteRoom(keys: readonly KeyCapacity[]): readonly KeyCapacity[] {
    for (const { keyIndex, full } of keys) if (!full) this.#probed.delete(keyIndex);
    return keys;
  }
}
