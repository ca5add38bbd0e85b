import type { FixtureKind } from '../spec/endpoints.ts';

/**
 * Prerequisites of a requirement beyond a base URL and one valid key. `window`: uses up or waits for a full rate-limit
 * window.
 */
export type Need =
  | FixtureKind
  | 'exchanges'
  | 'second-key'
  | 'disabled-key'
  | 'expired-key'
  | 'restricted-key'
  | 'near-quota-key'
  | 'window';
