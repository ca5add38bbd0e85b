import { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { OptionError } from '../run/option-error.ts';
import { leftIn, monthEndOf, monthOf, usedIn, type KeysSpent } from './account.ts';
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
import type { Schedule } from './schedule.ts';
import type { MonitorSettings } from './settings.ts';
import type { MonitorState } from './state.ts';

/** Maximum number of requests of a follow-up on a row: one, and retries. */
export const LOOK_REQUESTS = 6;
/**
 * Maximum number of requests with the restricted key in a full and a short run, which send about 80 and 20; the rest is
 * for retries.
 */
const RESTRICTED_WHOLE = 100;
const RESTRICTED_SHALLOW = 24;

/** The fingerprints of a target's keys, with the monitor's salt. */
export function keysSpent({ keys }: Target, salt: string): KeysSpent {
  const { valid = [], restricted = [] } = new KeyRing(keys, { seed: 1, salt }).fingerprints();
  return { valid, restricted };
}

/**
 * Monthly budget of each key, requests.
 * @throws OptionError if it is too small for one run
 */
export function limitOf({ share, target }: Pick<MonitorSettings, 'share' | 'target'>): number {
  const limit = Math.floor(share * target.limits.monthlyQuota + 1e-9);
  if (limit >= SHALLOW_REQUESTS) return limit;
  throw new OptionError(
    `A share of ${share * 100} % is ${limit} requests a month, but the smallest run takes ${SHALLOW_REQUESTS}.`,
    'Set a larger --share.',
  );
}

/** Calculates the budget of a monitor. */
export class Budget {
  readonly keys: KeysSpent;
  /** Maximum number of requests of a full and a short run. */
  readonly bounds: { readonly whole: number; readonly shallow: number };
  readonly #schedule: Schedule;
  readonly #limit: number;

  constructor(settings: MonitorSettings, keys: KeysSpent) {
    this.keys = keys;
    this.#schedule = settings.schedule;
    this.#limit = limitOf(settings);
    const whole = wholeOf(settings.profile, settings.maxRequests);
    this.bounds = { whole, shallow: Math.min(SHALLOW_REQUESTS, whole) };
  }

  /** Requests spent in the month of `now` (epoch ms). */
  spent({ account }: MonitorState, now: number): BudgetNow {
    const month = monthOf(now);
    const { valid, restricted } = this.keys;
    return {
      month,
      used: usedIn(account, month, valid).all,
      limit: valid.length * this.#limit,
      restricted:
        restricted.length === 0
          ? null
          : { used: usedIn(account, month, restricted).all, limit: this.#limit },
    };
  }

  /** Budget of a scheduled run that starts now. */
  allowance(state: MonitorState, now: number): Allowance {
    const allowance = allowanceOf(this.#remaining(state, now));
    if (allowance.kind === 'none') return allowance;
    const requests = this.forLook(state, now, allowance.requests);
    const { whole, shallow } = this.bounds;
    if (requests < shallow) return { kind: 'none', why: 'used-up' };
    const isCut = requests < allowance.requests && requests < whole;
    return { kind: isCut ? 'shallow' : allowance.kind, requests };
  }

  /** At most `most` requests, as many as every key has left, because a run may send all of them with one. */
  forLook(state: MonitorState, now: number, most: number): number {
    const { one } = leftIn(state.account, monthOf(now), this.keys.valid, this.#limit);
    return Math.min(most, one);
  }

  /** Budget of a run with the restricted key, whose separate quota also has to last the month. */
  restricted(state: MonitorState, now: number, whole: boolean): number {
    const { restricted } = this.keys;
    if (restricted.length === 0) return 0;
    const { one } = leftIn(state.account, monthOf(now), restricted, this.#limit);
    const wanted = whole ? RESTRICTED_WHOLE : RESTRICTED_SHALLOW;
    if (one < wanted) return 0;
    const monthEnd = monthEndOf(now);
    const count = Math.floor(one / wanted);
    const runs = this.#runsLeft(now);
    return count >= runs || isDue({ now, monthEnd }, inMonth(state.lastRestrictedAt, now), count)
      ? wanted
      : 0;
  }

  /** Plan for the rest of the month. */
  rhythm(state: MonitorState, now: number): Rhythm & { readonly runs: number } {
    return { ...rhythmOf(this.#remaining(state, now)), runs: this.#runsLeft(now) };
  }

  #runsLeft(now: number): number {
    return 1 + this.#schedule.count(now, monthEndOf(now) - 1);
  }

  #remaining(state: MonitorState, now: number): Remaining {
    const { all } = leftIn(state.account, monthOf(now), this.keys.valid, this.#limit);
    const looks = new Set(state.pending.map(({ ticker }) => ticker)).size;
    return {
      now,
      monthEnd: monthEndOf(now),
      // Due follow-ups come first.
      left: Math.max(0, all - looks * LOOK_REQUESTS),
      runsLeft: this.#runsLeft(now),
      whole: this.bounds.whole,
      lastRunAt: inMonth(state.lastRunAt, now),
      lastWholeAt: inMonth(state.lastWholeAt, now),
    };
  }
}

/** A time in the month of `now`; null otherwise. Each month starts with a run, whenever the last one was. */
const inMonth = (at: number | null, now: number): number | null =>
  at !== null && monthOf(at) === monthOf(now) ? at : null;
