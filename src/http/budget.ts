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
  planned: 'requests with valid keys of the profile',
  repeat: 'retries after transient failures',
  limiter: 'requests of the profile to test the rate limiter',
};

/** Maximum number of requests with valid keys by purpose, and in total without retries. */
export interface Bounds extends Readonly<Record<Purpose | 'total', number>> {
  /** Part of the total that only the limiter may need again, in a resumed run (default: none). */
  readonly again?: number;
}

interface BudgetOptions extends Pick<SessionOptions, 'maxRequests' | 'maxRestricted' | 'bounds'> {
  /** Requests left for the near-quota key. */
  readonly nearQuota?: number | undefined;
}

/** Counts requests and enforces the limits of user and profile. */
export function budgetOf({ maxRequests, maxRestricted, bounds, nearQuota }: BudgetOptions) {
  const sent = new Map<KeyRole, number>();
  /** Reserved requests that were not sent yet, such as those waiting for a window. */
  const reserved = new Map<KeyRole, number>();
  /** Reserved and sent requests with valid keys, by purpose. */
  const spent: Record<Purpose, number> = { planned: 0, repeat: 0, limiter: 0 };
  const most: Readonly<Partial<Record<KeyRole, number | undefined>>> = {
    valid: maxRequests,
    restricted: maxRestricted,
    nearQuota,
  };
  const countOf = (role: KeyRole): number => (sent.get(role) ?? 0) + (reserved.get(role) ?? 0);
  /** Requests left; infinite without a limit. */
  const left = (role: KeyRole, purpose: Purpose = 'planned'): number => {
    const all = [(most[role] ?? Infinity) - countOf(role)];
    if (role === 'valid' && bounds !== undefined) {
      all.push(bounds[purpose] - spent[purpose]);
      // The total does not include retries, which are caused by failures of target or network.
      if (purpose !== 'repeat') all.push(bounds.total - spent.planned - spent.limiter);
    }
    return Math.max(0, Math.min(...all));
  };
  /**
   * Counts a request of an earlier part of the run, without checking limits. Without a purpose it is one that is
   * repeated: only the user's own limit counts it twice, so that an interruption does not use up the budget of the
   * profile.
   */
  const keep = (role: KeyRole, purpose: Purpose | null): void => {
    add(reserved, role, 1);
    if (role === 'valid' && purpose !== null) spent[purpose] += 1;
  };
  const exhausted = (role: KeyRole, purpose: Purpose): BudgetExhausted => {
    if (role === 'restricted') {
      const what = `${maxRestricted ?? 0} requests with the restricted key`;
      return new BudgetExhausted('monitor', what);
    }
    const byUser = maxRequests !== undefined && maxRequests <= countOf(role);
    return byUser || bounds === undefined
      ? new BudgetExhausted(
          maxRestricted === undefined ? 'max-requests' : 'monitor',
          `${maxRequests ?? 0} requests with valid keys`,
        )
      : new BudgetExhausted(purpose === 'repeat' ? 'retries' : 'profile', KINDS[purpose]);
  };
  return {
    left,
    keep,
    /**
     * @throws BudgetExhausted when the request would exceed a limit. A used-up quota is not checked, because the target
     * must reject it.
     */
    reserve(role: KeyRole, purpose: Purpose): void {
      const isLimited = role === 'valid' || role === 'restricted';
      if (isLimited && left(role, purpose) < 1) throw exhausted(role, purpose);
      keep(role, purpose);
    },
    /** A reserved request was sent. */
    sent(role: KeyRole): void {
      add(reserved, role, -1);
      add(sent, role, 1);
    },
    release(role: KeyRole, purpose: Purpose): void {
      add(reserved, role, -1);
      if (role === 'valid') spent[purpose] -= 1;
    },
    stats(waitedMs: number): SessionStats {
      const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
      return { total, byRole: Object.fromEntries(sent), waitedMs: Math.round(waitedMs) };
    },
  };
}

function add(counts: Map<KeyRole, number>, role: KeyRole, change: number): void {
  counts.set(role, (counts.get(role) ?? 0) + change);
}
