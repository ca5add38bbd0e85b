import { AUTHENTICATION_FAULTS } from './authentication.ts';
import { CURRENCY_FAULTS } from './currencies.ts';
import { ETF_SUMMARY_FAULTS } from '../../../suites/4.3-etf-summary/faults.ts';
import { ETF_HISTORY_FAULTS } from '../../../suites/4.4-etf-history/faults.ts';
import { STOCK_FAULTS } from '../../../suites/4.5-crypto-stocks/faults.ts';
import { MACRO_FAULTS } from '../../../suites/4.6-macro-and-charts/faults.ts';
import { PURPOSE_ONLY_FAULTS } from '../../../suites/4.7-purpose-only/faults.ts';
import { ENDPOINT_FAULTS } from './endpoints.ts';
import { ERROR_FAULTS } from './errors.ts';
import type { Fault } from './fault.ts';
import { FEATURED_NEWS_FAULTS } from './featured-news.ts';
import { FIELD_FAULTS } from './fields.ts';
import { GENERAL_FAULTS } from './general.ts';
import { LIMIT_FAULTS } from './limits.ts';
import { NEAR_KEY_FAULTS } from './near-keys.ts';
import { NEWS_ITEM_FAULTS } from './news-items.ts';
import { NEWS_PAGE_FAULTS } from './news-pages.ts';
import { NEWS_FAULTS } from './news.ts';
import { ONE_OF_MANY_FAULTS } from './other-areas.ts';
import { VALUE_FAULTS } from './values.ts';

export const FAULTS: readonly Fault[] = [
  ...FIELD_FAULTS,
  ...VALUE_FAULTS,
  ...CURRENCY_FAULTS,
  ...NEWS_ITEM_FAULTS,
  ...NEWS_FAULTS,
  ...NEWS_PAGE_FAULTS,
  ...FEATURED_NEWS_FAULTS,
  ...ETF_SUMMARY_FAULTS,
  ...ETF_HISTORY_FAULTS,
  ...STOCK_FAULTS,
  ...MACRO_FAULTS,
  ...PURPOSE_ONLY_FAULTS,
  ...ONE_OF_MANY_FAULTS,
  ...ENDPOINT_FAULTS,
  ...GENERAL_FAULTS,
  ...AUTHENTICATION_FAULTS,
  ...NEAR_KEY_FAULTS,
  ...ERROR_FAULTS,
  ...LIMIT_FAULTS,
];
