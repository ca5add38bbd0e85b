import { BOUND_RULES } from './bounds.ts';
import type { Rule } from './judgement.ts';
import { RANGE_RULES } from './ranges.ts';

/** Rules about limits, ranges and windows, for every endpoint that has them (§4, §8). */
export const PARAMETER_RULES: readonly Rule[] = [
  ...BOUND_RULES,
  ...RANGE_RULES,
];
