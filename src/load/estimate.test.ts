import { describe, expect, it } from 'vitest';
import { DAY } from '../spec/time.ts';
import { checkEstimate, estimate } from './estimate.ts';
import { SCENARIO_NAMES } from '../spec/scenarios.ts';
import type { Offer } from './scenarios.ts';

const limits = { requests: 20, windowMs: 60_000, monthlyQuota: 100_000 };
const offer = (change: Partial<Offer> = {}): Offer => ({
  limit: 20,
  windowMs: 60_000,
  keys: 1,
  quotaLeft: null,
  ...change,
});

describe('estimate', () => {
  it.each(SCENARIO_NAMES)('is finite for %s', (scenario) => {
    const plan = estimate(scenario, {}, limits, offer({ keys: 10, quotaLeft: 30 }));
    for (const value of [plan.keys, plan.sent, plan.admitted, plan.ms, plan.shape.vus]) {
      expect(value).toBeGreaterThan(0);
      expect(Number.isFinite(value)).toBe(true);
    }
  });

  it('counts requests that cost quota', () => {
    const plan = estimate('rl-exact', { windows: 5 }, limits, offer());
    expect(plan).toMatchObject({ admitted: 100, admittedPerKey: 100, quotaShare: 0.001 });
  });
});

describe('checkEstimate', () => {
  const check =
    (scenario: 'mix' | 'soak' | 'quota' | 'rl-exact', settings: object, of: Offer) => () =>
      checkEstimate(estimate(scenario, settings, limits, of), of);

  it('rejects a rate beyond the keys, and says how many are needed', () => {
    expect(check('mix', { rate: 100 }, offer({ keys: 10 }))).toThrow(
      'needs 334 valid keys, but only 10',
    );
    expect(check('mix', {}, offer({ keys: 2 }))).not.toThrow();
  });

  it('refuses more than the quota of a month', () => {
    const month = { rate: 0.3, durationMs: 31 * DAY };
    expect(check('soak', month, offer())).toThrow('more than the monthly quota of a key');
  });

  it('refuses the quota scenario without a key near its quota, or with one far from it', () => {
    expect(check('quota', {}, offer())).toThrow('near its monthly quota');
    expect(check('quota', {}, offer({ quotaLeft: 90_000 }))).toThrow('4500 windows');
    expect(check('quota', {}, offer({ quotaLeft: 30 }))).not.toThrow();
  });
});
