import type { Exchange, KeyRole } from '../spec/exchange.ts';

/** Roles whose keys have a quota that a monitor spends from. */
export const SPENT_ROLES = ['valid', 'restricted'] as const satisfies readonly KeyRole[];
export type SpentRole = (typeof SPENT_ROLES)[number];

/** Fingerprints of the keys that a monitor spends from. */
export type KeysSpent = Readonly<Record<SpentRole, readonly string[]>>;

/** Requests by fingerprint of the key. */
export type Spent = Readonly<Record<string, number>>;

/** What a run may spend. It is written down before the run begins, and taken out when what it did spend is known. */
export interface Reservation {
  /** Folder of the run, in that of the monitor. */
  readonly folder: string;
  /** Month that it was planned in. */
  readonly month: string;
  /** Requests with valid keys, together. */
  readonly valid: number;
  /** Requests with the restricted key. */
  readonly restricted: number;
  /** Fingerprints of the keys that it may send them with. */
  readonly keys: KeysSpent;
}

/** What was spent, month by month: `2026-11` to requests by fingerprint of the key. */
export interface Account {
  readonly months: Readonly<Record<string, Spent>>;
  readonly reserved: Reservation | null;
}

/** Months that are kept. */
const MOST_MONTHS = 13;

/** The calendar month of a moment (epoch ms), UTC: `2026-11`. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** When the month after that of a moment begins, epoch ms. */
export function monthEndOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Requests that were spent in a month with some keys, and with each of them at most. */
export function usedIn(
  { months }: Account,
  month: string,
  keys: readonly string[],
): { readonly all: number; readonly most: number } {
  const used = keys.map((key) => months[month]?.[key] ?? 0);
  return { all: used.reduce((sum, one) => sum + one, 0), most: Math.max(0, ...used) };
}

/**
 * What may still be spent in a month. A run may send everything with one key, so that `one` is what the key with the least
 * has left; `all` is what all of them have together.
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

/** The account without its reservation, and with what the run did spend. */
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
 * What exchanges spent: every request that went out, by the month of the target's clock and by key.
 *
 * @param own fingerprints of the keys as the run wrote them, with a salt of its own that is nobody's after it
 * @param keys the same keys, in the same order, as the account knows them
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
    // One that is not known is none of ours, and paid for by one of them all the same.
    const known = keys[paid][at] ?? keys[paid][0];
    if (known === undefined) continue;
    const byKey = (spent[monthOf(sentAt + skewMs)] ??= {});
    byKey[known] = (byKey[known] ?? 0) + 1;
  }
  return spent;
}

/** What a run spent of which nothing is known: all that it may have, with each key. */
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
