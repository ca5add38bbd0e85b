import { HOUR, MINUTE } from '../../spec/time.ts';
import { sleep } from '../../http/pace/run-clock.ts';
import type { Notification, PendingNotification } from './notification.ts';
import type { Attempt } from './webhook.ts';
import type { Store } from '../state.ts';

/** Pauses between attempts, ms; the last one repeats. */
const PAUSES = [1000, 5000, 30_000, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR] as const;
/** Undelivered notifications are dropped after this time, ms. */
const GIVE_UP_MS = 72 * HOUR;
/** How often to look for notifications that are due, ms. */
const LOOK_MS = 250;

/** Result of an attempt. */
export interface DeliveryNote {
  readonly id: string;
  readonly attempts: number;
  readonly delivered: boolean;
  /** Status of the response; null without one. */
  readonly status: number | null;
  /** Why it was not delivered. */
  readonly why: string | null;
  /** Time of the next attempt, ISO 8601; null for none. */
  readonly next: string | null;
}

export interface DeliveryOptions {
  readonly store: Store;
  /** Sends a notification once. */
  readonly send: (notification: Notification, signal: AbortSignal) => Promise<Attempt>;
  readonly tell: (note: DeliveryNote) => void;
  readonly now?: () => number;
  readonly pauses?: readonly number[];
}

/**
 * Delivers the notifications queued in the state in order, one at a time, with retries. The next process delivers the
 * rest.
 */
export class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #now: () => number;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Resolves when the queue is empty, or after `ms`. */
  async drained(ms: number, signal: AbortSignal): Promise<void> {
    const until = this.#now() + ms;
    while (this.#queue.length > 0 && this.#now() < until && !signal.aborted)
      await sleep(LOOK_MS, signal);
  }

  /** Stops. The next process repeats an aborted attempt with the same id. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  get #queue(): readonly PendingNotification[] {
    return this.#options.store.state.notifications;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const [first] = this.#queue;
      if (first === undefined || first.nextAt > this.#now()) {
        await sleep(LOOK_MS, this.#stop.signal);
      } else await this.#attempt(first);
    }
  }

  async #attempt(pending: PendingNotification): Promise<void> {
    const { send, store, tell } = this.#options;
    const attempt = await send(pending.body, this.#stop.signal);
    if (!attempt.delivered && this.#stop.signal.aborted) return;
    const attempts = pending.attempts + 1;
    const now = this.#now();
    const pauses = this.#options.pauses ?? PAUSES;
    const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? HOUR;
    const isOver = attempt.delivered || now - pending.queuedAt > GIVE_UP_MS;
    try {
      await store.update((state) => ({
        ...state,
        notifications: state.notifications.flatMap((one) =>
          one.id !== pending.id ? [one] : isOver ? [] : [{ ...one, attempts, nextAt: now + pause }],
        ),
      }));
    } catch {
      // Runs report a full disk. A repeated notification has the same id.
      await sleep(pause, this.#stop.signal);
      return;
    }
    const { delivered } = attempt;
    tell({
      id: pending.id,
      attempts,
      delivered,
      status: delivered ? attempt.status : null,
      why: delivered ? null : attempt.why,
      next: isOver ? null : new Date(now + pause).toISOString(),
    });
  }
}
