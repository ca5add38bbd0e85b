import { ENDPOINT_FAMILIES } from './endpoint-families.ts';
import { GENERAL_FAMILIES } from './general-families.ts';
import type { Family } from './types.ts';

/** Guidance for groups of requirements that fail for the same reasons; the first that matches counts. */
export const FAMILIES: readonly Family[] = [...ENDPOINT_FAMILIES, ...GENERAL_FAMILIES];
