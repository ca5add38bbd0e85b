import type { Fault } from './fault.ts';
import { LIMITER_FAULTS } from './limiters.ts';
import { QUOTA_FAULTS } from './quota.ts';
import { RATE_HEADER_FAULTS } from './rate-headers.ts';
import { RATE_REFUSAL_FAULTS } from './rate-refusals.ts';

/** Defects of §8. */
export const LIMIT_FAULTS: readonly Fault[] = [
  ...LIMITER_FAULTS,
  ...RATE_HEADER_FAULTS,
  ...RATE_REFUSAL_FAULTS,
  ...QUOTA_FAULTS,
];
