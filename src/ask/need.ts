import type { FixtureKind } from '../spec/endpoints.ts';

/**
 * What a target must offer before the requirement can be judged, beyond a base URL and one valid key. `window`: a full
 * rate-limit window is spent or waited for. `clock`: time has to pass on the target.
 */
export type Need =
  | FixtureKind
  | 'exchanges'
  | 'second-key'
  | 'disabled-key'
  | 'expired-key'
  | 'restricted-key'
  | 'near-quota-key'
  | 'window'
  | 'clock';
