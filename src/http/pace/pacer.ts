import { KEY_ROLES, type KeyRole } from '../../spec/exchange.ts';
import { keyWindow, type KeyWindow, type KeyWindowOptions, type Settlement } from './key-window.ts';
import type { RequestOptions } from '../session-options.ts';
import type { RunClock } from './run-clock.ts';

/** A planned wait, because every key of the role has used up its window. */
export interface PlannedWait {
  readonly role: KeyRole;
  /** When the wait ends, local time, epoch ms. */
  readonly untilMs: number;
  readonly ms: number;
}

export interface PacerOptions extends KeyWindowOptions {
  /** Number of keys of each paced role. Other roles never wait. */
  readonly keys: Readonly<Partial<Record<KeyRole, number>>>;
  readonly clock: RunClock;
  /**
   * Maximum number of parallel requests per key, except forced ones; default: no limit. Uses fewer if that is fast
   * enough, because sequential answers show in which order they were counted.
   */
  readonly ofOneKey?: number | undefined;
  /** Resolves when nothing is in flight: the clock of a test target is advanced only then. */
  readonly quiet?: (() => Promise<void>) | undefined;
  readonly onWait?: ((wait: PlannedWait) => void) | undefined;
  /** True while a key is used up before others; the rest are used evenly. */
  readonly first?: ((role: KeyRole, keyIndex: number) => boolean) | undefined;
  /** Cancels all waits, which reject with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface AcquireOptions extends Pick<RequestOptions, 'keyIndex' | 'force'> {
  readonly role: KeyRole;
}

/** Permission to send one request. It must always be settled. */
export interface Lease {
  /** Index of the key within its role; 0 for roles without paced keys. */
  readonly keyIndex: number;
  /** Reports the answer, or null without one. */
  settle(settlement: Settlement | null): void;
}

/** Estimated state of the window of one key. */
export interface KeyCapacity {
  readonly keyIndex: number;
  readonly available: number;
  /** True when the window is considered used up, so that one more request should get a 429. */
  readonly full: boolean;
  /** True when all requests of the announced window came from this run. */
  readonly allOurs: boolean;
  /** Announced end of the window, local time, epoch ms; null when not announced. */
  readonly endsAt: number | null;
}

/** Use of one key by a check that asks alone, so that it sees every request of the key's window. */
export interface Pin {
  readonly role: KeyRole;
  readonly keyIndex: number;
  capacity(): KeyCapacity;
  /** Ends the sequence of its requests. */
  release(): void;
}

interface Key {
  readonly role: KeyRole;
  readonly index: number;
  /** Separate for each key, until it turns out that the keys share one. */
  window: KeyWindow;
  lastUsed: number;
}

/** A wait in progress for the queue. */
interface Timer {
  /** Run's clock, ms. */
  readonly until: number;
  readonly cancel: AbortController;
  /** True while the target's clock is being advanced, which cannot be cancelled. */
  moves: boolean;
}

interface Waiting {
  readonly options: AcquireOptions;
  readonly grant: (lease: Lease) => void;
  readonly reject: (reason: unknown) => void;
}

/** Time in which to use up the window of a key when answers are slow, ms. */
const USED_UP_WITHIN_MS = 3000;
/** Weight of the latest answer in the average latency. */
const NEWEST = 0.3;

/** Paces the requests of a session. */
export type Pacer = ReturnType<typeof pacerOf>;

/**
 * Distributes requests over a pool of keys within their limits (§8). Requests are served in order, but one that waits
 * for a specific key does not block the others.
 */
export function pacerOf(options: PacerOptions) {
  const { clock, signal } = options;
  const keys: readonly Key[] = KEY_ROLES.flatMap((role) =>
    Array.from({ length: options.keys[role] ?? 0 }, (_, index) => ({
      role,
      index,
      window: keyWindow(options),
      lastUsed: 0,
    })),
  );
  let queue: Waiting[] = [];
  let timer: Timer | null = null;
  let announcedUntil = Number.NEGATIVE_INFINITY;
  let blockedSince: number | null = null;
  let [waitedMs, uses, latencyMs] = [0, 0, 0];
  /** Keys with an early 429, by the announced reset. */
  const refusedEarly = new Map<number, Set<Key>>();

  const isBusy = (): boolean => keys.some(({ window }) => window.inFlight > 0);
  const candidates = ({ role, keyIndex }: AcquireOptions): Key[] =>
    keys.filter((key) => key.role === role && (keyIndex === undefined || key.index === keyIndex));
  const ofOneKey = (): number => {
    const { ofOneKey: most = Infinity, requests } = options;
    // Without waits for windows, there is nothing to gain.
    if (most < Infinity && clock.controlled) return 1;
    const needed = Math.ceil((requests * latencyMs) / USED_UP_WITHIN_MS);
    return most < Infinity ? Math.min(most, Math.max(1, needed)) : most;
  };
  /** The key to use up first, or else the least recently used one. */
  const choice = (all: readonly Key[], now: number): Key | undefined => {
    const most = ofOneKey();
    const free = all.filter(({ window }) => window.inFlight < most && window.available(now) > 0);
    return (
      free.find(({ role, index }) => options.first?.(role, index) === true) ??
      free.toSorted((a, b) => a.lastUsed - b.lastUsed)[0]
    );
  };
  /**
   * Several keys with an early 429 in the same window share one counter: that is a defect (§8), but no reason to send
   * requests that will be rejected. From then on, all keys share a window here, too.
   */
  const observeRefusal = (key: Key, { announced }: Settlement, now: number): void => {
    // The near-quota key may be rejected because of its quota.
    if (announced === null || key.role === 'nearQuota') return;
    if (key.window.recent(now) >= options.requests / 2) return;
    const early = refusedEarly.get(announced.resetAt) ?? new Set();
    refusedEarly.set(announced.resetAt, early.add(key));
    if (early.size < 2) return;
    for (const one of keys) one.window = key.window;
  };
  const grantTo = ({ grant }: Waiting, key: Key, now: number): void => {
    uses += 1;
    key.lastUsed = uses;
    const { window } = key;
    window.send();
    let isSettled = false;
    grant({
      keyIndex: key.index,
      settle: (settlement) => {
        if (isSettled) return;
        isSettled = true;
        if (settlement !== null) latencyMs += (clock.now() - now - latencyMs) * NEWEST;
        if (settlement?.status === 429) observeRefusal(key, settlement, now);
        window.settle(clock.now(), settlement);
        pump();
      },
    });
  };
  /** Nothing waits for a window any more. */
  const unblock = (now: number): void => {
    if (blockedSince !== null) waitedMs += now - blockedSince;
    blockedSince = null;
  };
  const abort = (reason: unknown): void => {
    timer?.cancel.abort();
    timer = null;
    unblock(clock.now());
    for (const { reject } of queue.splice(0)) reject(reason);
  };
  const wait = async (ms: number, own: Timer): Promise<void> => {
    if (clock.controlled) {
      await options.quiet?.();
      if (timer !== own) return;
      if (isBusy()) {
        // The next answer triggers the queue again.
        timer = null;
        return;
      }
      own.moves = true;
    }
    try {
      await clock.wait(ms, own.cancel.signal);
    } catch (error) {
      abort(error);
      return;
    }
    if (timer !== own) return;
    timer = null;
    pump();
  };
  const schedule = (next: { at: number; role: KeyRole } | null, now: number): void => {
    if (timer !== null && timer.until !== next?.at) {
      timer.cancel.abort();
      timer = null;
    }
    // Advancing the clock with requests in flight would make their window ambiguous.
    if (next === null || (clock.controlled && isBusy())) {
      unblock(now);
      return;
    }
    blockedSince ??= now;
    if (timer !== null) return;
    const ms = next.at - now;
    // Small corrections of the end are not a new wait.
    if (next.at - announcedUntil > options.windowMs * 0.02) {
      announcedUntil = next.at;
      options.onWait?.({ role: next.role, untilMs: next.at - clock.advancedMs, ms });
    }
    timer = { until: next.at, cancel: new AbortController(), moves: false };
    void wait(ms, timer);
  };
  /** Serves what can be served now, and schedules the rest. */
  const pump = (): void => {
    if (timer?.moves === true) return;
    const now = clock.now();
    const left: Waiting[] = [];
    let next: { at: number; role: KeyRole } | null = null;
    for (const waiting of queue) {
      const all = candidates(waiting.options);
      const key = waiting.options.force === true ? all[0] : choice(all, now);
      if (key !== undefined) {
        grantTo(waiting, key, now);
        continue;
      }
      left.push(waiting);
      for (const { role, window } of all) {
        const at = window.nextAt(now);
        if (at !== null && (next === null || at < next.at)) next = { at, role };
      }
    }
    queue = left;
    schedule(next, now);
  };
  signal?.addEventListener('abort', () => abort(signal.reason), { once: true });
  return {
    /** Time spent waiting for windows, ms of the run's clock. Overlapping waits count once. */
    get waitedMs(): number {
      return waitedMs + (blockedSince === null ? 0 : clock.now() - blockedSince);
    },
    get ofOneKey(): number {
      return ofOneKey();
    },
    /**
     * Adds a request of an earlier part of the run to its window, in chronological order. `at` is the time of its
     * answer, ms of the run's clock. The settlement is null without an answer.
     */
    remember(role: KeyRole, keyIndex: number, at: number, settlement: Settlement | null): void {
      const [key] = candidates({ role, keyIndex });
      key?.window.send();
      key?.window.settle(at, settlement);
    },
    /**
     * Acquires permission to send one request, as soon as the limit of a key permits. Immediate for roles without paced
     * keys.
     */
    async acquire(asked: AcquireOptions): Promise<Lease> {
      signal?.throwIfAborted();
      const { role, keyIndex = 0 } = asked;
      if ((options.keys[role] ?? 0) === 0) return { keyIndex, settle: () => undefined };
      if (candidates({ role, keyIndex }).length === 0) {
        throw new RangeError(`Role ${role} has no key ${keyIndex}.`);
      }
      return new Promise((grant, reject) => {
        queue.push({ options: asked, grant, reject });
        pump();
      });
    },
    /** Estimated capacity of every key of a role; empty for roles without paced keys. */
    capacity(role: KeyRole): KeyCapacity[] {
      const now = clock.now();
      return candidates({ role }).map(({ index, window }) => {
        const endsAt = window.endsAt();
        return {
          keyIndex: index,
          available: window.available(now),
          full: window.full(now),
          allOurs: window.allOurs(),
          endsAt: endsAt === null ? null : endsAt - clock.advancedMs,
        };
      });
    },
  };
}
