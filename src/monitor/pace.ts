import type { Profile } from '../ask/profiles.ts';
import { PROFILE_BOUNDS } from '../ask/profiles.ts';

/**
 * Most requests with valid keys of a run that looks at what says most: those of the profile smoke. Less than that is not
 * worth a run.
 */
export const SHALLOW_REQUESTS = PROFILE_BOUNDS.smoke.total;

/** What the requests that are left have to last for. Times are epoch ms, counts those of requests. */
export interface Means {
  readonly now: number;
  /** Beginning of the next month, UTC, when the budget is whole again. */
  readonly monthEnd: number;
  /** What may still be spent this month. */
  readonly left: number;
  /** Runs of the schedule until then, the present one included. */
  readonly runsLeft: number;
  /** Requests of a run of the whole profile, at most. */
  readonly whole: number;
  /** Begin of the last run, and of the last one of the whole profile; null before the first. */
  readonly lastRunAt: number | null;
  readonly lastWholeAt: number | null;
}

/** What a run may do. */
export type Allowance =
  | { readonly kind: 'whole' | 'shallow'; readonly requests: number }
  /** No run: nothing worth one is left this month, or what is left has to last longer. */
  | { readonly kind: 'none'; readonly why: 'used-up' | 'pace' };

/** How a month goes at a given pace, for the line that says it. */
export interface Rhythm {
  /** Whole runs until the end of the month, at most. */
  readonly whole: number;
  /** Shallow ones. */
  readonly shallow: number;
}

/** Most requests with valid keys that a run of a profile sends, repeats included, whatever the target answers. */
export const wholeOf = (profile: Profile, maxRequests: number | null): number =>
  Math.min(
    maxRequests ?? Number.POSITIVE_INFINITY,
    PROFILE_BOUNDS[profile].total + PROFILE_BOUNDS[profile].repeat,
  );

/**
 * Divides what is left. When there is enough for a whole run each time, every run is one. Else a run of a middling length
 * would never come to what stands late in the order of requests, so that most runs are short and say most, and whole ones
 * come as often as the rest allows: whole runs may use at least half of what is left.
 */
export function rhythmOf({ left, runsLeft, whole }: Omit<Means, 'now'>): Rhythm {
  const runs = Math.max(1, runsLeft);
  const short = Math.min(SHALLOW_REQUESTS, whole);
  if (left >= runs * whole) return { whole: runs, shallow: 0 };
  const forWhole = Math.max(left - runs * short, Math.floor(left / 2));
  const most = Math.floor(forWhole / whole);
  return {
    whole: most,
    shallow: Math.max(0, Math.min(runs - most, Math.floor((left - most * whole) / short))),
  };
}

/**
 * What the run that is due now may do. Runs of a kind are spread evenly over what is left of the month, so that the share is
 * neither used up on the first day nor left over on the last one.
 */
export function allowanceOf(means: Means): Allowance {
  const { left, whole, runsLeft, lastRunAt, lastWholeAt } = means;
  const short = Math.min(SHALLOW_REQUESTS, whole);
  if (left < short) return { kind: 'none', why: 'used-up' };
  const rhythm = rhythmOf(means);
  if (rhythm.whole >= Math.max(1, runsLeft) || isDue(means, lastWholeAt, rhythm.whole)) {
    return { kind: 'whole', requests: Math.min(whole, left) };
  }
  const everyTime = rhythm.whole + rhythm.shallow >= runsLeft;
  return everyTime || isDue(means, lastRunAt, rhythm.whole + rhythm.shallow)
    ? { kind: 'shallow', requests: short }
    : { kind: 'none', why: 'pace' };
}

/** True when the next of so many that are spread over the rest of the month is due. */
export function isDue(
  { now, monthEnd }: Pick<Means, 'now' | 'monthEnd'>,
  last: number | null,
  count: number,
): boolean {
  if (count < 1) return false;
  return last === null || last > now || now - last >= (monthEnd - now) / count;
}
