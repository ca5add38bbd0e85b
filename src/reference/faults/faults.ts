import { ACCESS_FAULTS } from './access.ts';
import { CURRENCY_FAULTS } from './currencies.ts';
import { ETF_FAULTS } from './etfs.ts';
import type { Fault } from './fault.ts';
import { FIELD_FAULTS } from './fields.ts';
import { LIMIT_FAULTS } from './limits.ts';
import { NEWS_FAULTS } from './news.ts';
import { OTHER_AREA_FAULTS } from './other-areas.ts';
import { VALUE_FAULTS } from './values.ts';

export const FAULTS: readonly Fault[] = [
  ...FIELD_FAULTS,
  ...VALUE_FAULTS,
  ...CURRENCY_FAULTS,
  ...NEWS_FAULTS,
  ...ETF_FAULTS,
  ...OTHER_AREA_FAULTS,
  ...ACCESS_FAULTS,
  ...LIMIT_FAULTS,
];
