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
  readonly why: string | null;
  /** Time of the next attempt, ISO 8601; null for none. */
  readonly next: string | null;
}

interface DeliveryOptions {
  readonly store: Store;
  readonly send: (notification: Notification, signal: AbortSignal) => Promise<Attempt>;
  readonly tell: (note: DeliveryNote) => void;
  readonly now?: () => number;
  readonly pauses?: readonly number[];
}

export type Deliveries = ReturnType<typeof deliveriesOf>;

/**
 * Delivers the notifications queued in the state in order, one at a time, with retries. The next process delivers the
 * rest.
 */
export function deliveriesOf({
  store,
  send,
  tell,
  now = Date.now,
  pauses = PAUSES,
}: DeliveryOptions) {
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  const deliver = async (pending: PendingNotification): Promise<void> => {
    const attempt = await send(pending.body, stopped);
    if (!attempt.delivered && stopped.aborted) return;
    const attempts = pending.attempts + 1;
    const at = now();
    const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? HOUR;
    const isOver = attempt.delivered || at - pending.queuedAt > GIVE_UP_MS;
    try {
      await store.update((state) => ({
        ...state,
        notifications: state.notifications.flatMap((one) =>
          one.id !== pending.id ? [one] : isOver ? [] : [{ ...one, attempts, nextAt: at + pause }],
        ),
      }));
    } catch {
      // Runs report a full disk. A repeated notification has the same id.
      await sleep(pause, stopped);
      return;
    }
    const { delivered } = attempt;
    tell({
      id: pending.id,
      attempts,
      delivered,
      status: delivered ? attempt.status : null,
      why: delivered ? null : attempt.why,
      next: isOver ? null : new Date(at + pause).toISOString(),
    });
  };
  const run = async (): Promise<void> => {
    while (!stopped.aborted) {
      const [first] = store.state.notifications;
      if (first === undefined || first.nextAt > now()) await sleep(LOOK_MS, stopped);
      else await deliver(first);
    }
  };
  const loop = run();
  return {
    /** Resolves when the queue is empty, or after `ms`. */
    async drained(ms: number, signal: AbortSignal): Promise<void> {
      const until = now() + ms;
      while (store.state.notifications.length > 0 && now() < until && !signal.aborted)
        await sleep(LOOK_MS, signal);
    },
    /** Stops. The next process repeats an aborted attempt with the same id. */
    async stop(): Promise<void> {
      stopping.abort();
      await loop;
    },
  };
}
