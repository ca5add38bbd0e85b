import { ENDPOINT_PATHS } from '../../spec/endpoints.ts';
import { KEY_ROLES, type KeyRole } from '../../spec/exchange.ts';
import { MONTHLY_QUOTA } from '../../spec/limits.ts';
import { accessOf } from '../../requirements/access.ts';
import type { Results } from '../model/results.ts';

/** Share of the monthly quota (§8) that a run used of the keys of one role. */
export interface RoleBudget {
  readonly role: KeyRole;
  readonly requests: number;
  /** Keys of the role that were used; 0 when not recorded. */
  readonly keys: number;
  /** Requests with the most used key. */
  readonly busiest: number;
  /** Share of the monthly quota of that key; may exceed 1. */
  readonly share: number;
  /** Requests left of the quota when the run began, according to the target file; null when not given. */
  readonly left: number | null;
}

/** What a run cost. */
export interface Budget {
  /** Requests per key per month. */
  readonly quota: number;
  /** True when the target file sets a different quota than the specification. */
  readonly told: boolean;
  /** Roles that have a quota and were used. */
  readonly roles: readonly RoleBudget[];
  /** Requests that count against no quota: without a key, or with a refused one. */
  readonly free: Readonly<Partial<Record<KeyRole, number>>>;
}

export function budgetOf(results: Results): Budget {
  const { settings, requests, exchanges } = results;
  const told = settings?.limits.monthlyQuota;
  const quota = typeof told === 'number' && told > 0 ? told : MONTHLY_QUOTA;
  const roles: RoleBudget[] = [];
  const free: Partial<Record<KeyRole, number>> = {};
  for (const role of KEY_ROLES) {
    const count = requests.byRole[role] ?? 0;
    if (count === 0) continue;
    // A key that is refused everywhere has no quota.
    if (!ENDPOINT_PATHS.some((path) => accessOf(role, path, []).allowed)) {
      free[role] = count;
      continue;
    }
    const byKey = new Map<string, number>();
    for (const { role: own, key } of exchanges) {
      if (own === role && key !== null) byKey.set(key, (byKey.get(key) ?? 0) + 1);
    }
    const busiest = byKey.size === 0 ? count : Math.max(...byKey.values());
    const left = role === 'nearQuota' ? (settings?.quotaLeft ?? null) : null;
    roles.push({ role, requests: count, keys: byKey.size, busiest, share: busiest / quota, left });
  }
  return { quota, told: quota !== MONTHLY_QUOTA, roles, free };
}

/** `0.14 %`, with a non-breaking space; `under 0.01 %` for anything smaller. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.01) return 'under 0.01\u00a0%';
  return `${value === 0 || value >= 10 ? Math.round(value) : Number(value.toPrecision(2))}\u00a0%`;
}
