import { AUTHENTICATION_FAULTS } from '../../../suites/5-authentication/faults.ts';
import { RESOURCE_FAULTS } from '../../../suites/2-resources/faults.ts';
import { CURRENCY_FAULTS } from '../../../suites/4.1-currencies/faults.ts';
import { ETF_SUMMARY_FAULTS } from '../../../suites/4.3-etf-summary/faults.ts';
import { generatedAndPageFaults } from '../../../suites/families/operator-faults.ts';
import { ETF_HISTORY_FAULTS } from '../../../suites/4.4-etf-history/faults.ts';
import { STOCK_FAULTS } from '../../../suites/4.5-crypto-stocks/faults.ts';
import { MACRO_FAULTS } from '../../../suites/4.6-macro-and-charts/faults.ts';
import { PURPOSE_ONLY_FAULTS } from '../../../suites/4.7-purpose-only/faults.ts';
import { ERROR_FAULTS } from '../../../suites/7-errors/faults.ts';
import type { Fault } from './fault.ts';
import { NEWS_FAULTS } from '../../../suites/4.2-news/faults.ts';
import { GENERAL_FAULTS } from '../../../suites/4-general/faults.ts';
import { RATE_HEADER_FAULTS } from '../../../suites/8-limits/faults/header-faults.ts';
import { LIMITER_FAULTS } from '../../../suites/8-limits/faults/limiter-faults.ts';
import {
  QUOTA_FAULTS,
  RATE_REFUSAL_FAULTS,
} from '../../../suites/8-limits/faults/refusal-faults.ts';

/** Those that are written by hand. */
export const WRITTEN_FAULTS: readonly Fault[] = [
  ...RESOURCE_FAULTS,
  ...CURRENCY_FAULTS,
  ...NEWS_FAULTS,
  ...ETF_SUMMARY_FAULTS,
  ...ETF_HISTORY_FAULTS,
  ...STOCK_FAULTS,
  ...MACRO_FAULTS,
  ...PURPOSE_ONLY_FAULTS,
  ...GENERAL_FAULTS,
  ...AUTHENTICATION_FAULTS,
  ...ERROR_FAULTS,
  ...LIMITER_FAULTS,
  ...RATE_HEADER_FAULTS,
  ...RATE_REFUSAL_FAULTS,
  ...QUOTA_FAULTS,
];

let all: readonly Fault[] | undefined;

/** All faults: deliberate defects, each tied to the requirements that must turn red. */
export const listFaults = (): readonly Fault[] =>
  (all ??= [...generatedAndPageFaults(), ...WRITTEN_FAULTS]);
