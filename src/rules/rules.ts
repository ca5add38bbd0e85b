import { AUTHENTICATION_RULES } from './authentication.ts';
import { ERROR_DETAIL_RULES } from './error-details.ts';
import { ERROR_RULES } from './errors.ts';
import type { Rule } from './judgement.ts';
import { LIMIT_RULES } from './limits.ts';
import { OBSERVATION_RULES } from './observations.ts';
import { REFUSAL_RULES } from './refusals.ts';
import { SHAPE_RULES } from './shapes.ts';
import { TRANSPORT_RULES } from './transport.ts';
import { UNKNOWN_RESOURCE_RULES } from './unknown-resources.ts';
import { VALIDATION_RULES } from './validation.ts';

/** Every rule. Order does not matter: rules do not know of each other. */
export const RULES: readonly Rule[] = [
  ...TRANSPORT_RULES,
  ...SHAPE_RULES,
  ...ERROR_RULES,
  ...ERROR_DETAIL_RULES,
  ...REFUSAL_RULES,
  ...UNKNOWN_RESOURCE_RULES,
  ...VALIDATION_RULES,
  ...AUTHENTICATION_RULES,
  ...OBSERVATION_RULES,
  ...LIMIT_RULES,
];
