import type { Bounds } from '../http/budget.ts';

/** Which part of the suites a run takes: each profile includes the ones before it. */
export const PROFILES = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof PROFILES)[number];

/**
 * Most requests with valid keys that a run may send, whatever the target answers. What is planned is said before, and a
 * little more where the data of a target asks for a second look; repeats come after failures in passing, and the
 * limiter's where the requests of the run did not show how it counts and refuses.
 */
export const PROFILE_BOUNDS: Readonly<Record<Profile, Bounds>> = {
  smoke: { planned: 20, repeat: 8, limiter: 4 },
  standard: { planned: 110, repeat: 20, limiter: 60 },
  full: { planned: 650, repeat: 60, limiter: 170 },
};
