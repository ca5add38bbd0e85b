import type { Rule } from '../../src/rules/judgement.ts';
import { LIMIT_ADMISSION_RULES } from './admission.ts';
import { limitNotEarly } from './early.ts';
import { LIMIT_HEADER_RULES } from './headers.ts';
import { LIMIT_PER_KEY_RULES } from './per-key.ts';
import { remainingDecrements } from './remaining.ts';
import { LIMIT_QUOTA_RULES } from './quota.ts';
import { LIMIT_REFUSAL_RULES } from './refusal.ts';
import { WINDOW_KIND_RULES } from './window-kind.ts';
import { WINDOW_LENGTH_RULES } from './window-length.ts';

/** Rules of §8: the rate limit per key, its headers and its refusal, and the monthly quota. */
export const LIMIT_RULES: readonly Rule[] = [
  ...LIMIT_HEADER_RULES,
  remainingDecrements,
  ...LIMIT_ADMISSION_RULES,
  limitNotEarly,
  ...LIMIT_PER_KEY_RULES,
  ...LIMIT_REFUSAL_RULES,
  ...LIMIT_QUOTA_RULES,
  ...WINDOW_KIND_RULES,
  ...WINDOW_LENGTH_RULES,
];
