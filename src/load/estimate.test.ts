import { describe, expect, it } from 'vitest';
import { DAY } from '../spec/time.ts';
import { estimate } from './estimate.ts';
import { SCENARIO_NAMES } from '../spec/scenarios.ts';

const limits = { requests: 20, windowMs: 60_000, monthlyQuota: 100_000 };
const target = (keys = 1, remaining?: number) => ({
  limits,
  keys: {
    valid: Array.from({ length: keys }, (_, index) => `key-${index}`),
    ...(remaining !== undefined && { nearQuota: { key: 'near', remaining } }),
  },
});

describe('estimate', () => {
  it.each(SCENARIO_NAMES)('is finite for %s', (scenario) => {
    const plan = estimate(scenario, {}, target(10_000, 30));
    for (const value of [plan.keys, plan.sent, plan.admitted, plan.ms, plan.shape.vus]) {
      expect(value).toBeGreaterThan(0);
      expect(Number.isFinite(value)).toBe(true);
    }
  });

  it('counts requests that cost quota', () => {
    const plan = estimate('rl-exact', { windows: 5 }, target());
    expect(plan).toMatchObject({ admitted: 100, admittedPerKey: 100, quotaShare: 0.001 });
  });

  it('promises no fewer than k6 sends at a steady rate, which may begin and end with a request', () => {
    const { text } = estimate('soak', { rate: 0.25, durationMs: 400_000 }, target());
    expect(text).toContain('sends      at most 101 requests, of which at most 101 count');
  });
});

describe('impossible settings', () => {
  const check =
    (scenario: 'mix' | 'soak' | 'quota' | 'rl-exact', settings: object, of = target()) =>
    () =>
      estimate(scenario, settings, of);

  it('rejects a rate beyond the keys, and says how many are needed', () => {
    expect(check('mix', { rate: 100 }, target(10))).toThrow('needs 334 valid keys, but only 10');
    expect(check('mix', {}, target(2))).not.toThrow();
  });

  it('refuses more than the quota of a month', () => {
    const month = { rate: 0.3, durationMs: 31 * DAY };
    expect(check('soak', month)).toThrow('more than the monthly quota of a key');
  });

  it('refuses the quota scenario without a key near its quota, or with one far from it', () => {
    expect(check('quota', {})).toThrow('near its monthly quota');
    expect(check('quota', {}, target(1, 90_000))).toThrow('4500 windows');
    expect(check('quota', {}, target(1, 30))).not.toThrow();
  });
});
