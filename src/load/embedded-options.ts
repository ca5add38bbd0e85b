import type { EmbeddedOptions } from './embedded.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import { keysForRate } from './scenarios.ts';
import type { LoadSettings } from './scenarios.ts';

/** What a user may ask of the embedded reference server. */
export interface EmbeddedWishes {
  /** Length of its window, ms. */
  readonly windowMs?: number | undefined;
  /** Requests that its near-quota key has left. */
  readonly quotaLeft?: number | undefined;
  readonly faults?: readonly string[] | undefined;
  readonly variants?: readonly string[] | undefined;
}

/** Window of the embedded server: short, so that a scenario takes seconds, ms. */
export const EMBEDDED_WINDOW_MS = 4000;
/** Requests that its key near the quota has left: three windows and a half. */
const QUOTA_LEFT = 70;
/** Keys that it issues at least. */
const KEYS = 12;
/** Rates of open models, requests per second. */
const RATES: Readonly<Partial<Record<ScenarioName, number>>> = { mix: 50, spike: 200, soak: 5 };
const LIMIT = 20;
/** Limit for `capacity`: it counts, and is never reached. */
const NO_LIMIT = 1_000_000;

/** The embedded server is made to measure: as many keys and as short a window as the scenario needs. */
export function embeddedOptions(
  scenario: ScenarioName,
  settings: LoadSettings,
  wishes: EmbeddedWishes,
): EmbeddedOptions {
  const windowMs = Math.round(wishes.windowMs ?? EMBEDDED_WINDOW_MS);
  const limit = scenario === 'capacity' ? NO_LIMIT : LIMIT;
  const rate = settings.rate ?? RATES[scenario];
  const offer = { limit, windowMs, keys: Number.POSITIVE_INFINITY, quotaLeft: null };
  return {
    limit,
    windowMs,
    faults: wishes.faults ?? [],
    variants: wishes.variants ?? [],
    keys: {
      valid: rate === undefined ? KEYS : Math.max(KEYS, keysForRate(rate, offer)),
      nearQuota: {
        key: 'reference-key-near-quota-71f2',
        remaining: Math.round(wishes.quotaLeft ?? QUOTA_LEFT),
      },
    },
  };
}
