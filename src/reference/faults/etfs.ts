import { ETF_HISTORY_FAULTS } from './etf-history.ts';
import { ETF_SUMMARY_FAULTS } from './etf-summary.ts';
import type { Fault } from './fault.ts';

/** Defects of §4.3 and §4.4. */
export const ETF_FAULTS: readonly Fault[] = [...ETF_SUMMARY_FAULTS, ...ETF_HISTORY_FAULTS];
