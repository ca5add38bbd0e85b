import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { keyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { OptionError } from '../run/option-error.ts';
import type { BudgetNow } from './events.ts';
import {
  allowanceOf,
  isDue,
  rhythmOf,
  SHALLOW_REQUESTS,
  wholeOf,
  type Allowance,
  type Remaining,
  type Rhythm,
} from './pace.ts';
import type { MonitorSettings } from './settings.ts';
import type { MonitorState } from './state.ts';

/** Fingerprints of the keys with a budget. */
export type KeysSpent = Readonly<Record<'valid' | 'restricted', readonly string[]>>;

/** Requests by month (`2026-11`) and fingerprint of the key. */
export type Spent = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Maximum number of requests of a follow-up on a row: one, and retries. */
export const LOOK_REQUESTS = 6;
/**
 * Maximum number of requests with the restricted key in a full and a short run, which send about 80 and 20; the rest is
 * for retries.
 */
const RESTRICTED_WHOLE = 100;
const RESTRICTED_SHALLOW = 24;

/** The calendar month of a time (epoch ms), UTC: `2026-11`. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Start of the month after a time, epoch ms. */
export function monthEndOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Sum of what was spent. */
export function sumOf(...all: readonly Spent[]): Spent {
  const sum: Record<string, Record<string, number>> = {};
  for (const [month, byKey] of all.flatMap((one) => Object.entries(one))) {
    const into = (sum[month] ??= {});
    for (const [key, count] of Object.entries(byKey)) into[key] = (into[key] ?? 0) + count;
  }
  return sum;
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
): Spent {
  const spent: Record<string, Record<string, number>> = {};
  for (const { role, key, sentAt, skewMs } of exchanges) {
    if (key === null || (role !== 'valid' && role !== 'restricted')) continue;
    // A request with an unknown fingerprint is charged to one of the keys anyway.
    const known = keys[role][own[role]?.indexOf(key) ?? -1] ?? keys[role][0];
    if (known === undefined) continue;
    const byKey = (spent[monthOf(sentAt + skewMs)] ??= {});
    byKey[known] = (byKey[known] ?? 0) + 1;
  }
  return spent;
}

/** The fingerprints of a target's keys, with the monitor's salt. */
export function keysSpent({ keys }: Target, salt: string): KeysSpent {
  const { valid = [], restricted = [] } = keyRing(keys, { seed: 1, salt }).fingerprints();
  return { valid, restricted };
}

/** Monthly budget of each key, requests. @throws OptionError if it is too small for one run */
export function limitOf({ share, target }: Pick<MonitorSettings, 'share' | 'target'>): number {
  const limit = Math.floor(share * target.limits.monthlyQuota + 1e-9);
  if (limit >= SHALLOW_REQUESTS) return limit;
  throw new OptionError(
    `A share of ${share * 100} % is ${limit} requests a month, but the smallest run takes ${SHALLOW_REQUESTS}.`,
    'Set a larger --share.',
  );
}

/** Calculates the budget of a monitor. */
export type Budget = ReturnType<typeof budgetOf>;

/** The budget of a monitor. Its functions take the state and the time, epoch ms. */
export function budgetOf(settings: MonitorSettings, keys: KeysSpent) {
  const ofKey = limitOf(settings);
  const whole = wholeOf(settings.profile, settings.maxRequests);
  /**
   * Requests with the keys of a role this month: used, limit and left in total, and left of the most used key, because
   * a run may send everything with one.
   */
  const inMonthOf = (role: keyof KeysSpent, { account }: MonitorState, now: number) => {
    const counts = keys[role].map((key) => account.months[monthOf(now)]?.[key] ?? 0);
    const used = counts.reduce((sum, one) => sum + one, 0);
    const limit = counts.length * ofKey;
    const ofOne = Math.max(0, ofKey - Math.max(0, ...counts));
    return { used, limit, left: Math.max(0, limit - used), ofOne };
  };
  const runsLeft = (now: number): number => 1 + settings.schedule.count(now, monthEndOf(now) - 1);
  const remaining = (state: MonitorState, now: number): Remaining => {
    const looks = new Set(state.pending.map(({ ticker }) => ticker)).size;
    return {
      now,
      monthEnd: monthEndOf(now),
      // Due follow-ups come first.
      left: Math.max(0, inMonthOf('valid', state, now).left - looks * LOOK_REQUESTS),
      runsLeft: runsLeft(now),
      whole,
      lastRunAt: inMonth(state.lastRunAt, now),
      lastWholeAt: inMonth(state.lastWholeAt, now),
    };
  };
  /** At most `most` requests, as many as every valid key has left. */
  const atMost = (most: number, state: MonitorState, now: number): number =>
    Math.min(most, inMonthOf('valid', state, now).ofOne);
  return {
    keys,
    /** Maximum number of requests of a full run. */
    whole,
    atMost,
    spent(state: MonitorState, now: number): BudgetNow {
      const { used, limit } = inMonthOf('valid', state, now);
      const restricted = inMonthOf('restricted', state, now);
      return {
        month: monthOf(now),
        used,
        limit,
        restricted:
          restricted.limit === 0 ? null : { used: restricted.used, limit: restricted.limit },
      };
    },
    /** Budget of a scheduled run that starts now. */
    allowance(state: MonitorState, now: number): Allowance {
      const allowance = allowanceOf(remaining(state, now));
      if (allowance.kind === 'none') return allowance;
      const requests = atMost(allowance.requests, state, now);
      if (requests < SHALLOW_REQUESTS) return { kind: 'none', why: 'used-up' };
      const isCut = requests < allowance.requests && requests < whole;
      return { kind: isCut ? 'shallow' : allowance.kind, requests };
    },
    /** Budget of a run with the restricted key, whose separate quota also has to last the month. */
    restricted(state: MonitorState, now: number, isWhole: boolean): number {
      const { ofOne, limit } = inMonthOf('restricted', state, now);
      const wanted = isWhole ? RESTRICTED_WHOLE : RESTRICTED_SHALLOW;
      const count = Math.floor(ofOne / wanted);
      if (limit === 0 || count === 0) return 0;
      const last = inMonth(state.lastRestrictedAt, now);
      const isNext = isDue({ now, monthEnd: monthEndOf(now) }, last, count);
      return count >= runsLeft(now) || isNext ? wanted : 0;
    },
    rhythm(state: MonitorState, now: number): Rhythm & { readonly runs: number } {
      return { ...rhythmOf(remaining(state, now)), runs: runsLeft(now) };
    },
  };
}

/** A time in the month of `now`; null otherwise. Each month starts with a run, whenever the last one was. */
const inMonth = (at: number | null, now: number): number | null =>
  at !== null && monthOf(at) === monthOf(now) ? at : null;
