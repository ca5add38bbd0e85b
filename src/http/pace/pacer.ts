import { KEY_ROLES, type KeyRole } from '../../spec/exchange.ts';
import { KeyWindow, type KeyWindowOptions, type Settlement } from './key-window.ts';
import type { RunClock } from './run-clock.ts';

/** A planned wait, because every key of the role has used up its window. */
export interface PlannedWait {
  readonly role: KeyRole;
  /** When the wait ends, local time, epoch ms. */
  readonly untilMs: number;
  readonly ms: number;
}

export interface PacerOptions extends Pick<KeyWindowOptions, 'requests' | 'windowMs' | 'skew'> {
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

export interface AcquireOptions {
  readonly role: KeyRole;
  /** Index of a specific key of the role. */
  readonly keyIndex?: number | undefined;
  /** The pin of the key, if it is pinned. */
  readonly pin?: Pin | undefined;
  /** Send immediately, although the window is considered full. */
  readonly force?: boolean | undefined;
}

/** Permission to send one request. It must always be settled. */
export interface Lease {
  /** Index of the key within its role; 0 for roles without paced keys. */
  readonly keyIndex: number;
  /** Time spent waiting for the lease, ms of the run's clock. */
  readonly waitMs: number;
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

/** Exclusive use of a key: only the holder sends with it and sees every request of its window. */
export interface Pin {
  readonly role: KeyRole;
  readonly keyIndex: number;
  capacity(): KeyCapacity;
  /** Gives the key back to the pool. */
  release(): void;
}

interface Key {
  readonly role: KeyRole;
  readonly index: number;
  /** Separate for each key, until it turns out that the keys share one. */
  window: KeyWindow;
  holder: Pin | null;
  /** Pending pins. While there are any, other requests do not get the key. */
  readonly claims: {
    readonly take: (pin: Pin) => void;
    readonly onRelease: (() => void) | undefined;
  }[];
  lastUsed: number;
}

/** A wait in progress for the queue. */
interface Timer {
  /** Run's clock, ms. */
  readonly until: number;
  readonly cancel: AbortController;
  /** True while the target's clock is being advanced. */
  moves: boolean;
}

interface Waiting {
  readonly options: AcquireOptions;
  readonly since: number;
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
  readonly #pools = new Map<KeyRole, readonly Key[]>();
  #queue: Waiting[] = [];
  #timer: Timer | null = null;
  #announcedUntil = Number.NEGATIVE_INFINITY;
  #blockedSince: number | null = null;
  #waitedMs = 0;
  #uses = 0;
  /** Average latency, ms. */
  #latencyMs = 0;
  /** Keys with an early 429, by the announced reset. */
  readonly #refusedEarly = new Map<number, Set<Key>>();

  constructor(options: PacerOptions) {
    this.#options = options;
    this.#clock = options.clock;
    for (const role of KEY_ROLES) {
      const count = options.keys[role] ?? 0;
      const keys = Array.from({ length: count }, (_, index): Key => ({
        role,
        index,
        window: new KeyWindow(options),
        holder: null,
        claims: [],
        lastUsed: 0,
      }));
      if (count > 0) this.#pools.set(role, keys);
    }
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
   * Adds a request of an earlier part of the run to its window, in chronological order. Times are in ms of the run's
   * clock. The settlement is null without an answer.
   */
  remember(
    role: KeyRole,
    keyIndex: number,
    sentAt: number,
    answer: { readonly at: number; readonly settlement: Settlement | null },
  ): void {
    const window = this.#pools.get(role)?.[keyIndex]?.window;
    window?.settle(window.send(sentAt), answer.at, answer.settlement);
  }

  /**
   * Acquires permission to send one request, as soon as the limit of a key permits. Immediate for roles without paced
   * keys.
   */
  async acquire(options: AcquireOptions): Promise<Lease> {
    this.#options.signal?.throwIfAborted();
    const pool = this.#pools.get(options.role);
    if (pool === undefined) {
      return { keyIndex: options.keyIndex ?? 0, waitMs: 0, settle: () => undefined };
    }
    if (options.keyIndex !== undefined && pool[options.keyIndex] === undefined) {
      throw new RangeError(`Role ${options.role} has no key ${options.keyIndex}.`);
    }
    return new Promise((grant, reject) => {
      this.#queue.push({ options, since: this.#clock.now(), grant, reject });
      this.#pump();
    });
  }

  /**
   * Takes a key out of the pool, as soon as it has no requests in flight. With a single key, every other request of the
   * role waits until the pin is released.
   * @param onRelease called once then
   */
  async pin(role: KeyRole, keyIndex?: number, onRelease?: () => void): Promise<Pin> {
    this.#options.signal?.throwIfAborted();
    const pool = this.#pools.get(role) ?? [];
    const now = this.#clock.now();
    const candidates = keyIndex === undefined ? pool : pool.filter((key) => key.index === keyIndex);
    const [key] = candidates.toSorted(
      (a, b) => claimed(a) - claimed(b) || b.window.promise(now) - a.window.promise(now),
    );
    if (key === undefined) throw new RangeError(`Role ${role} has no paced key to pin.`);
    return new Promise((resolve) => {
      key.claims.push({ take: resolve, onRelease });
      this.#pump();
    });
  }

  /** Estimated capacity of every key of a role; empty for roles without paced keys. */
  capacity(role: KeyRole): KeyCapacity[] {
    return (this.#pools.get(role) ?? []).map((key) => this.#capacityOf(key));
  }

  #capacityOf(key: Key): KeyCapacity {
    const endsAt = key.window.endsAt();
    return {
      keyIndex: key.index,
      available: key.window.available(this.#clock.now()),
      full: key.window.full(this.#clock.now()),
      allOurs: key.window.allOurs,
      endsAt: endsAt === null ? null : endsAt - this.#clock.advancedMs,
    };
  }

  /** Serves what can be served now, and schedules the rest. */
  #pump(): void {
    // Advancing the clock cannot be cancelled: wait for it.
    if (this.#timer?.moves === true) return;
    this.#grantPins();
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
      for (const candidate of keys) {
        const at = candidate.window.nextAt(now);
        if (at !== null && (next === null || at < next.at)) next = { at, role: candidate.role };
      }
    }
    this.#queue = left;
    this.#schedule(next, now);
  }

  #choice(candidates: readonly Key[], now: number): Key | undefined {
    const most = this.ofOneKey;
    const keys = candidates.filter(({ window }) => window.inFlight < most);
    const { first } = this.#options;
    const due = keys.find(
      ({ role, index, window }) => first?.(role, index) === true && window.available(now) > 0,
    );
    return due ?? best(keys, now);
  }

  /** Maximum number of parallel requests per key. */
  get ofOneKey(): number {
    const { ofOneKey: most, requests } = this.#options;
    if (most === undefined) return Number.POSITIVE_INFINITY;
    // Without waits for windows, there is nothing to gain.
    if (this.#clock.controlled) return 1;
    return Math.min(most, Math.max(1, Math.ceil((requests * this.#latencyMs) / USED_UP_WITHIN_MS)));
  }

  #grantPins(): void {
    for (const key of [...this.#pools.values()].flat()) {
      if (key.holder !== null || key.window.inFlight > 0) continue;
      const claim = key.claims.shift();
      if (claim === undefined) continue;
      const pin: Pin = {
        role: key.role,
        keyIndex: key.index,
        capacity: () => this.#capacityOf(key),
        release: () => {
          if (key.holder !== pin) return;
          key.holder = null;
          this.#pump();
          claim.onRelease?.();
        },
      };
      key.holder = pin;
      claim.take(pin);
    }
  }

  #candidates({ role, keyIndex, pin }: AcquireOptions): Key[] {
    const pool = this.#pools.get(role) ?? [];
    if (pin !== undefined) return pool.filter((key) => key.holder === pin);
    return pool.filter(
      (key) =>
        key.holder === null &&
        key.claims.length === 0 &&
        (keyIndex === undefined || key.index === keyIndex),
    );
  }

  #grant(key: Key, waiting: Waiting, now: number): void {
    this.#uses += 1;
    key.lastUsed = this.#uses;
    const { window } = key;
    const ticket = window.send(now);
    waiting.grant({
      keyIndex: key.index,
      waitMs: now - waiting.since,
      settle: (settlement) => {
        const latencyMs = this.#clock.now() - now;
        if (settlement !== null) this.#latencyMs += (latencyMs - this.#latencyMs) * NEWEST;
        if (settlement?.status === 429) this.#observeRefusal(key, settlement, now);
        window.settle(ticket, this.#clock.now(), settlement);
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
    for (const one of [...this.#pools.values()].flat()) one.window = key.window;
  }

  #schedule(next: { at: number; role: KeyRole } | null, now: number): void {
    if (this.#timer !== null && this.#timer.until !== next?.at) {
      this.#timer.cancel.abort();
      this.#timer = null;
    }
    // Advancing the clock with requests in flight would make their window ambiguous.
    if (next === null || (this.#clock.controlled && this.#busy())) {
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
    const timer: Timer = { until: next.at, cancel: new AbortController(), moves: false };
    this.#timer = timer;
    void this.#sleep(ms, timer);
  }

  async #sleep(ms: number, timer: Timer): Promise<void> {
    const { quiet } = this.#options;
    if (this.#clock.controlled && quiet !== undefined) {
      await quiet();
      if (this.#timer !== timer) return;
      // The next answer triggers the queue again.
      if (this.#busy()) {
        this.#timer = null;
        return;
      }
    }
    timer.moves = this.#clock.controlled;
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

  #busy(): boolean {
    return [...this.#pools.values()].flat().some((key) => key.window.inFlight > 0);
  }

  #abort(reason: unknown): void {
    this.#timer?.cancel.abort();
    this.#timer = null;
    const queue = this.#queue;
    this.#queue = [];
    for (const waiting of queue) waiting.reject(reason);
  }
}

/** The key with most requests left; of several, the least recently used one. */
function best(keys: readonly Key[], now: number): Key | undefined {
  return keys
    .filter((key) => key.window.available(now) > 0)
    .toSorted(
      (a, b) => b.window.promise(now) - a.window.promise(now) || a.lastUsed - b.lastUsed,
    )[0];
}

const claimed = ({ holder, claims }: Key): number => (holder === null ? 0 : 1) + claims.length;
