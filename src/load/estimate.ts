import { formatDuration } from '../report/model/labels.ts';
import type { TargetLimits } from '../target/target.ts';
import { usage } from './errors.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import type { Shape } from './plan.ts';
import { SCENARIOS, type LoadSettings, type Offer } from './scenarios.ts';

/** What a scenario will send and need, known in advance. */
export interface Estimate {
  readonly scenario: ScenarioName;
  readonly title: string;
  readonly shape: Shape;
  /** Number of keys that it needs. */
  readonly keys: number;
  readonly keyRole: 'valid' | 'nearQuota';
  /** Maximum number of requests sent. */
  readonly sent: number;
  /** Maximum number of requests that cost quota, in total and per key. */
  readonly admitted: number;
  readonly admittedPerKey: number;
  /** Share of the monthly quota of each key, 0 to 1. */
  readonly quotaShare: number;
  /** Approximate duration, ms. */
  readonly ms: number;
}

/** Time to prepare, start and end k6, ms. */
const OVERHEAD_MS = 2000;
/** Average number of windows until every key has a new one and an edge comes. */
const WINDOWS_TO_START = 1.5;

/** Calculates the cost of a scenario on a target. */
export function estimate(
  scenario: ScenarioName,
  settings: LoadSettings,
  limits: TargetLimits,
  offer: Offer,
): Estimate {
  const facts = SCENARIOS[scenario];
  const shape = facts.shape(settings, offer);
  const { sent, admitted } = facts.cost(shape, offer);
  const keys = facts.keys(shape, offer);
  const admittedPerKey = Math.ceil(admitted / keys);
  return {
    scenario,
    title: facts.title,
    shape,
    keys,
    keyRole: facts.key,
    sent,
    admitted,
    admittedPerKey,
    quotaShare: admittedPerKey / limits.monthlyQuota,
    ms: OVERHEAD_MS + WINDOWS_TO_START * offer.windowMs + facts.estimatedMs(shape, offer),
  };
}

/**
 * Rejects impossible settings before anything is sent.
 * @throws LoadError `ASSAY_LOAD_USAGE`
 */
export function checkEstimate(plan: Estimate, offer: Offer): void {
  if (plan.keyRole === 'nearQuota') {
    if (offer.quotaLeft === null) {
      throw usage(
        `${plan.scenario} needs a key near its monthly quota.`,
        'Add keys.nearQuota with `key` and `remaining` to the target file.',
      );
    }
    if (offer.quotaLeft > 20 * offer.limit) {
      throw usage(
        `${plan.scenario} would take too long: it uses up the quota, and the ${offer.quotaLeft} requests that keys.nearQuota has left take ${Math.ceil(offer.quotaLeft / offer.limit)} windows.`,
        `Use a key with at most ${20 * offer.limit} requests left.`,
      );
    }
    return;
  }
  if (plan.keys > offer.keys) {
    throw usage(
      `${plan.scenario} needs ${plan.keys} valid keys, but only ${offer.keys} ${offer.keys === 1 ? 'is' : 'are'} set.`,
      'Add keys to keys.valid in the target file or to ASSAY_API_KEY (comma-separated), or lower --rate if the scenario accepts it.',
    );
  }
  if (plan.quotaShare > 1) {
    throw usage(
      `${plan.scenario} needs ${plan.admittedPerKey} requests per key, which is more than the monthly quota of a key.`,
      'Lower --duration or --windows, or add keys.',
    );
  }
}

/** The estimate as lines for a terminal. */
export function estimateText(plan: Estimate, offer: Offer): string {
  const share = (plan.quotaShare * 100).toFixed(plan.quotaShare < 0.1 ? 2 : 0);
  const keys =
    plan.keyRole === 'nearQuota'
      ? 'the key near its quota'
      : `${plan.keys} valid ${plan.keys === 1 ? 'key' : 'keys'}`;
  const rate = Math.round(plan.shape.rate * 10) / 10;
  return [
    `${plan.scenario}: ${plan.title}`,
    `  needs      ${keys}`,
    `  sends      at most ${plan.sent} requests, of which at most ${plan.admitted} count against the quota, ${plan.admittedPerKey} per key (${share} % of its monthly quota)`,
    `  takes      about ${formatDuration(plan.ms)} with windows of ${formatDuration(offer.windowMs)}`,
    ...(rate > 0 ? [`  rate       up to ${rate} requests/s`] : []),
    `  users      ${plan.shape.vus}`,
  ].join('\n');
}
