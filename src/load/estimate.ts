import { formatDuration } from '../report/model/labels.ts';
import { plural } from '../text/text.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import type { Target } from '../target/target.ts';
import { usage } from './errors.ts';
import { SCENARIOS, type LoadSettings, type Offer } from './scenarios.ts';

/** Time to prepare, start and end k6, ms. */
const OVERHEAD_MS = 2000;
/** Average number of windows until every key has a new one and an edge comes. */
const WINDOWS_TO_START = 1.5;
/** Maximum number of windows to use up a quota. */
const MOST_WINDOWS = 20;

/**
 * Calculates what a scenario will need and cost on a target.
 * @returns its shape; the number of keys that it needs; at most how many requests it sends, and how many of them cost
 * quota (`admitted`, in total and per key, with the share of each key's monthly quota, 0 to 1); its approximate duration
 * in ms; and all of that as a text for a terminal
 * @throws LoadError `ASSAY_LOAD_USAGE` for impossible settings
 */
export function estimate(
  scenario: ScenarioName,
  settings: LoadSettings,
  { keys: given, limits }: Pick<Target, 'keys' | 'limits'>,
) {
  const facts = SCENARIOS[scenario];
  const offer: Offer = {
    limit: limits.requests,
    windowMs: limits.windowMs,
    keys: given.valid.length,
    quotaLeft: given.nearQuota?.remaining ?? null,
  };
  const shape = facts.shape(settings, offer);
  const { sent, admitted } = facts.cost(shape, offer);
  const keys = facts.keys(shape, offer);
  const admittedPerKey = Math.ceil(admitted / keys);
  const quotaShare = admittedPerKey / limits.monthlyQuota;
  if (facts.key === 'nearQuota') checkQuota(scenario, offer);
  else if (keys > offer.keys) {
    throw usage(
      `${scenario} needs ${keys} valid keys, but only ${offer.keys} ${offer.keys === 1 ? 'is' : 'are'} set.`,
      'Add keys to keys.valid in the target file or to ASSAY_API_KEY (comma-separated), or lower --rate if the scenario accepts it.',
    );
  } else if (quotaShare > 1) {
    throw usage(
      `${scenario} needs ${admittedPerKey} requests per key, which is more than the monthly quota of a key.`,
      'Lower --duration or --windows, or add keys.',
    );
  }
  const ms = OVERHEAD_MS + WINDOWS_TO_START * offer.windowMs + facts.estimatedMs(shape, offer);
  const needed = facts.key === 'nearQuota' ? 'the key near its quota' : plural(keys, 'valid key');
  const share = (quotaShare * 100).toFixed(quotaShare < 0.1 ? 2 : 0);
  const rate = Math.round(shape.rate * 10) / 10;
  const lines = [
    `${scenario}: ${facts.title}`,
    `  needs      ${needed}`,
    `  sends      at most ${sent} requests, of which at most ${admitted} count against the quota, ${admittedPerKey} per key (${share} % of its monthly quota)`,
    `  takes      about ${formatDuration(ms)} with windows of ${formatDuration(offer.windowMs)}`,
    ...(rate > 0 ? [`  rate       up to ${rate} requests/s`] : []),
    `  users      ${shape.vus}`,
  ];
  return { shape, keys, sent, admitted, admittedPerKey, quotaShare, ms, text: lines.join('\n') };
}

function checkQuota(scenario: ScenarioName, { quotaLeft, limit }: Offer): void {
  if (quotaLeft === null) {
    throw usage(
      `${scenario} needs a key near its monthly quota.`,
      'Add keys.nearQuota with `key` and `remaining` to the target file.',
    );
  }
  if (quotaLeft <= MOST_WINDOWS * limit) return;
  throw usage(
    `${scenario} would take too long: it uses up the quota, and the ${quotaLeft} requests that keys.nearQuota has left take ${Math.ceil(quotaLeft / limit)} windows.`,
    `Use a key with at most ${MOST_WINDOWS * limit} requests left.`,
  );
}
