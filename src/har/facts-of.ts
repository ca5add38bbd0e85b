import type { Facts } from '../judge/facts.ts';
import { validate } from '../judge/schema/schemas.ts';

/**
 * Validates the facts that a run has recorded. Null when they are missing or invalid: then the exchanges are judged
 * like any other traffic.
 */
export const factsOf = (value: unknown): Facts | null =>
  validate('results', value, '#/$defs/facts').length === 0 ? (value as Facts) : null;
