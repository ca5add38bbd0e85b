import type { EmbeddedOptions } from './embedded.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import { SCENARIOS, type LoadSettings } from './scenarios.ts';

/** Settings of the embedded reference server. */
export interface EmbeddedWishes {
  /** Length of its window, ms. */
  readonly windowMs?: number | undefined;
  /** Remaining requests of its near-quota key. */
  readonly quotaLeft?: number | undefined;
  readonly faults?: readonly string[] | undefined;
  readonly variants?: readonly string[] | undefined;
}

/** Window of the embedded server, ms. Short, so that a scenario takes seconds. */
export const EMBEDDED_WINDOW_MS = 4000;
/** Remaining requests of its near-quota key: three and a half windows. */
const QUOTA_LEFT = 70;
/** Minimum number of keys. */
const KEYS = 12;
const LIMIT = 20;
/** Limit for `capacity`, never reached. */
const NO_LIMIT = 1_000_000;

/** Options of the embedded server for a scenario: number of keys, length of the window. */
export function embeddedOptions(
  scenario: ScenarioName,
  settings: LoadSettings,
  wishes: EmbeddedWishes,
): EmbeddedOptions {
  const windowMs = Math.round(wishes.windowMs ?? EMBEDDED_WINDOW_MS);
  const limit = scenario === 'capacity' ? NO_LIMIT : LIMIT;
  const { shape, keys } = SCENARIOS[scenario];
  const offer = { limit, windowMs, keys: Number.POSITIVE_INFINITY, quotaLeft: null };
  return {
    limit,
    windowMs,
    faults: wishes.faults ?? [],
    variants: wishes.variants ?? [],
    keys: {
      valid: Math.max(KEYS, keys(shape(settings, offer), offer)),
      nearQuota: {
        key: 'reference-key-near-quota-71f2',
        remaining: Math.round(wishes.quotaLeft ?? QUOTA_LEFT),
      },
    },
  };
}
