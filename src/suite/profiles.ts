/** Which part of the suites a run takes: each profile includes the ones before it. */
export const PROFILES = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof PROFILES)[number];
