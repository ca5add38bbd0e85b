import type { Fault } from '../../src/reference/faults/fault.ts';
import { LIMITER_FAULTS } from './limiter-faults.ts';
import { QUOTA_FAULTS } from './quota-faults.ts';
import { RATE_HEADER_FAULTS } from './header-faults.ts';
import { RATE_REFUSAL_FAULTS } from './refusal-faults.ts';

/** Defects of §8. */
export const LIMIT_FAULTS: readonly Fault[] = [
  ...LIMITER_FAULTS,
  ...RATE_HEADER_FAULTS,
  ...RATE_REFUSAL_FAULTS,
  ...QUOTA_FAULTS,
];
