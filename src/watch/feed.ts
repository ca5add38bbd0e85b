import type { ToJudge } from './messages.ts';
import { UNJUDGED, type Onlooker, type RawExchange, type Unjudged } from './raw-exchange.ts';

/** State of a feed. */
export interface FeedState {
  /** Exchanges that were skipped because the judge was behind. */
  readonly sampled: number;
  readonly isSampling: boolean;
}

/** Total size of bodies kept for the judge while their answers arrive, bytes. */
const MOST_UNDER_WAY = 64 * 1024 * 1024;
/** Above the first figure exchanges are skipped until the judge is below the second one. */
const FULL = { exchanges: 4000, bytes: 48 * 1024 * 1024 };
const CAUGHT_UP = { exchanges: 400, bytes: 6 * 1024 * 1024 };
/** Exchanges are sent in batches, after at most this many ms or exchanges. */
const HAND_OVER_MS = 20;
const HAND_OVER = 64;

/**
 * Passes exchanges from the proxy to the judge, which may be slower. If it is, consecutive exchanges are skipped, so
 * that the judged ones are contiguous and nothing is concluded from missing ones.
 */
export class Feed implements Onlooker {
  readonly #send: (message: ToJudge) => void;
  readonly #onSampling: (state: FeedState) => void;
  #number: number;
  #underWay = 0;
  #batch: RawExchange[] = [];
  #timer: NodeJS.Timeout | null = null;
  #waiting = 0;
  #waitingBytes = 0;
  #sampled = 0;
  #isSampling = false;
  readonly #missed = new Map<Unjudged, number>();

  /**
   * @param send sends a message to the judge
   * @param after the highest request number so far
   * @param onSampling called when skipping starts and ends
   */
  constructor(
    send: (message: ToJudge) => void,
    after: number,
    onSampling: (state: FeedState) => void,
  ) {
    this.#send = send;
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
    const bytes = exchange.body?.byteLength ?? 0;
    const isFull =
      this.#waiting + this.#batch.length >= FULL.exchanges ||
      this.#waitingBytes + bytes > FULL.bytes;
    if (this.#isSampling || isFull) {
      this.#leaveOut();
      return;
    }
    this.#waitingBytes += bytes;
    this.#batch.push(exchange);
    if (this.#batch.length >= HAND_OVER) this.flush();
    else this.#soon();
  }

  miss(why: Unjudged, count = 1): void {
    this.#missed.set(why, (this.#missed.get(why) ?? 0) + count);
    this.#soon();
  }

  /** Sends the current batch. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#batch;
    this.#batch = [];
    this.#waiting += batch.length;
    if (batch.length > 0) this.#send({ type: 'exchanges', exchanges: batch });
    for (const [why, count] of this.#missed) {
      this.#send({ type: 'missed', reason: UNJUDGED[why], count });
    }
    this.#missed.clear();
  }

  /** The judge has processed this much. */
  done(exchanges: number, bytes: number): void {
    this.#waiting -= exchanges;
    this.#waitingBytes -= bytes;
    if (!this.#isSampling) return;
    if (this.#waiting > CAUGHT_UP.exchanges || this.#waitingBytes > CAUGHT_UP.bytes) return;
    this.#isSampling = false;
    this.flush();
    this.#send({ type: 'gap' });
    this.#onSampling(this.state);
  }

  /** The judge was replaced: waiting exchanges are lost, and earlier ones are not compared with later ones. */
  restart(): void {
    this.miss('sampled', this.#waiting);
    this.#sampled += this.#waiting;
    this.#waiting = 0;
    this.#waitingBytes = 0;
    this.#isSampling = false;
    this.#send({ type: 'gap' });
  }

  #leaveOut(): void {
    this.#sampled += 1;
    this.miss('sampled');
    if (this.#isSampling) return;
    this.#isSampling = true;
    this.#onSampling(this.state);
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.flush(), HAND_OVER_MS);
  }
}
