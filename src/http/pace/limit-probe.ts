import { setImmediate } from 'node:timers/promises';
import type { Exchange } from '../../spec/exchange.ts';
import type { KeyCapacity } from './pacer.ts';
import type { KnownRun } from '../record/known-answers.ts';
import type { RequestTarget } from '../request-url.ts';

/** Maximum number of probes until one is conclusive. */
const MOST_PROBES = 4;

/** The probe of a run that may be resumed. `valid`: fingerprints of its keys; `most`: number of them to test. */
export function probeAfter(known: KnownRun | undefined, valid: readonly string[], most = 1) {
  const probed = (known?.exchanges ?? [])
    .filter(({ purpose }) => purpose === 'limit-probe')
    .map(({ key }) => valid.indexOf(key ?? ''));
  return limitProbe(known?.probesLeft, Math.min(most, valid.length), probed);
}

/**
 * Decides when a run sends one request beyond the limit (§8, ruling 13): together with the last request of a key's
 * window, to detect a limiter that checks before it counts. It repeats the smallest successful request so far, so that
 * only the limiter can be the reason for a refusal. Until the limiter was tested, keys are used up one after the other,
 * because requests spread over a pool might never fill a window. After a conclusive probe, each other key gets one, as
 * far as the run tests several, because a plan or an exemption may belong to a single key.
 * @param left remaining probes of a resumed run; `probedBefore` its probed keys
 */
export function limitProbe(left = MOST_PROBES, keys = 1, probedBefore: readonly number[] = []) {
  let good: { readonly target: RequestTarget; readonly bytes: number } | null = null;
  let isBusy = false;
  /** Keys that were probed and are still used up. */
  const probed = new Set<number>();
  /** A key to probe once more, because its probe was admitted and nothing is announced; or null. */
  let again: number | null = null;
  /** Keys that need no further probe. */
  const tested = new Set(left > 0 ? [] : probedBefore);

  /** True when a probe was conclusive and other keys are due. */
  const testsOthers = (): boolean => left < 1 && tested.size > 0 && tested.size < keys;
  /** True while a probe is due: keys are then used up one after the other, as fast as possible. */
  const fillsWindow = (): boolean => left > 0 || testsOthers();
  /** True while the key should be used up before others. */
  const isDue = (keyIndex: number): boolean => fillsWindow() && !tested.has(keyIndex);
  /** Records which keys have capacity again. */
  const noteRoom = (all: readonly KeyCapacity[]): readonly KeyCapacity[] => {
    for (const { keyIndex, full } of all) if (!full) probed.delete(keyIndex);
    return all;
  };
  /** A used-up key that was not probed in this window. */
  const dueOf = (all: readonly KeyCapacity[]): number | undefined =>
    noteRoom(all).find(({ keyIndex, full }) => full && isDue(keyIndex) && !probed.has(keyIndex))
      ?.keyIndex;
  /**
   * A window that was also used by others, or that had just ended, is not conclusive: try the next one. If nothing is
   * announced, an admitted probe may have hit the next window or a limit that is too high: one more probe, or another
   * key, tells. Returns true when one more must follow.
   */
  const learn = (refused: boolean, key: KeyCapacity | undefined): boolean => {
    const isFirst = again === null;
    const isAnnounced = typeof key?.endsAt === 'number';
    const isConclusive = isAnnounced ? key.allOurs && (refused || key.full) : refused && isFirst;
    if (isConclusive) {
      left = 0;
      if (key !== undefined) tested.add(key.keyIndex);
    }
    return isFirst && !isAnnounced && !isConclusive;
  };
  return {
    fillsWindow,
    testsOthers,
    isDue,
    left: (): number => left,
    /** Records an exchange whose request might be used as a probe. */
    observe(target: RequestTarget, { role, request, response }: Exchange): void {
      if (role !== 'valid' || request.method !== 'GET' || response?.status !== 200) return;
      if (good === null || response.bytes < good.bytes) good = { target, bytes: response.bytes };
    },
    /**
     * Sends a probe through `send` when it is due. Returns true when another one must follow immediately.
     * @param capacity current capacity of the keys
     * @param inFlight the request in flight, or null
     */
    async run(
      capacity: () => readonly KeyCapacity[],
      send: (target: RequestTarget, keyIndex: number) => Promise<Exchange>,
      inFlight: Promise<Exchange> | null,
    ): Promise<boolean> {
      if (isBusy || !fillsWindow() || good === null) return false;
      const keyIndex = again ?? dueOf(capacity());
      if (keyIndex === undefined) return false;
      const { target } = good;
      isBusy = true;
      probed.add(keyIndex);
      if (testsOthers()) tested.add(keyIndex);
      else left -= 1;
      try {
        const [{ response }] = await Promise.all([
          // After the planned request, so that the planned one is admitted.
          setImmediate().then(() => send(target, keyIndex)),
          inFlight?.catch(() => null),
        ]);
        const key = noteRoom(capacity())[keyIndex];
        const follows = response !== null && learn(response.status === 429, key);
        again = follows ? keyIndex : null;
      } finally {
        isBusy = false;
      }
      return again !== null;
    },
  };
}
