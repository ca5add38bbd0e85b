import { AUTHENTICATION_RULES } from '../../suites/5-authentication/judge.ts';
import { ERROR_DETAIL_RULES } from '../../suites/7-errors/details.ts';
import { ERROR_RULES } from '../rules/errors.ts';
import type { Rule } from '../rules/judgement.ts';
import { OBSERVATION_RULES } from '../../suites/4-general/observations.ts';
import { REFUSAL_RULES } from '../../suites/7-errors/refusals.ts';
import { SHAPE_RULES } from '../rules/shapes.ts';
import { TRANSPORT_RULES } from '../rules/transport.ts';
import { UNKNOWN_RESOURCE_RULES } from '../../suites/7-errors/unknown-resources.ts';
import { VALIDATION_RULES } from '../../suites/families/validation.ts';

/** Rules that decide criteria of several requirements; all other judgements stand in their definitions. In any order. */
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
];
