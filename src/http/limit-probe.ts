import type { Exchange, KeyRole } from '../contract/exchange.ts';
import type { KeyCapacity } from './pacer.ts';
import type { RequestTarget } from './request-url.ts';

/** Requests that may be spent on probes in one run. */
const MOST_PROBES = 4;
/** Which valid key is probed. */
const PROBED_KEY = 0;

/**
 * Decides when a run sends one request more than the limit admits (§8, ruling 13): once a window of one key was used up
 * by requests that the run needed anyway. It repeats the smallest good request so far, so that nothing but the limiter
 * can be the reason for a refusal. The first valid key is used up before the others, since requests that are spread over
 * a pool might never fill a window.
 */
export class LimitProbe {
  #good: { readonly target: RequestTarget; readonly bytes: number } | null = null;
  #left: number;
  #hasBegun: boolean;
  #busy = false;

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
    return role === 'valid' && this.#left > 0 ? PROBED_KEY : null;
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
    const key = capacity()[PROBED_KEY];
    if (this.#busy || this.#left < 1 || this.#good === null || key?.full !== true) return;
    this.#busy = true;
    this.#hasBegun = true;
    this.#left -= 1;
    try {
      const { response } = await send(this.#good.target, key.keyIndex);
      if (response === null) return;
      // A window that others had used before, or of which we saw the end only, says less: try the next one, too. So does
      // one that was over when the probe came, because the clock went on meanwhile.
      const isTold =
        response.status === 429
          ? key.allOurs || key.endsAt === null
          : key.allOurs && capacity()[PROBED_KEY]?.full === true;
      if (isTold) this.#left = 0;
    } finally {
      this.#busy = false;
    }
  }
}
