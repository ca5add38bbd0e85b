import type { Exchange } from '../contract/exchange.ts';
import type { KeyCapacity } from './pacer.ts';
import type { RequestTarget } from './request-url.ts';

/** Requests that may be spent on probes in one run. */
const MOST_PROBES = 4;

/**
 * Decides when a run sends one request more than the limit admits (§8, ruling 13): once a window of one key was used up
 * by requests that the run needed anyway. It repeats the smallest good request so far, so that nothing but the limiter
 * can be the reason for a refusal. Until the limiter has shown itself one key is used up after the other, since requests
 * that are spread over a pool might never fill a window; where the window of one ended meanwhile, the next has another
 * chance.
 */
export class LimitProbe {
  #good: { readonly target: RequestTarget; readonly bytes: number } | null = null;
  #left: number;
  #busy = false;
  /** Keys that were probed and have not had room since: another probe would show what the last one did. */
  readonly #probed = new Set<number>();

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

  /** Sends a probe through `send` when it is time for one. `capacity` says what the keys have at the moment. */
  async run(
    capacity: () => readonly KeyCapacity[],
    send: (target: RequestTarget, keyIndex: number) => Promise<Exchange>,
  ): Promise<void> {
    if (this.#busy || this.#left < 1 || this.#good === null) return;
    const key = this.#noteRoom(capacity()).find(
      ({ keyIndex, full }) => full && !this.#probed.has(keyIndex),
    );
    if (key === undefined) return;
    this.#busy = true;
    this.#probed.add(key.keyIndex);
    this.#left -= 1;
    try {
      const { response } = await send(this.#good.target, key.keyIndex);
      this.#noteRoom(capacity());
      if (response === null) return;
      // A window that others had used before, or of which we saw the end only, says less: try the next one, too. So does
      // one that was over when the probe came, because the clock went on meanwhile.
      const isTold =
        response.status === 429
          ? key.allOurs || key.endsAt === null
          : key.allOurs && capacity()[key.keyIndex]?.full === true;
      if (isTold) this.#left = 0;
    } finally {
      this.#busy = false;
    }
  }

  /** Notes which keys have room again. */
  #noteRoom(keys: readonly KeyCapacity[]): readonly KeyCapacity[] {
    for (const { keyIndex, full } of keys) if (!full) this.#probed.delete(keyIndex);
    return keys;
  }
}
