import { allowedChoices } from './allowed.ts';
import { CURRENCY_DIMENSIONS } from './currencies.ts';
import type { Dimension } from './dimension.ts';
import { NETWORK_DIMENSIONS } from './network.ts';
import { SIZE_DIMENSIONS } from './sizes.ts';
import { TARGET_DIMENSIONS } from './targets.ts';
import { TIME_DIMENSIONS } from './times.ts';

/**
 * All questions that worlds answer, in the order in which their answers apply: data before answers, the network last.
 */
export const DIMENSIONS: readonly Dimension[] = [
  ...CURRENCY_DIMENSIONS,
  ...SIZE_DIMENSIONS,
  ...allowedChoices({}),
  ...TIME_DIMENSIONS,
  ...NETWORK_DIMENSIONS,
  ...TARGET_DIMENSIONS,
];
