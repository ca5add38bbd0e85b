import type { Exchange, KeyRole } from '../spec/exchange.ts';

/** Key roles with a budget. */
export const SPENT_ROLES = ['valid', 'restricted'] as const satisfies readonly KeyRole[];
export type SpentRole = (typeof SPENT_ROLES)[number];

/** Fingerprints of the keys with a budget. */
export type KeysSpent = Readonly<Record<SpentRole, readonly string[]>>;

/** Requests by fingerprint of the key. */
export type Spent = Readonly<Record<string, number>>;

/** Maximum cost of a run. It is saved before the run starts, and replaced by the actual cost. */
export interface Reservation {
  /** Folder of the run, relative to the output folder. */
  readonly folder: string;
  /** Month of its reservation. */
  readonly month: string;
  /** Requests with valid keys, in total. */
  readonly valid: number;
  /** Requests with the restricted key. */
  readonly restricted: number;
  /** Fingerprints of the keys that it may use. */
  readonly keys: KeysSpent;
}

/** Spent requests by month (`2026-11`) and key fingerprint. */
export interface Account {
  readonly months: Readonly<Record<string, Spent>>;
  readonly reserved: Reservation | null;
}

/** Number of months that are kept. */
const MOST_MONTHS = 13;

/** The calendar month of a time (epoch ms), UTC: `2026-11`. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Start of the month after a time, epoch ms. */
export function monthEndOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Requests spent in a month with some keys: total, and maximum of one key. */
export function usedIn(
  { months }: Account,
  month: string,
  keys: readonly string[],
): { readonly all: number; readonly most: number } {
  const used = keys.map((key) => months[month]?.[key] ?? 0);
  return { all: used.reduce((sum, one) => sum + one, 0), most: Math.max(0, ...used) };
}

/**
 * Remaining budget of a month. A run may send everything with one key, so `one` is the smallest remainder of a key;
 * `all` is the total.
 *
 * @param limit of each key
 */
export function leftIn(
  account: Account,
  month: string,
  keys: readonly string[],
  limit: number,
): { readonly all: number; readonly one: number } {
  const { all, most } = usedIn(account, month, keys);
  return { all: Math.max(0, keys.length * limit - all), one: Math.max(0, limit - most) };
}

/** The account with the actual cost of the run instead of its reservation. */
export function settled(account: Account, spent: Readonly<Record<string, Spent>>): Account {
  const months: Record<string, Spent> = { ...account.months };
  for (const [month, byKey] of Object.entries(spent)) {
    const before = months[month] ?? {};
    months[month] = {
      ...before,
      ...Object.fromEntries(
        Object.entries(byKey).map(([key, count]) => [key, (before[key] ?? 0) + count]),
      ),
    };
  }
  const kept = Object.keys(months).toSorted().slice(-MOST_MONTHS);
  return {
    months: Object.fromEntries(kept.map((month) => [month, months[month] ?? {}])),
    reserved: null,
  };
}

/**
 * Cost of exchanges: every request sent, by month of the target's clock and by key.
 *
 * @param own fingerprints of the keys in the run, which have a separate, discarded salt
 * @param keys the same keys in the same order, as in the account
 */
export function spentIn(
  exchanges: Iterable<Pick<Exchange, 'role' | 'key' | 'sentAt' | 'skewMs'>>,
  own: Readonly<Partial<Record<KeyRole, readonly string[]>>>,
  keys: KeysSpent,
): Record<string, Record<string, number>> {
  const spent: Record<string, Record<string, number>> = {};
  for (const { role, key, sentAt, skewMs } of exchanges) {
    const paid = SPENT_ROLES.find((one) => one === role);
    if (key === null || paid === undefined) continue;
    const at = own[paid]?.indexOf(key) ?? -1;
    // A request with an unknown fingerprint is charged to one of the keys anyway.
    const known = keys[paid][at] ?? keys[paid][0];
    if (known === undefined) continue;
    const byKey = (spent[monthOf(sentAt + skewMs)] ??= {});
    byKey[known] = (byKey[known] ?? 0) + 1;
  }
  return spent;
}

/** Cost of a run whose requests are unknown: its whole reservation, with each key. */
export function spentInFull({
  month,
  valid,
  restricted,
  keys,
}: Reservation): Record<string, Record<string, number>> {
  const of = (role: SpentRole, count: number): (readonly [string, number])[] =>
    keys[role].map((key) => [key, count] as const);
  return { [month]: Object.fromEntries([...of('valid', valid), ...of('restricted', restricted)]) };
}
