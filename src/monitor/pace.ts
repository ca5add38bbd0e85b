import { PROFILE_BOUNDS, type Profile } from '../ask/profiles.ts';

/** Maximum number of requests with valid keys of a short run, as in the profile smoke. Fewer are not worth a run. */
export const SHALLOW_REQUESTS = PROFILE_BOUNDS.smoke.total;

/** Input for dividing the remaining requests. Times are epoch ms, counts are requests. */
export interface Remaining {
  readonly now: number;
  /** Start of the next month, UTC, when the budget is reset. */
  readonly monthEnd: number;
  /** Remaining budget of this month. */
  readonly left: number;
  /** Scheduled runs until then, including the current one. */
  readonly runsLeft: number;
  /** Maximum number of requests of a full run, at least those of a short one. */
  readonly whole: number;
  /** Start of the last run, and of the last full one; null before the first. */
  readonly lastRunAt: number | null;
  readonly lastWholeAt: number | null;
}

/** Budget of a run. */
export type Allowance =
  | { readonly kind: 'whole' | 'shallow'; readonly requests: number }
  /** No run: the month's budget is used up, or has to last longer. */
  | { readonly kind: 'none'; readonly why: 'used-up' | 'pace' };

/** Runs in the rest of the month, for display. */
export type Rhythm = ReturnType<typeof rhythmOf>;

/** Maximum number of requests with valid keys of a run of a profile, including retries, whatever the target answers. */
export const wholeOf = (profile: Profile, maxRequests = Number.POSITIVE_INFINITY): number =>
  Math.min(maxRequests, PROFILE_BOUNDS[profile].total + PROFILE_BOUNDS[profile].repeat);

/**
 * Divides the remaining budget. If it suffices, every run is full. Otherwise most runs are short, with the requests
 * that find most, and full runs, which get at least half of the budget, are as frequent as it allows. Runs of medium
 * length would never reach the end of the request order.
 * @returns the maximum number of full and of short runs until the end of the month
 */
export function rhythmOf({ left, runsLeft, whole }: Omit<Remaining, 'now'>) {
  const runs = Math.max(1, runsLeft);
  if (left >= runs * whole) return { whole: runs, shallow: 0 };
  const forWhole = Math.max(left - runs * SHALLOW_REQUESTS, Math.floor(left / 2));
  const most = Math.floor(forWhole / whole);
  return {
    whole: most,
    shallow: Math.max(
      0,
      Math.min(runs - most, Math.floor((left - most * whole) / SHALLOW_REQUESTS)),
    ),
  };
}

/**
 * Budget of the run that is due now. Runs of each kind are spread evenly over the rest of the month, so that the share
 * is neither used up early nor left over.
 */
export function allowanceOf(remaining: Remaining): Allowance {
  const { left, whole, runsLeft, lastRunAt, lastWholeAt } = remaining;
  if (left < SHALLOW_REQUESTS) return { kind: 'none', why: 'used-up' };
  const rhythm = rhythmOf(remaining);
  if (rhythm.whole >= Math.max(1, runsLeft) || isDue(remaining, lastWholeAt, rhythm.whole)) {
    return { kind: 'whole', requests: Math.min(whole, left) };
  }
  const everyTime = rhythm.whole + rhythm.shallow >= runsLeft;
  return everyTime || isDue(remaining, lastRunAt, rhythm.whole + rhythm.shallow)
    ? { kind: 'shallow', requests: SHALLOW_REQUESTS }
    : { kind: 'none', why: 'pace' };
}

/** True if the next of this many runs, spread over the rest of the month, is due. */
export function isDue(
  { now, monthEnd }: Pick<Remaining, 'now' | 'monthEnd'>,
  last: number | null,
  count: number,
): boolean {
  if (count < 1) return false;
  return last === null || last > now || now - last >= (monthEnd - now) / count;
}
