/**
 * When a check asks if it does not ask ahead. `alone`: no other requests in flight, because it judges all traffic of
 * the run, reserves a key, or advances or waits for the clock. `serial`: its requests depend on answers to earlier
 * checks, which must finish first.
 */
export type Exclusivity = 'alone' | 'serial';
