import { CURRENCY_ECHO_RULES } from './currency-echo.ts';
import { CURRENCY_VALUE_RULES } from './currency-values.ts';
import { FUNDRAISING_VALUE_RULES } from './fundraising-values.ts';
import { OWN_RECORD_RULES } from './own-records.ts';
import { PAIR_SIDE_RULES } from './pair-sides.ts';
import type { Rule } from './judgement.ts';
import { MARKET_VALUE_RULES } from './market-values.ts';

/** §2 beyond presence and type: values of one resource that follow from the meaning of its fields. */
export const RESOURCE_RULES: readonly Rule[] = [
  ...CURRENCY_ECHO_RULES,
  ...CURRENCY_VALUE_RULES,
  ...MARKET_VALUE_RULES,
  ...FUNDRAISING_VALUE_RULES,
  ...OWN_RECORD_RULES,
  ...PAIR_SIDE_RULES,
];
