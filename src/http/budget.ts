import type { KeyRole } from '../spec/exchange.ts';
import { BudgetExhausted } from './errors.ts';
import type { SessionOptions } from './session-options.ts';

export interface SessionStats {
  /** Requests sent, including retries. */
  readonly total: number;
  readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
  /** Time spent waiting for windows, ms of the target's time. */
  readonly waitedMs: number;
}

/**
 * Purpose of a request with a valid key. `planned`: for a check; `repeat`: retry of a transient failure or an
 * unexpected 429; `limiter`: deliberately beyond the limit, or with a specific key to see how it is counted.
 */
export type Purpose = 'planned' | 'repeat' | 'limiter';

const KINDS: Readonly<Record<Purpose, string>> = {
  planned: 'requests with valid keys',
  repeat: 'retries after transient failures',
  limiter: 'requests to test the rate limiter',
};

/** Maximum number of requests with valid keys by purpose, and in total without retries. */
export interface Bounds extends Readonly<Record<Purpose | 'total', number>> {
  /** Part of the total that only the limiter may need again, in a resumed run (default: none). */
  readonly again?: number;
}

interface BudgetOptions extends Pick<SessionOptions, 'maxRequests' | 'maxRestricted' | 'bounds'> {
  readonly nearQuota?: number | undefined;
}

/** Counts requests and enforces the limits of user and profile. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #sent = new Map<KeyRole, number>();
  /** Reserved requests that were not sent yet, such as those waiting for a window. */
  readonly #reserved = new Map<KeyRole, number>();
  /** Reserved and sent requests with valid keys, by purpose. */
  readonly #spent: Record<Purpose, number> = { planned: 0, repeat: 0, limiter: 0 };

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Requests left; infinite without a limit. */
  left(role: KeyRole, purpose: Purpose = 'planned'): number {
    const { maxRequests, maxRestricted, bounds, nearQuota } = this.#options;
    const most: Readonly<Partial<Record<KeyRole, number | undefined>>> = {
      valid: maxRequests,
      restricted: maxRestricted,
      nearQuota,
    };
    const left = [(most[role] ?? Infinity) - this.#count(role)];
    if (role === 'valid' && bounds !== undefined) {
      const { planned, limiter } = this.#spent;
      left.push(bounds[purpose] - this.#spent[purpose]);
      // The total does not include retries, which are caused by failures of target or network.
      if (purpose !== 'repeat') left.push(bounds.total - planned - limiter);
    }
    return Math.max(0, Math.min(...left));
  }

  /**
   * @throws BudgetExhausted when the request would exceed a limit. A used-up quota is not checked, because the target
   * must reject it.
   */
  reserve(role: KeyRole, purpose: Purpose): void {
    const { maxRequests, maxRestricted, bounds } = this.#options;
    const isLimited = role === 'valid' || role === 'restricted';
    if (isLimited && this.left(role, purpose) < 1) {
      if (role === 'restricted')
        throw new BudgetExhausted(
          'monitor',
          `${maxRestricted ?? 0} requests with the restricted key`,
        );
      const byUser = maxRequests !== undefined && maxRequests <= this.#count(role);
      throw byUser || bounds === undefined
        ? new BudgetExhausted(
            maxRestricted === undefined ? 'max-requests' : 'monitor',
            `${maxRequests ?? 0} requests with valid keys`,
          )
        : new BudgetExhausted('profile', `${KINDS[purpose]} of the profile`);
    }
    this.keep(role, purpose);
  }

  /**
   * Counts a request of an earlier part of the run, without checking limits. Without a purpose it is one that is
   * repeated: only the user's own limit counts it twice, so that an interruption does not use up the budget of the
   * profile.
   */
  keep(role: KeyRole, purpose: Purpose | null): void {
    add(this.#reserved, role, 1);
    if (role === 'valid' && purpose !== null) this.#spent[purpose] += 1;
  }

  sent(role: KeyRole): void {
    add(this.#reserved, role, -1);
    add(this.#sent, role, 1);
  }

  release(role: KeyRole, purpose: Purpose): void {
    add(this.#reserved, role, -1);
    if (role === 'valid') this.#spent[purpose] -= 1;
  }

  stats(waitedMs: number): SessionStats {
    const total = [...this.#sent.values()].reduce((sum, sent) => sum + sent, 0);
    return { total, byRole: Object.fromEntries(this.#sent), waitedMs: Math.round(waitedMs) };
  }

  #count(role: KeyRole): number {
    return (this.#sent.get(role) ?? 0) + (this.#reserved.get(role) ?? 0);
  }
}

function add(counts: Map<KeyRole, number>, role: KeyRole, change: number): void {
  counts.set(role, (counts.get(role) ?? 0) + change);
}
