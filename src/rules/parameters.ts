import type { Rule } from './judgement.ts';
import { MACRO_RULES } from './macro-values.ts';
import { ORDER_RULES } from './ordering.ts';
import { newsMaximum } from './news-maximum.ts';
import { PAGE_BOUND_RULES } from './page-bounds.ts';
import { pageRefused } from './page-refused.ts';
import { PAGING_RULES } from './paging.ts';
import { PAIR_RULES } from './pairs.ts';

/** Rules about pages and order, for every endpoint that has them (§4, §8). */
export const PARAMETER_RULES: readonly Rule[] = [
  ...ORDER_RULES,
  ...MACRO_RULES,
  ...PAGE_BOUND_RULES,
  newsMaximum,
  ...PAGING_RULES,
  pageRefused,
  ...PAIR_RULES,
];
