import { KEY_ROLES, type KeyRole } from '../../spec/exchange.ts';
import { KeyWindow, type KeyWindowOptions, type Settlement } from './key-window.ts';
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

/**
 * Distributes requests over a pool of keys within their limits (§8). Requests are served in order, but one that waits
 * for a specific key does not block the others.
 */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #clock: RunClock;
  readonly #keys: readonly Key[];
  #queue: Waiting[] = [];
  #timer: Timer | null = null;
  #announcedUntil = Number.NEGATIVE_INFINITY;
  #blockedSince: number | null = null;
  #waitedMs = 0;
  #uses = 0;
  #latencyMs = 0;
  /** Keys with an early 429, by the announced reset. */
  readonly #refusedEarly = new Map<number, Set<Key>>();

  constructor(options: PacerOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#keys = KEY_ROLES.flatMap((role) =>
      Array.from({ length: options.keys[role] ?? 0 }, (_, index) => ({
        role,
        index,
        window: new KeyWindow(options),
        lastUsed: 0,
      })),
    );
    options.signal?.addEventListener('abort', () => this.#abort(options.signal?.reason), {
      once: true,
    });
  }

  /** Time spent waiting for windows, ms of the run's clock. Overlapping waits count once. */
  get waitedMs(): number {
    const current = this.#blockedSince === null ? 0 : this.#clock.now() - this.#blockedSince;
    return this.#waitedMs + current;
  }

  /**
   * Adds a request of an earlier part of the run to its window, in chronological order. `at` is the time of its answer,
   * ms of the run's clock. The settlement is null without an answer.
   */
  remember(role: KeyRole, keyIndex: number, at: number, settlement: Settlement | null): void {
    const [key] = this.#candidates({ role, keyIndex });
    key?.window.send();
    key?.window.settle(at, settlement);
  }

  /**
   * Acquires permission to send one request, as soon as the limit of a key permits. Immediate for roles without paced
   * keys.
   */
  async acquire(options: AcquireOptions): Promise<Lease> {
    this.#options.signal?.throwIfAborted();
    const { role, keyIndex = 0 } = options;
    if ((this.#options.keys[role] ?? 0) === 0) return { keyIndex, settle: () => undefined };
    if (this.#candidates({ role, keyIndex }).length === 0) {
      throw new RangeError(`Role ${role} has no key ${keyIndex}.`);
    }
    return new Promise((grant, reject) => {
      this.#queue.push({ options, grant, reject });
      this.#pump();
    });
  }

  /** Estimated capacity of every key of a role; empty for roles without paced keys. */
  capacity(role: KeyRole): KeyCapacity[] {
    const now = this.#clock.now();
    return this.#candidates({ role }).map(({ index, window }) => {
      const endsAt = window.endsAt();
      return {
        keyIndex: index,
        available: window.available(now),
        full: window.full(now),
        allOurs: window.allOurs,
        endsAt: endsAt === null ? null : endsAt - this.#clock.advancedMs,
      };
    });
  }

  get ofOneKey(): number {
    const { ofOneKey: most = Infinity, requests } = this.#options;
    // Without waits for windows, there is nothing to gain.
    if (most < Infinity && this.#clock.controlled) return 1;
    const needed = Math.ceil((requests * this.#latencyMs) / USED_UP_WITHIN_MS);
    return most < Infinity ? Math.min(most, Math.max(1, needed)) : most;
  }

  /** Serves what can be served now, and schedules the rest. */
  #pump(): void {
    if (this.#timer?.moves === true) return;
    const now = this.#clock.now();
    const left: Waiting[] = [];
    let next: { at: number; role: KeyRole } | null = null;
    for (const waiting of this.#queue) {
      const keys = this.#candidates(waiting.options);
      const key = waiting.options.force === true ? keys[0] : this.#choice(keys, now);
      if (key !== undefined) {
        this.#grant(key, waiting, now);
        continue;
      }
      left.push(waiting);
      for (const { role, window } of keys) {
        const at = window.nextAt(now);
        if (at !== null && (next === null || at < next.at)) next = { at, role };
      }
    }
    this.#queue = left;
    this.#schedule(next, now);
  }

  #candidates({ role, keyIndex }: AcquireOptions): Key[] {
    return this.#keys.filter(
      (key) => key.role === role && (keyIndex === undefined || key.index === keyIndex),
    );
  }

  /** The key to use up first, or else the least recently used one. */
  #choice(candidates: readonly Key[], now: number): Key | undefined {
    const most = this.ofOneKey;
    const keys = candidates.filter(
      ({ window }) => window.inFlight < most && window.available(now) > 0,
    );
    const { first } = this.#options;
    return (
      keys.find(({ role, index }) => first?.(role, index) === true) ??
      keys.toSorted((a, b) => a.lastUsed - b.lastUsed)[0]
    );
  }

  #grant(key: Key, { grant }: Waiting, now: number): void {
    this.#uses += 1;
    key.lastUsed = this.#uses;
    const { window } = key;
    window.send();
    let isSettled = false;
    grant({
      keyIndex: key.index,
      settle: (settlement) => {
        if (isSettled) return;
        isSettled = true;
        const latencyMs = this.#clock.now() - now;
        if (settlement !== null) this.#latencyMs += (latencyMs - this.#latencyMs) * NEWEST;
        if (settlement?.status === 429) this.#observeRefusal(key, settlement, now);
        window.settle(this.#clock.now(), settlement);
        this.#pump();
      },
    });
  }

  /**
   * Several keys with an early 429 in the same window share one counter: that is a defect (§8), but no reason to send
   * requests that will be rejected. From then on, all keys share a window here, too.
   */
  #observeRefusal(key: Key, { announced }: Settlement, now: number): void {
    // The near-quota key may be rejected because of its quota.
    if (announced === null || key.role === 'nearQuota') return;
    if (key.window.recent(now) >= this.#options.requests / 2) return;
    const early = this.#refusedEarly.get(announced.resetAt) ?? new Set();
    this.#refusedEarly.set(announced.resetAt, early.add(key));
    if (early.size < 2) return;
    for (const one of this.#keys) one.window = key.window;
  }

  #schedule(next: { at: number; role: KeyRole } | null, now: number): void {
    if (this.#timer !== null && this.#timer.until !== next?.at) {
      this.#timer.cancel.abort();
      this.#timer = null;
    }
    // Advancing the clock with requests in flight would make their window ambiguous.
    if (next === null || (this.#clock.controlled && this.#busy)) {
      if (this.#blockedSince !== null) this.#waitedMs += now - this.#blockedSince;
      this.#blockedSince = null;
      return;
    }
    this.#blockedSince ??= now;
    if (this.#timer !== null) return;
    const ms = next.at - now;
    // Small corrections of the end are not a new wait.
    if (next.at - this.#announcedUntil > this.#options.windowMs * 0.02) {
      this.#announcedUntil = next.at;
      const untilMs = next.at - this.#clock.advancedMs;
      this.#options.onWait?.({ role: next.role, untilMs, ms });
    }
    this.#timer = { until: next.at, cancel: new AbortController(), moves: false };
    void this.#sleep(ms, this.#timer);
  }

  async #sleep(ms: number, timer: Timer): Promise<void> {
    if (this.#clock.controlled) {
      await this.#options.quiet?.();
      if (this.#timer !== timer) return;
      if (this.#busy) {
        // The next answer triggers the queue again.
        this.#timer = null;
        return;
      }
      timer.moves = true;
    }
    try {
      await this.#clock.wait(ms, timer.cancel.signal);
    } catch (error) {
      this.#abort(error);
      return;
    }
    if (this.#timer !== timer) return;
    this.#timer = null;
    this.#pump();
  }

  get #busy(): boolean {
    return this.#keys.some(({ window }) => window.inFlight > 0);
  }

  #abort(reason: unknown): void {
    this.#timer?.cancel.abort();
    this.#timer = null;
    for (const { reject } of this.#queue.splice(0)) reject(reason);
  }
}
