import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { packageFile } from './package-root.ts';
import type { Recorded, Shape } from './plan.ts';

/** Settings; each scenario has its own defaults. */
export interface LoadSettings {
  /** `--windows` */
  readonly windows?: number | undefined;
  /** `--rate`: requests per second at the peak. */
  readonly rate?: number | undefined;
  /** `--duration`, ms. */
  readonly durationMs?: number | undefined;
}

/** What the target offers. */
export interface Offer {
  readonly limit: number;
  readonly windowMs: number;
  /** Valid keys; `Infinity` for a server that issues any number. */
  readonly keys: number;
  /** Remaining requests of the near-quota key; null without such a key. */
  readonly quotaLeft: number | null;
}

/** A scenario as data. */
export interface Scenario extends Recorded {
  readonly title: string;
  /** Its script in `load/scenarios`; default: the one with its name. */
  readonly script?: 'bursts' | 'rate';
  /** Requirements that must be judged for a verdict. */
  readonly decides: readonly RequirementId[];
  /** True if it sends far more than the limit of the keys; not allowed against a remote target by default. */
  readonly heavy?: true;
  /** Requests that it sends: one plain endpoint, each endpoint once, or all of them by weight. */
  readonly requests: 'plain' | 'each' | 'all';
  readonly key: 'valid' | 'nearQuota';
  shape(settings: LoadSettings, offer: Offer): Shape;
  /** Approximate duration after its start, ms. */
  estimatedMs(shape: Shape, offer: Offer): number;
  /** Number of valid keys that the shape needs. */
  keys(shape: Shape, offer: Offer): number;
  /** Maximum number of requests sent, and of those that cost quota. */
  cost(shape: Shape, offer: Offer): { readonly sent: number; readonly admitted: number };
}

/** Share of a key's limit that steady load uses, so that jitter never reaches the limit. */
const STEADY_SHARE = 0.9;
const NOTHING: Shape = { vus: 1, windows: 1, rate: 0, durationMs: 0, quotaLeft: 0 };
const CLOSED = {
  requests: 'plain',
  key: 'valid',
  recordEvery: 1,
  sampleEvery: 0,
  recordAdmitted: true,
  // Bursts are a little more than a window apart.
  estimatedMs: ({ windows, durationMs }: Shape, { windowMs }: Offer) =>
    durationMs > 0 ? durationMs : 1.15 * (windows - 1) * windowMs,
  keys: () => 1,
  // A burst of all users in each window, and one request of each without a key.
  cost: ({ vus, windows }: Shape, { limit }: Offer) => ({
    sent: vus * (windows + 1),
    admitted: limit * windows,
  }),
} as const;
/** Requests at a steady rate; k6 may send one at either end. */
const arrivals = ({ rate, durationMs }: Pick<Shape, 'rate' | 'durationMs'>): number =>
  Math.ceil((rate * durationMs) / 1000) + 1;
const OPEN = {
  ...CLOSED,
  script: 'rate',
  decides: ['8/limit-not-early', '4/no-5xx'],
  requests: 'all',
  sampleEvery: 50,
  recordAdmitted: false,
  keys: ({ rate }: Shape, { limit, windowMs }: Offer) =>
    Math.max(1, Math.ceil((rate * windowMs) / 1000 / (limit * STEADY_SHARE))),
  cost: (shape: Shape) => {
    const sent = arrivals(shape);
    return { sent, admitted: sent };
  },
} as const;

/** A steady rate, with enough virtual users for answers that take half a second. */
const atRate = (rate: number, durationMs: number): Shape => ({
  ...NOTHING,
  vus: Math.min(400, Math.max(10, Math.ceil(rate / 2))),
  rate,
  durationMs,
});

/** The rate and duration of the settings; by default the rate that the keys allow, at most `most`. */
const steadyShape =
  (most: number, duration: (offer: Offer) => number): Scenario['shape'] =>
  ({ rate, durationMs }, offer) => {
    const allowed = (offer.keys * offer.limit * STEADY_SHARE * 1000) / offer.windowMs;
    return atRate(rate ?? Math.min(most, allowed), durationMs ?? duration(offer));
  };

/** A second key avoids waiting for a second window. */
const smokeKeys = (_: Shape, { keys }: Offer): number => Math.max(1, Math.min(2, keys));

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  smoke: {
    ...CLOSED,
    title: 'Every endpoint once, as fast as the keys allow',
    decides: ['4/json-body'],
    requests: 'each',
    sampleEvery: 1,
    shape: () => ({ ...NOTHING, windows: 2 }),
    keys: smokeKeys,
    estimatedMs: (shape, offer) =>
      (Math.ceil(ENDPOINT_PATHS.length / (smokeKeys(shape, offer) * offer.limit)) - 1) *
      offer.windowMs,
    cost: () => ({ sent: ENDPOINT_PATHS.length, admitted: ENDPOINT_PATHS.length }),
  },
  'rl-headers': {
    ...CLOSED,
    title: 'One key up to its limit and two requests beyond it, sequentially',
    decides: ['8/limit-enforced', '8/limit-not-early', '8/refusal-headers'],
    shape: () => NOTHING,
    cost: (_, { limit }) => ({ sent: limit + 3, admitted: limit }),
  },
  'rl-exact': {
    ...CLOSED,
    script: 'bursts',
    title: 'Three times the limit at the same time on one key',
    decides: ['8/limit-enforced', '8/limit-not-early'],
    shape: ({ windows = 3 }, { limit }) => ({ ...NOTHING, vus: 3 * limit, windows }),
  },
  'rl-exact-multi': {
    ...CLOSED,
    script: 'bursts',
    title: 'Twice the limit at the same time on each of several keys',
    decides: ['8/limit-enforced', '8/limit-not-early', '8/per-key'],
    shape: ({ windows = 1 }, { limit, keys }) => ({
      ...NOTHING,
      vus: 2 * limit * Math.max(2, Math.min(10, keys)),
      windows,
    }),
    keys: ({ vus }, { limit }) => vus / (2 * limit),
    cost: ({ vus, windows }) => ({ sent: vus * (windows + 1), admitted: (vus / 2) * windows }),
  },
  'rl-boundary': {
    ...CLOSED,
    title: 'Bursts just before and just after the edge of a window',
    decides: ['8/limit-enforced'],
    shape: ({ windows = 2 }, { limit }) => ({ ...NOTHING, vus: 3 * limit, windows }),
    estimatedMs: ({ windows }, { windowMs }) => (3 * windows - 2) * windowMs,
    cost: ({ vus, windows }, { limit }) => ({
      sent: vus * (windows + 1),
      admitted: limit * 2 * windows,
    }),
  },
  'rl-algorithm': {
    ...CLOSED,
    title: 'Which kind of window: fixed, starting with a request, or sliding',
    decides: ['8/window-kind'],
    shape: () => ({ ...NOTHING, vus: 3, windows: 4 }),
    estimatedMs: (_, { windowMs }) => 1.5 * windowMs,
    keys: () => 3,
    cost: (_, { limit }) => ({ sent: 8 * limit + 120, admitted: 6 * limit }),
  },
  'rl-retry-after': {
    ...CLOSED,
    title: 'Refusals over a window, and whether the stated wait is enough',
    decides: ['8/reset', '8/retry-after'],
    shape: () => ({ ...NOTHING, windows: 2 }),
    cost: (_, { limit }) => ({ sent: limit + 9, admitted: limit + 2 }),
  },
  'rl-isolation': {
    ...CLOSED,
    title: 'A key within its limit, alone and during a flood on another key',
    decides: ['8/per-key', '8/limit-enforced'],
    heavy: true,
    recordEvery: 5,
    shape: ({ windows = 2, rate }, { limit, windowMs }) => {
      const flood = rate ?? Math.min(300, Math.max(50, (50 * limit * 1000) / windowMs));
      // Half of it without the flood, for comparison.
      return { ...atRate(flood, 2 * windows * windowMs), windows };
    },
    keys: () => 2,
    cost: ({ rate, durationMs, windows }, { limit }) => ({
      sent: arrivals({ rate, durationMs: durationMs / 2 }) + limit * (2 * windows + 1),
      admitted: limit * (3 * windows + 2),
    }),
  },
  'rl-recovery': {
    ...CLOSED,
    script: 'rate',
    title: 'Three times the limit, spread evenly over several windows',
    decides: ['8/limit-enforced', '8/limit-not-early'],
    shape: ({ windows = 3 }, { limit, windowMs }) => ({
      ...NOTHING,
      vus: Math.min(60, 3 * limit),
      windows,
      rate: (3 * limit * 1000) / windowMs,
      durationMs: windows * windowMs,
    }),
    cost: ({ windows }, { limit }) => ({
      sent: 3 * limit * windows + 60,
      admitted: limit * (windows + 1),
    }),
  },
  'rl-flood': {
    ...CLOSED,
    script: 'rate',
    title: 'A flood on one key',
    decides: ['8/limit-enforced', '8/refusal-code'],
    heavy: true,
    recordEvery: 50,
    shape: ({ rate = 1000, windows = 2 }, { windowMs }) => ({
      ...atRate(rate, Math.min(60_000, windows * windowMs)),
      windows,
    }),
    cost: (shape, { limit }) => ({
      sent: arrivals(shape),
      admitted: limit * (shape.windows + 2),
    }),
  },
  quota: {
    ...CLOSED,
    script: 'bursts',
    title: 'Bursts until the monthly quota is used up, and beyond',
    decides: ['8/quota', '8/quota-not-early'],
    key: 'nearQuota',
    shape: (_, { limit, quotaLeft }) => ({
      ...NOTHING,
      vus: 2 * limit,
      // A quarter more: a counter that weighs the previous window admits fewer than the limit in some windows.
      windows: Math.ceil((1.25 * (quotaLeft ?? 0)) / limit) + 2,
      quotaLeft: quotaLeft ?? 0,
    }),
    cost: ({ vus, windows, quotaLeft }) => ({ sent: vus * (windows + 1), admitted: quotaLeft }),
  },
  mix: {
    ...OPEN,
    title: 'Realistic traffic across all endpoints, with every key within its limit',
    shape: steadyShape(50, ({ windowMs }) => Math.max(10_000, Math.min(60_000, 3 * windowMs))),
  },
  capacity: {
    ...OPEN,
    title: 'A rate that rises until responses get slow',
    decides: ['4/no-5xx'],
    heavy: true,
    sampleEvery: 20,
    shape: ({ rate = 3000, durationMs = 15_000 }) => atRate(rate, durationMs),
  },
  spike: {
    ...OPEN,
    title: 'Ten times the traffic for a while, then back to normal',
    heavy: true,
    sampleEvery: 5,
    shape: steadyShape(200, () => 12_000),
  },
  soak: {
    ...OPEN,
    title: 'Steady traffic for a long time',
    sampleEvery: 5,
    shape: steadyShape(5, () => 30 * 60_000),
  },
};

/** The script of a scenario. @throws LoadError if it does not exist */
export const scriptOf = (name: ScenarioName): string =>
  packageFile('load', 'scenarios', `${SCENARIOS[name].script ?? name}.ts`);
