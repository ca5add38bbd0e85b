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
export function requestsUnderWay({
  concurrency,
  position = () => 0,
  left,
  fillsWindow,
  ofOneKey,
}: UnderWayOptions) {
  const most = concurrency ?? Number.POSITIVE_INFINITY;
  let capacity = concurrency === undefined ? most : 1;
  const wire = turnstile(() => capacity, position);
  const slots = turnstile(() => {
    if (concurrency === undefined) return most;
    if (left() < IN_ORDER * concurrency) return 1;
    return fillsWindow() ? Math.min(concurrency, ofOneKey()) : concurrency;
  }, position);
  return {
    /** Waits for permission to acquire a valid key, so that at most as many wait for a window as can be sent. */
    slot: slots.enter,
    /** Waits for permission to send. */
    send: wire.enter,
    /** Resolves when nothing is in flight and no caller sends immediately again. */
    async quiet(): Promise<void> {
      for (let turns = 0; turns < QUIET_TURNS;) {
        const isBusy = wire.inside() > 0;
        turns = isBusy ? 0 : turns + 1;
        await new Promise((resolve) => {
          if (isBusy) setTimeout(resolve, 1);
          else setImmediate(resolve);
        });
      }
    },
    /** Allows one more request in flight after a good answer. */
    widen(): void {
      if (capacity >= most) return;
      capacity += 1;
      wire.admit();
    },
    /** Reduces the limit after a missing answer or a 5xx. */
    observe({ response }: Exchange): void {
      const hasFailed = response === null || response.status >= 500;
      if (hasFailed && Number.isFinite(most)) capacity = 1;
    },
  };
}

/**
 * A semaphore with a queue in the order of the run.
 * @param capacity current capacity @param positionOf position of the caller in the order of the run
 */
function turnstile(capacity: () => number, positionOf: () => number) {
  let inside = 0;
  const waiting: { readonly position: number; readonly enter: () => void }[] = [];
  /** Lets waiting callers in while there is capacity. */
  const admit = (): void => {
    while (inside < capacity()) {
      const next = waiting.shift();
      if (next === undefined) return;
      inside += 1;
      next.enter();
    }
  };
  return {
    inside: (): number => inside,
    admit,
    /** Enters as soon as there is capacity. @returns a function that leaves */
    async enter(): Promise<() => void> {
      if (waiting.length > 0 || inside >= capacity()) {
        const position = positionOf();
        await new Promise<void>((enter) => {
          const behind = waiting.findIndex((other) => other.position > position);
          waiting.splice(behind === -1 ? waiting.length : behind, 0, { position, enter });
        });
      } else inside += 1;
      return () => {
        inside -= 1;
        // The caller may ask again immediately and comes first then, so wait for it.
        if (waiting.length > 0) setImmediate(admit);
      };
    },
  };
}
