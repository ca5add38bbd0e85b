import type { KeyRole } from '../contract/exchange.ts';
import { BudgetExhausted } from './errors.ts';

export interface SessionStats {
  /** Requests sent, repeats included. */
  readonly total: number;
  readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
  /** Time during which requests waited for a window, ms of the target's time. */
  readonly waitedMs: number;
}

/** Counts requests, and holds those with valid keys to the number that the user allows. */
export class Budget {
  readonly #maxRequests: number | undefined;
  readonly #nearQuota: number | undefined;
  readonly #sent = new Map<KeyRole, number>();
  /** Requests that have leave but were not sent yet, such as those waiting for a window. */
  readonly #reserved = new Map<KeyRole, number>();

  constructor(maxRequests: number | undefined, nearQuota: number | undefined) {
    this.#maxRequests = maxRequests;
    this.#nearQuota = nearQuota;
  }

  /** Requests that may still be reserved; infinite when unbounded. */
  left(role: KeyRole): number {
    const bound =
      role === 'valid' ? this.#maxRequests : role === 'nearQuota' ? this.#nearQuota : undefined;
    if (bound === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, bound - count(this.#sent, role) - count(this.#reserved, role));
  }

  /** @throws BudgetExhausted when the request would exceed the bound. A used-up quota is for the target to refuse. */
  reserve(role: KeyRole): void {
    if (role === 'valid' && this.#maxRequests !== undefined && this.left(role) < 1) {
      throw new BudgetExhausted(this.#maxRequests);
    }
    add(this.#reserved, role, 1);
  }

  /** A reserved request was sent. */
  sent(role: KeyRole): void {
    add(this.#reserved, role, -1);
    add(this.#sent, role, 1);
  }

  /** A reserved request will not be sent. */
  release(role: KeyRole): void {
    add(this.#reserved, role, -1);
  }

  stats(waitedMs: number): SessionStats {
    const total = [...this.#sent.values()].reduce((sum, sent) => sum + sent, 0);
    return { total, byRole: Object.fromEntries(this.#sent), waitedMs: Math.round(waitedMs) };
  }
}

function count(counts: ReadonlyMap<KeyRole, number>, role: KeyRole): number {
  return counts.get(role) ?? 0;
}

function add(counts: Map<KeyRole, number>, role: KeyRole, change: number): void {
  counts.set(role, count(counts, role) + change);
}
