import { RATE_LIMIT } from '../spec/limits.ts';
import type { Bounds } from '../http/budget.ts';

/** How far a run goes along the one order of checks: each profile includes the ones before it. */
export const PROFILES = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof PROFILES)[number];

/**
 * Most requests with valid keys that a run may send, whatever the target answers. What is planned is said before, and a
 * little more where the data of a target asks for a second look; repeats come after failures in passing, and the
 * limiter's where the requests of the run did not show how it counts and refuses.
 */
export const PROFILE_BOUNDS: Readonly<Record<Profile, Bounds>> = {
  smoke: { planned: 20, repeat: 8, limiter: 4, total: 20 },
  standard: { planned: 98, repeat: 20, limiter: 60, total: 100 },
  full: { planned: 290, repeat: 60, limiter: 120, total: 300 },
};

/**
 * Bounds of a run: those of its profile; a full run for which more is allowed searches with what is added. A run that was
 * interrupted finds other windows than it left, and may need one more to see the limiter refuse.
 *
 * @param known true for a run of which answers are on record: it is resumed, or judged again and may have been
 */
export function boundsOf(profile: Profile, maxRequests: number | null, known = false): Bounds {
  const { planned, repeat, limiter, total } = PROFILE_BOUNDS[profile];
  const more = profile === 'full' ? Math.max(0, (maxRequests ?? 0) - total) : 0;
  const again = known ? RATE_LIMIT : 0;
  return { repeat, planned: planned + more, limiter: limiter + again, total: total + more + again };
}
