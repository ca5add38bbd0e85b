import { ENDPOINT_PATHS } from '../../spec/endpoints.ts';
import { KEY_ROLES, type KeyRole } from '../../spec/exchange.ts';
import { MONTHLY_QUOTA } from '../../spec/limits.ts';
import { accessOf } from '../../requirements/access.ts';
import type { Results } from '../model/results.ts';

/** What a run took of the month of the keys of one role (§8: so many requests per month and key). */
export interface RoleBudget {
  readonly role: KeyRole;
  readonly requests: number;
  /** Keys of the role that were used; 0 when nobody recorded which. */
  readonly keys: number;
  /** Requests with the key that made the most. */
  readonly busiest: number;
  /** Part of the month that this key used, from 0 to 1 and beyond. */
  readonly share: number;
  /** Requests that were left of its month when the run began, by the target file; null when it does not say. */
  readonly left: number | null;
}

/** What a run cost. */
export interface Budget {
  /** Requests that one key has in a month. */
  readonly quota: number;
  /** True when the target file gives another quota than the specification. */
  readonly told: boolean;
  /** Roles whose keys have a month to use up, without those that were not used. */
  readonly roles: readonly RoleBudget[];
  /** Requests that no month pays for: without a key, or with one that is no good. */
  readonly free: Readonly<Partial<Record<KeyRole, number>>>;
}

/** What the run took of the month of its keys. */
export function budgetOf(results: Results): Budget {
  const { settings, requests, exchanges } = results;
  const told = settings?.limits.monthlyQuota;
  const quota = typeof told === 'number' && told > 0 ? told : MONTHLY_QUOTA;
  const roles: RoleBudget[] = [];
  const free: Partial<Record<KeyRole, number>> = {};
  for (const role of KEY_ROLES) {
    const count = requests.byRole[role] ?? 0;
    if (count === 0) continue;
    // A key that is turned away everywhere is no key: it has no month.
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

/** `0.14 %`, with a space that does not break; `under 0.01 %` for less than can be told. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.01) return 'under 0.01\u00a0%';
  return `${value === 0 || value >= 10 ? Math.round(value) : Number(value.toPrecision(2))}\u00a0%`;
}
