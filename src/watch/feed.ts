import type { CallJudge } from './judge-link.ts';
import { UNJUDGED, type Onlooker, type RawExchange, type Unjudged } from './raw-exchange.ts';

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
 */
export class Feed implements Onlooker {
  readonly #call: CallJudge;
  readonly #onSampling: (state: FeedState) => void;
  #number: number;
  #underWay = 0;
  #batch: RawExchange[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Exchanges that the judge has not taken yet, and the bytes of their bodies. */
  readonly #waiting = { exchanges: 0, bytes: 0 };
  #sampled = 0;
  #isSampling = false;
  #missed = new Map<Unjudged, number>();

  /**
   * @param call calls the judge
   * @param after the highest request number so far
   * @param onSampling called when skipping starts and ends
   */
  constructor(call: CallJudge, after: number, onSampling: (state: FeedState) => void) {
    this.#call = call;
    this.#number = after;
    this.#onSampling = onSampling;
  }

  get state(): FeedState {
    return { sampled: this.#sampled, isSampling: this.#isSampling };
  }

  begin(): number {
    this.#number += 1;
    return this.#number;
  }

  keep(bytes: number): boolean {
    if (this.#underWay + bytes > MOST_UNDER_WAY) return false;
    this.#underWay += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#underWay -= bytes;
  }

  take(exchange: RawExchange): void {
    const waiting = this.#waiting;
    const bytes = sizeOf(exchange);
    const isFull = waiting.exchanges >= FULL.exchanges || waiting.bytes + bytes > FULL.bytes;
    if (this.#isSampling || isFull) {
      this.#skip(1);
      return;
    }
    waiting.exchanges += 1;
    waiting.bytes += bytes;
    this.#batch.push(exchange);
    this.#soon();
  }

  miss(why: Unjudged, count = 1): void {
    this.#missed.set(why, (this.#missed.get(why) ?? 0) + count);
    this.#soon();
  }

  /** Sends everything that was taken so far. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [batch, missed] = [this.#batch, this.#missed];
    this.#batch = [];
    this.#missed = new Map();
    if (batch.length > 0) void this.#hand(batch);
    for (const [why, count] of missed) void this.#call('miss', UNJUDGED[why], count);
  }

  async #hand(batch: readonly RawExchange[]): Promise<void> {
    const isTaken = await this.#call('take', batch);
    this.#waiting.exchanges -= batch.length;
    for (const one of batch) this.#waiting.bytes -= sizeOf(one);
    if (isTaken === undefined) this.#skip(batch.length);
    await this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    const { exchanges, bytes } = this.#waiting;
    if (!this.#isSampling || exchanges > CAUGHT_UP.exchanges || bytes > CAUGHT_UP.bytes) return;
    this.flush();
    const isThere = (await this.#call('gap')) !== undefined;
    if (!isThere) setTimeout(() => void this.#catchUp(), AGAIN_MS).unref();
    if (!isThere || !this.#isSampling) return;
    this.#isSampling = false;
    this.#onSampling(this.state);
  }

  #skip(count: number): void {
    this.#sampled += count;
    this.miss('sampled', count);
    if (this.#isSampling) return;
    this.#isSampling = true;
    this.#onSampling(this.state);
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.flush(), HAND_OVER_MS);
  }
}

const sizeOf = ({ body }: RawExchange): number => body?.byteLength ?? 0;
