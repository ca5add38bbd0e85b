import type { KeyRole } from '../spec/exchange.ts';
import { BudgetExhausted } from './errors.ts';

export interface SessionStats {
  /** Requests sent, repeats included. */
  readonly total: number;
  readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
  /** Time during which requests waited for a window, ms of the target's time. */
  readonly waitedMs: number;
}

/**
 * What a request with a valid key is sent for. `planned`: a check asks; `repeat`: it failed in passing, or was refused by
 * a limiter that was believed to have room; `limiter`: it is beyond a window on purpose, or asks for a certain key to see
 * how that is counted.
 */
export type Purpose = 'planned' | 'repeat' | 'limiter';

/** What a budget of each purpose is one of. */
const KINDS: Readonly<Record<Purpose, string>> = {
  planned: 'planned requests with valid keys',
  repeat: 'repeats of what failed in passing',
  limiter: 'requests that show how the limiter counts',
};

/**
 * Most requests with valid keys of each purpose, and of all but the repeats together. The plan names the conditional
 * ones: repeats and the limiter's.
 */
export type Bounds = Readonly<Record<Purpose | 'total', number>>;

export interface BudgetOptions {
  /** Most requests with valid keys whatever they are sent for; unbounded by default. */
  readonly maxRequests?: number | undefined;
  /** Most requests with the restricted key, which has a quota like any other; unbounded by default. */
  readonly maxRestricted?: number | undefined;
  /** Unbounded by default. */
  readonly bounds?: Bounds | undefined;
  /** Requests that the key near its quota has left. */
  readonly nearQuota?: number | undefined;
}

/** Counts requests, and holds those with valid keys to what the user and the profile allow, whatever comes back. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #sent = new Map<KeyRole, number>();
  /** Requests that have leave but were not sent yet, such as those waiting for a window. */
  readonly #reserved = new Map<KeyRole, number>();
  /** Requests with valid keys that have leave or were sent, by purpose. */
  readonly #spent = new Map<Purpose, number>();

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Requests that may still be reserved; infinite when unbounded. */
  left(role: KeyRole, purpose: Purpose = 'planned'): number {
    const { maxRequests, maxRestricted, bounds, nearQuota } = this.#options;
    const bounded: Readonly<Partial<Record<KeyRole, number | undefined>>> = {
      valid: maxRequests,
      restricted: maxRestricted,
      nearQuota,
    };
    const bound = bounded[role];
    const all = bound === undefined ? Number.POSITIVE_INFINITY : bound - this.#count(role);
    if (role !== 'valid' || bounds === undefined) return Math.max(0, all);
    const own = bounds[purpose] - count(this.#spent, purpose);
    return Math.max(
      0,
      Math.min(all, own, purpose === 'repeat' ? own : this.#leftWithoutRepeats(bounds)),
    );
  }

  /** @throws BudgetExhausted when the request would exceed a bound. A used-up quota is for the target to refuse. */
  reserve(role: KeyRole, purpose: Purpose): void {
    const { maxRequests, maxRestricted, bounds } = this.#options;
    if (role === 'restricted' && this.left(role) < 1) {
      throw new BudgetExhausted(maxRestricted ?? 0, 'restricted');
    }
    if (role === 'valid' && this.left(role, purpose) < 1) {
      const byUser = maxRequests !== undefined && maxRequests <= this.#count(role);
      if (byUser || bounds === undefined) throw new BudgetExhausted(maxRequests ?? 0);
      const ofKind = bounds[purpose] <= count(this.#spent, purpose);
      throw ofKind
        ? new BudgetExhausted(bounds[purpose], 'profile', KINDS[purpose])
        : new BudgetExhausted(bounds.total, 'profile');
    }
    this.keep(role, purpose);
  }

  /**
   * Counts a request that an earlier part of the run sent, whatever the bounds are now. Without a purpose it is one that is
   * asked again: what an interruption costs must not end the run before its last checks, so that only the user's own bound
   * counts it twice.
   */
  keep(role: KeyRole, purpose: Purpose | null): void {
    add(this.#reserved, role, 1);
    if (role === 'valid' && purpose !== null) add(this.#spent, purpose, 1);
  }

  /** A reserved request was sent. */
  sent(role: KeyRole): void {
    add(this.#reserved, role, -1);
    add(this.#sent, role, 1);
  }

  /** A reserved request will not be sent. */
  release(role: KeyRole, purpose: Purpose): void {
    add(this.#reserved, role, -1);
    if (role === 'valid') add(this.#spent, purpose, -1);
  }

  stats(waitedMs: number): SessionStats {
    const total = [...this.#sent.values()].reduce((sum, sent) => sum + sent, 0);
    return { total, byRole: Object.fromEntries(this.#sent), waitedMs: Math.round(waitedMs) };
  }

  /** What repeats leave alone: they are owed to failures of the target or of the network. */
  #leftWithoutRepeats({ total }: Bounds): number {
    return total - count(this.#spent, 'planned') - count(this.#spent, 'limiter');
  }

  #count(role: KeyRole): number {
    return count(this.#sent, role) + count(this.#reserved, role);
  }
}

function count<Key>(counts: ReadonlyMap<Key, number>, key: Key): number {
  return counts.get(key) ?? 0;
}

function add<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  counts.set(key, count(counts, key) + change);
}
