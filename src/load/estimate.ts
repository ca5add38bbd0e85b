import { formatDuration } from '../report/model/labels.ts';
import type { TargetLimits } from '../target/target.ts';
import { LoadError } from './errors.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import type { Shape } from './plan.ts';
import { SCENARIOS } from './scenarios.ts';
import type { LoadSettings, Offer } from './scenarios.ts';

/** What a scenario will send and need; known before anything is sent. */
export interface Estimate {
  readonly scenario: ScenarioName;
  readonly title: string;
  readonly shape: Shape;
  /** Keys that it needs, and what kind. */
  readonly keys: number;
  readonly keyRole: 'valid' | 'nearQuota';
  /** Requests sent at most. */
  readonly sent: number;
  /** Requests that the keys pay for at most, together and by key. */
  readonly admitted: number;
  readonly admittedPerKey: number;
  /** Share of the monthly quota of each key, 0 to 1. */
  readonly quotaShare: number;
  /** About how long it takes, ms. */
  readonly ms: number;
}

/** Time for preparing, for k6 to start and to end, ms. */
const OVERHEAD_MS = 2000;
/** Windows that pass on average until every key has a fresh one and an edge comes. */
const WINDOWS_TO_START = 1.5;

/** Works out what a scenario costs on a target. */
export function estimate(
  scenario: ScenarioName,
  settings: LoadSettings,
  limits: TargetLimits,
  offer: Offer,
): Estimate {
  const facts = SCENARIOS[scenario];
  const shape = facts.shape(settings, offer);
  const { sent, admitted } = facts.cost(shape, offer);
  const keys = facts.key === 'nearQuota' ? 1 : facts.keys(shape, offer);
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
    ms: OVERHEAD_MS + WINDOWS_TO_START * offer.windowMs + facts.lasts(shape, offer),
  };
}

/**
 * Refuses what cannot work, before anything is sent.
 * @throws LoadError `ASSAY_LOAD_USAGE` that says what is needed
 */
export function checkEstimate(plan: Estimate, offer: Offer): void {
  if (plan.keyRole === 'nearQuota') {
    if (offer.quotaLeft === null) {
      throw usage(
        `${plan.scenario} needs a key that is near its monthly quota.`,
        'Add keys.nearQuota with key and remaining to the target file.',
      );
    }
    if (offer.quotaLeft > 20 * offer.limit) {
      throw usage(
        `${plan.scenario} uses the quota up, and keys.nearQuota has ${offer.quotaLeft} requests left: ${Math.ceil(offer.quotaLeft / offer.limit)} windows.`,
        `Use a key with at most ${20 * offer.limit} requests left.`,
      );
    }
    return;
  }
  if (plan.keys > offer.keys) {
    throw usage(
      `${plan.scenario} needs ${plan.keys} valid keys and ${offer.keys} ${offer.keys === 1 ? 'is' : 'are'} given.`,
      'Add keys to keys.valid of the target file or to ASSAY_API_KEY (separated by commas), or lower --rate where the scenario has one.',
    );
  }
  if (plan.quotaShare > 1) {
    throw usage(
      `${plan.scenario} needs ${plan.admittedPerKey} requests of each key, more than its monthly quota.`,
      'Shorten it with --duration or --windows, or spread it over more keys.',
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
  return [
    `${plan.scenario}: ${plan.title}`,
    `  needs      ${keys}`,
    `  sends      at most ${plan.sent} requests; keys pay for at most ${plan.admitted}, ${plan.admittedPerKey} each (${share} % of a month)`,
    `  takes      about ${formatDuration(plan.ms)} with windows of ${formatDuration(offer.windowMs)}`,
    ...(plan.shape.rate > 0
      ? [`  rate       up to ${Math.round(plan.shape.rate * 10) / 10} requests/s`]
      : []),
    `  users      ${plan.shape.vus}`,
  ].join('\n');
}

function usage(message: string, hint: string): LoadError {
  return new LoadError('ASSAY_LOAD_USAGE', message, hint);
}
