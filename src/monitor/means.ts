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
  type Means,
  type Rhythm,
} from './pace.ts';
import type { MonitorSettings } from './settings.ts';
import type { MonitorState } from './state.ts';

/** Requests of a look at a row that has to be complete, at most: the answer, and what repeats a failure in passing. */
export const LOOK_REQUESTS = 6;
/**
 * Requests with the restricted key, at most: of a whole run and of a short one. They send some 80 and 20; the rest is for
 * repeats.
 */
const RESTRICTED_WHOLE = 100;
const RESTRICTED_SHALLOW = 24;

/** The fingerprints of a target's keys, with the salt of its monitor. */
export function keysSpent({ keys }: Target, salt: string): KeysSpent {
  const { valid = [], restricted = [] } = new KeyRing(keys, { seed: 1, salt }).fingerprints();
  return { valid, restricted };
}

/**
 * Requests that each key may spend in a month.
 * @throws OptionError when that is not enough for one run
 */
export function limitOf({ share, target }: Pick<MonitorSettings, 'share' | 'target'>): number {
  const limit = Math.floor(share * target.limits.monthlyQuota + 1e-9);
  if (limit >= SHALLOW_REQUESTS) return limit;
  throw new OptionError(
    `A share of ${share * 100} % is ${limit} requests a month, and the smallest run takes ${SHALLOW_REQUESTS}.`,
    'Give a larger --share.',
  );
}

/** Does the sums of a monitor: what it may spend now, and what it has spent. */
export class Purse {
  readonly #settings: MonitorSettings;
  readonly #keys: KeysSpent;
  readonly #limit: number;

  constructor(settings: MonitorSettings, keys: KeysSpent) {
    this.#settings = settings;
    this.#keys = keys;
    this.#limit = limitOf(settings);
  }

  /** The keys that it spends from. */
  get keys(): KeysSpent {
    return this.#keys;
  }

  /** What is spent of the month that `now` (epoch ms) lies in. */
  spent({ account }: MonitorState, now: number): BudgetNow {
    const month = monthOf(now);
    const { valid, restricted } = this.#keys;
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

  /** What a run of the schedule may do that begins now. */
  allowance(state: MonitorState, now: number): Allowance {
    const allowance = allowanceOf(this.#means(state, now));
    if (allowance.kind === 'none') return allowance;
    const { one } = leftIn(state.account, monthOf(now), this.#keys.valid, this.#limit);
    const requests = Math.min(allowance.requests, one);
    return requests < Math.min(SHALLOW_REQUESTS, this.#whole)
      ? { kind: 'none', why: 'used-up' }
      : {
          kind:
            requests < allowance.requests && requests < this.#whole ? 'shallow' : allowance.kind,
          requests,
        };
  }

  /** Requests that a look of another kind may send, at most `most`; 0 when there are none left. */
  forLook(state: MonitorState, now: number, most: number): number {
    const { one } = leftIn(state.account, monthOf(now), this.#keys.valid, this.#limit);
    return Math.min(most, one);
  }

  /** Requests that a run may send with the restricted key: it has a quota of its own, and lasts the month, too. */
  restricted(state: MonitorState, now: number, whole: boolean): number {
    const { restricted } = this.#keys;
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

  /** How the rest of the month goes. */
  rhythm(state: MonitorState, now: number): Rhythm & { readonly runs: number } {
    return { ...rhythmOf(this.#means(state, now)), runs: this.#runsLeft(now) };
  }

  /** Requests of a whole run, and of a short one, at most. */
  get bounds(): { readonly whole: number; readonly shallow: number } {
    return { whole: this.#whole, shallow: Math.min(SHALLOW_REQUESTS, this.#whole) };
  }

  get #whole(): number {
    return wholeOf(this.#settings.profile, this.#settings.maxRequests);
  }

  #runsLeft(now: number): number {
    return 1 + this.#settings.schedule.count(now, monthEndOf(now) - 1);
  }

  #means(state: MonitorState, now: number): Means {
    const { all } = leftIn(state.account, monthOf(now), this.#keys.valid, this.#limit);
    const looks = new Set(state.pending.map(({ ticker }) => ticker)).size;
    return {
      now,
      monthEnd: monthEndOf(now),
      // Looks that are owed come first.
      left: Math.max(0, all - looks * LOOK_REQUESTS),
      runsLeft: this.#runsLeft(now),
      whole: this.#whole,
      lastRunAt: inMonth(state.lastRunAt, now),
      lastWholeAt: inMonth(state.lastWholeAt, now),
    };
  }
}

/** A moment that lies in the month of `now`; null otherwise. A month begins with a run, whenever the last one was. */
const inMonth = (at: number | null, now: number): number | null =>
  at !== null && monthOf(at) === monthOf(now) ? at : null;
