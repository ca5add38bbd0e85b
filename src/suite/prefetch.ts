import type { Exclusivity } from '../ask/check.ts';
import type { BoundCheck } from './checks.ts';

/**
 * Checks prefetched per concurrent request. Many wait for the window of a key; later ones with other keys, or without a key,
 * need not.
 */
const ASKING = 8;

/** Requests of checks, which may be sent before their turn. */
export interface Prefetch<Asked> {
  /** The responses of a check, requested now unless prefetched. Rejects with what the check threw. */
  of(bound: BoundCheck): Promise<Asked>;
  /** Stops prefetching, when the run is interrupted. */
  stop(): void;
}

/**
 * Sends the requests of checks before their turn, because they rarely depend on other responses. Results are delivered in the
 * order of the checks. Some checks wait for their turn, and everything after an exclusive check waits for it.
 * @param checks all checks in their order
 * @param concurrency concurrent requests; 1 disables prefetching
 * @param begin sends the requests of a check
 */
export function prefetching<Asked>(
  checks: readonly BoundCheck[],
  concurrency: number,
  begin: (bound: BoundCheck, position: number) => Promise<Asked>,
): Prefetch<Asked> {
  const positions = new Map(checks.map((bound, position) => [bound, position]));
  const positionOf = (bound: BoundCheck): number => positions.get(bound) ?? 0;
  const most = concurrency > 1 ? concurrency * ASKING : 0;
  const asked = new Map<BoundCheck, Promise<Asked>>();
  let next = 0;
  let underWay = 0;
  let stopped = false;
  /** Prefetches the next checks, up to an exclusive one. */
  const goOn = (): void => {
    const bound = checks[next];
    const exclusivity = bound && exclusivityOf(bound);
    if (stopped || underWay >= most || bound === undefined || exclusivity === 'alone') return;
    next += 1;
    if (exclusivity === undefined) void start(bound);
    goOn();
  };
  const start = (bound: BoundCheck): Promise<Asked> => {
    underWay += 1;
    const answers = begin(bound, positionOf(bound)).finally(() => {
      underWay -= 1;
      if (exclusivityOf(bound) !== 'alone') goOn();
    });
    asked.set(bound, answers);
    // Rejections are handled by `of`.
    answers.catch(() => undefined);
    return answers;
  };
  return {
    async of(bound) {
      const answers = asked.get(bound) ?? start(bound);
      next = Math.max(next, positionOf(bound) + 1);
      if (exclusivityOf(bound) !== 'alone') goOn();
      try {
        return await answers;
      } finally {
        asked.delete(bound);
        goOn();
      }
    },
    stop() {
      stopped = true;
    },
  };
}

/**
 * When a check sends its requests; undefined when it may be prefetched. Searches spend the rest of the budget, and no request
 * may be in flight while the clock is advanced.
 */
export const exclusivityOf = ({ check }: BoundCheck): Exclusivity | undefined =>
  'search' in check || check.movesClock === true ? 'alone' : check.asks;
