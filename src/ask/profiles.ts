import { RATE_LIMIT } from '../spec/limits.ts';
import type { Bounds } from '../http/budget.ts';

/** Profiles, each of which includes the ones before it. */
export const PROFILES = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof PROFILES)[number];

/**
 * Maximum number of requests with valid keys, whatever the target answers: planned ones, including follow-ups that
 * depend on data; retries after transient failures; and requests to test the rate limiter if the others did not.
 */
export const PROFILE_BOUNDS: Readonly<Record<Profile, Bounds>> = {
  smoke: { planned: 20, repeat: 8, limiter: 4, total: 20 },
  standard: { planned: 98, repeat: 20, limiter: 60, total: 100 },
  full: { planned: 290, repeat: 60, limiter: 120, total: 300 },
};

/**
 * Bounds of a run: those of its profile, plus additional generated requests for a full run with more --max-requests. A
 * resumed run may need one more window to test the limiter.
 *
 * @param isResumed true for a resumed run
 */
export function boundsOf(profile: Profile, maxRequests: number | null, isResumed = false): Bounds {
  const { planned, repeat, limiter, total } = PROFILE_BOUNDS[profile];
  const more = profile === 'full' ? Math.max(0, (maxRequests ?? 0) - total) : 0;
  const again = isResumed ? RATE_LIMIT : 0;
  return {
    repeat,
    planned: planned + more,
    limiter: limiter + again,
    total: total + more + again,
    again,
  };
}
