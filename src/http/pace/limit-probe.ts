import { setImmediate } from 'node:timers/promises';
import type { Exchange } from '../../spec/exchange.ts';
import type { KeyCapacity } from './pacer.ts';
import type { KnownRun } from '../record/known-answers.ts';
import type { RequestTarget } from '../request-url.ts';

/** Maximum number of probes until one is conclusive. */
const MOST_PROBES = 4;

/**
 * Decides when a run sends one request beyond the limit (§8, ruling 13): together with the last request of a key's
 * window, to detect a limiter that checks before it counts. It repeats the smallest successful request so far, so that
 * only the limiter can be the reason for a refusal. Until the limiter was tested, keys are used up one after the other,
 * because requests spread over a pool might never fill a window. After a conclusive probe, each other key gets one, as
 * far as the run tests several, because a plan or an exemption may belong to a single key.
 */
export class LimitProbe {
  #good: { readonly target: RequestTarget; readonly bytes: number } | null = null;
  #left: number;
  #busy = false;
  /** Keys that were probed and are still used up. */
  readonly #probed = new Set<number>();
  /** A key to probe once more, because its probe was admitted and nothing is announced; or null. */
  #follows: number | null = null;
  /** Keys that need no further probe. */
  readonly #tested: Set<number>;
  readonly #keys: number;

  /** `left` and `tested`: remaining probes and probed keys of a resumed run. */
  constructor(left = MOST_PROBES, keys = 1, tested: readonly number[] = []) {
    this.#left = left;
    this.#keys = keys;
    this.#tested = new Set(left > 0 ? [] : tested);
  }

  /** The probe of a run that may be resumed. `valid`: fingerprints of its keys; `most`: number of them to test. */
  static from(known: KnownRun | undefined, valid: readonly string[], most = 1): LimitProbe {
    const probed = (known?.exchanges ?? [])
      .filter(({ purpose }) => purpose === 'limit-probe')
      .map(({ key }) => valid.indexOf(key ?? ''));
    return new LimitProbe(known?.probesLeft, Math.min(most, valid.length), probed);
  }

  /** True while a probe is due: keys are then used up one after the other, as fast as possible. */
  get fillsWindow(): boolean {
    return this.#left > 0 || this.testsOthers;
  }

  /** True when a probe was conclusive and other keys are due. */
  get testsOthers(): boolean {
    return this.#left < 1 && this.#tested.size > 0 && this.#tested.size < this.#keys;
  }

  /** True while the key should be used up before others. */
  isDue(keyIndex: number): boolean {
    return this.fillsWindow && !this.#tested.has(keyIndex);
  }

  get left(): number {
    return this.#left;
  }

  /** Records an exchange whose request might be used as a probe. */
  observe(target: RequestTarget, exchange: Exchange): void {
    const { role, request, response } = exchange;
    if (role !== 'valid' || request.method !== 'GET' || response?.status !== 200) return;
    if (this.#good === null || response.bytes < this.#good.bytes) {
      this.#good = { target, bytes: response.bytes };
    }
  }

  /**
   * Sends a probe through `send` when it is due. Returns true when another one must follow immediately.
   *
   * @param capacity current capacity of the keys
   * @param inFlight the request in flight, or null
   */
  async run(
    capacity: () => readonly KeyCapacity[],
    send: (target: RequestTarget, keyIndex: number) => Promise<Exchange>,
    inFlight: Promise<Exchange> | null,
  ): Promise<boolean> {
    if (this.#busy || !this.fillsWindow || this.#good === null) return false;
    const keyIndex = this.#follows ?? this.#due(capacity());
    if (keyIndex === undefined) return false;
    const { target } = this.#good;
    this.#busy = true;
    this.#probed.add(keyIndex);
    if (this.testsOthers) this.#tested.add(keyIndex);
    else this.#left -= 1;
    try {
      const [{ response }] = await Promise.all([
        // After the planned request, so that the planned one is admitted.
        setImmediate().then(() => send(target, keyIndex)),
        inFlight?.catch(() => null),
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
   * A window that was also used by others, or that had just ended, is not conclusive: try the next one. If nothing is
   * announced, an admitted probe may have hit the next window or a limit that is too high: one more probe, or another
   * key, tells. Returns true when one more must follow.
   */
  #learn(refused: boolean, key: KeyCapacity | undefined): boolean {
    const isFirst = this.#follows === null;
    const isAnnounced = typeof key?.endsAt === 'number';
    const isConclusive = isAnnounced ? key.allOurs && (refused || key.full) : refused && isFirst;
    if (isConclusive) {
      this.#left = 0;
      if (key !== undefined) this.#tested.add(key.keyIndex);
    }
    return isFirst && !isAnnounced && !isConclusive;
  }

  /** A used-up key that was not probed in this window. */
  #due(keys: readonly KeyCapacity[]): number | undefined {
    return this.#noteRoom(keys).find(
      ({ keyIndex, full }) => full && this.isDue(keyIndex) && !this.#probed.has(keyIndex),
    )?.keyIndex;
  }

  /** Records which keys have capacity again. */
  #noteRoom(keys: readonly KeyCapacity[]): readonly KeyCapacity[] {
    for (const { keyIndex, full } of keys) if (!full) this.#probed.delete(keyIndex);
    return keys;
  }
}
