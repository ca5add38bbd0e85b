import type { CallJudge } from './judge-link.ts';
import { UNJUDGED, type RawExchange, type Unjudged } from './raw-exchange.ts';

/** Exchanges that were skipped because the judge was behind, and whether it still is. */
export interface FeedState {
  readonly sampled: number;
  readonly isSampling: boolean;
}

/** Total size of bodies kept for the judge while their answers arrive, bytes. */
const MOST_UNDER_WAY = 64 * 1024 * 1024;
/** Above the first figure exchanges are skipped until the judge is below the second one. */
const FULL = { exchanges: 4000, bytes: 48 * 1024 * 1024 };
const CAUGHT_UP = { exchanges: 400, bytes: 6 * 1024 * 1024 };
/** Exchanges are sent in batches, after this time, ms. */
const HAND_OVER_MS = 20;
/** How often to look for a judge if there is none, ms. */
const AGAIN_MS = 1000;

/**
 * Passes exchanges from the proxy to the judge, which may be slower. If it is, consecutive exchanges are skipped, so
 * that the judged ones are contiguous and nothing is concluded from missing ones.
 * @param after the highest request number so far
 * @param onSampling called when skipping starts and ends
 */
export function feedOf(call: CallJudge, after: number, onSampling: (state: FeedState) => void) {
  let [number, underWay, sampled, isSampling] = [after, 0, 0, false];
  let batch: RawExchange[] = [];
  let missed = new Map<Unjudged, number>();
  let timer: NodeJS.Timeout | undefined;
  /** Exchanges that the judge has not taken yet, and the bytes of their bodies. */
  const waiting = { exchanges: 0, bytes: 0 };

  const tell = (): void => onSampling({ sampled, isSampling });
  const soon = (): void => void (timer ??= setTimeout(flush, HAND_OVER_MS));
  const miss = (why: Unjudged, count = 1): void => {
    missed.set(why, (missed.get(why) ?? 0) + count);
    soon();
  };
  const skip = (count: number): void => {
    sampled += count;
    miss('sampled', count);
    if (isSampling) return;
    isSampling = true;
    tell();
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const [taken, lost] = [batch, missed];
    batch = [];
    missed = new Map();
    if (taken.length > 0) void hand(taken);
    for (const [why, count] of lost) void call('miss', UNJUDGED[why], count);
  };
  const hand = async (taken: readonly RawExchange[]): Promise<void> => {
    const isTaken = await call('take', taken);
    waiting.exchanges -= taken.length;
    for (const one of taken) waiting.bytes -= sizeOf(one);
    if (isTaken === undefined) skip(taken.length);
    await catchUp();
  };
  const catchUp = async (): Promise<void> => {
    const { exchanges, bytes } = waiting;
    if (!isSampling || exchanges > CAUGHT_UP.exchanges || bytes > CAUGHT_UP.bytes) return;
    flush();
    const isThere = (await call('gap')) !== undefined;
    if (!isThere) setTimeout(() => void catchUp(), AGAIN_MS).unref();
    if (!isThere || !isSampling) return;
    isSampling = false;
    tell();
  };
  return {
    state: (): FeedState => ({ sampled, isSampling }),
    begin: (): number => (number += 1),
    keep(bytes: number): boolean {
      if (underWay + bytes > MOST_UNDER_WAY) return false;
      underWay += bytes;
      return true;
    },
    release(bytes: number): void {
      underWay -= bytes;
    },
    take(exchange: RawExchange): void {
      const bytes = sizeOf(exchange);
      const isFull = waiting.exchanges >= FULL.exchanges || waiting.bytes + bytes > FULL.bytes;
      if (isSampling || isFull) {
        skip(1);
        return;
      }
      waiting.exchanges += 1;
      waiting.bytes += bytes;
      batch.push(exchange);
      soon();
    },
    miss,
    flush,
  };
}

const sizeOf = ({ body }: RawExchange): number => body?.byteLength ?? 0;
