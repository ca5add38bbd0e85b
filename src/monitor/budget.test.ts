import { describe, expect, it } from 'vitest';
import { HOUR } from '../spec/time.ts';
import { budgetOf, type Budget, monthEndOf, monthOf, spentIn, sumOf } from './budget.ts';
import { every } from './schedule.ts';
import type { MonitorSettings } from './settings.ts';
import { newState } from './state.ts';

const sent = (key: string | null, at: string, role = 'valid', skewMs = 0) => ({
  key,
  role: role as 'valid',
  sentAt: Date.parse(at),
  skewMs,
});

describe('months', () => {
  it('are those of the calendar, UTC', () => {
    expect(monthOf(Date.parse('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
    expect(new Date(monthEndOf(Date.parse('2026-12-31T23:59:00Z'))).toISOString()).toBe(
      '2027-01-01T00:00:00.000Z',
    );
  });
});

describe('what exchanges spent', () => {
  it('is counted by key and by the month of the target, for keys that have a quota', () => {
    const exchanges = [
      sent('k:a', '2026-11-30T23:59:59Z'),
      sent('k:a', '2026-12-01T00:00:00Z'),
      sent('k:b', '2026-12-01T00:00:00Z', 'restricted'),
      // Its clock is a minute ahead: there it is December.
      sent('k:a', '2026-11-30T23:59:30Z', 'valid', 60_000),
      sent('k:d', '2026-12-01T00:00:00Z', 'disabled'),
      sent(null, '2026-12-01T00:00:00Z', 'none'),
      // Nobody knows it, and somebody has paid.
      sent('k:x', '2026-12-01T00:00:00Z'),
    ];
    const own = { valid: ['k:c', 'k:a'], restricted: ['k:b'] };
    const keys = { valid: ['account c', 'account a'], restricted: ['account b'] };
    expect(spentIn(exchanges, own, keys)).toEqual({
      '2026-11': { 'account a': 1 },
      '2026-12': { 'account a': 2, 'account b': 1, 'account c': 1 },
    });
  });

  it('adds up by month and key', () => {
    const before = { '2026-11': { 'k:a': 90, 'k:b': 10 } };
    expect(sumOf(before, { '2026-11': { 'k:a': 3 }, '2026-12': { 'k:a': 1 } })).toEqual({
      '2026-11': { 'k:a': 93, 'k:b': 10 },
      '2026-12': { 'k:a': 1 },
    });
  });
});

describe('a budget', () => {
  const keys = { valid: ['k:a', 'k:b'], restricted: ['k:r'] };
  const NOW = Date.parse('2026-11-23T06:00:00Z');
  const state = {
    ...newState('https://api.example/v1', NOW),
    account: { months: { '2026-11': { 'k:a': 90, 'k:b': 10, 'k:r': 4 } }, reserved: null },
  };
  const withLimit = (limit: number): Budget =>
    budgetOf(
      {
        profile: 'standard',
        share: limit / 1000,
        target: { limits: { monthlyQuota: 1000 } },
        schedule: every(6 * HOUR),
      } as unknown as MonitorSettings,
      keys,
    );

  it('is that of all keys, and has the remainder of the most used one, because a run may send everything with one', () => {
    const budget = withLimit(100);
    expect(budget.spent(state, NOW)).toEqual({
      month: '2026-11',
      used: 100,
      limit: 200,
      restricted: { used: 4, limit: 100 },
    });
    expect(budget.atMost(50, state, NOW)).toBe(10);
    expect(budget.atMost(50, state, monthEndOf(NOW))).toBe(50);
    expect(withLimit(50).atMost(50, state, NOW)).toBe(0);
  });

  it('leaves the restricted key out of a run that it does not suffice for', () => {
    expect(withLimit(100).restricted(state, NOW, true)).toBe(0);
    expect(withLimit(100).restricted(state, NOW, false)).toBe(24);
    expect(withLimit(1000).restricted(state, NOW, true)).toBe(100);
  });
});
