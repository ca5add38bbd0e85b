import type { Fault } from '../../src/reference/faults/fault.ts';
import { LIMITER_FAULTS } from './faults/limiter-faults.ts';
import { QUOTA_FAULTS } from './faults/quota-faults.ts';
import { RATE_HEADER_FAULTS } from './faults/header-faults.ts';
import { RATE_REFUSAL_FAULTS } from './faults/refusal-faults.ts';

export const LIMIT_FAULTS: readonly Fault[] = [
  ...LIMITER_FAULTS,
  ...RATE_HEADER_FAULTS,
  ...RATE_REFUSAL_FAULTS,
  ...QUOTA_FAULTS,
];
