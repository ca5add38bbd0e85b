import { describe, expect, it } from 'vitest';
import { leftIn, monthEndOf, monthOf, settled, spentIn, spentInFull, usedIn } from './account.ts';

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

  it('is the whole reservation, with each key, if the requests are unknown', () => {
    const keys = { valid: ['k:a', 'k:b'], restricted: ['k:r'] };
    const reserved = { folder: 'f', month: '2026-11', valid: 20, restricted: 5, keys };
    expect(spentInFull(reserved)).toEqual({
      '2026-11': { 'k:a': 20, 'k:b': 20, 'k:r': 5 },
    });
  });
});

describe('an account', () => {
  const keys = { valid: ['k:a', 'k:b'], restricted: [] };
  const reserved = { folder: 'f', month: '2026-11', valid: 20, restricted: 0, keys };
  const account = { months: { '2026-11': { 'k:a': 90, 'k:b': 10 } }, reserved };

  it('books the cost, and releases the reservation', () => {
    expect(settled(account, { '2026-11': { 'k:a': 3 }, '2026-12': { 'k:a': 1 } })).toEqual({
      months: { '2026-11': { 'k:a': 93, 'k:b': 10 }, '2026-12': { 'k:a': 1 } },
      reserved: null,
    });
  });

  it('has the remainder of its most used key, because a run may send everything with one', () => {
    expect(usedIn(account, '2026-11', ['k:a', 'k:b'])).toEqual({ all: 100, most: 90 });
    expect(leftIn(account, '2026-11', ['k:a', 'k:b'], 100)).toEqual({ all: 100, one: 10 });
    expect(leftIn(account, '2026-12', ['k:a', 'k:b'], 100)).toEqual({ all: 200, one: 100 });
    expect(leftIn(account, '2026-11', ['k:a', 'k:b'], 50)).toEqual({ all: 0, one: 0 });
  });

  it('keeps thirteen months', () => {
    const months = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `20${20 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
        { 'k:a': index },
      ]),
    );
    const { months: kept } = settled({ months, reserved: null }, {});
    expect(Object.keys(kept)).toHaveLength(13);
    expect(Object.keys(kept).at(-1)).toBe('2021-08');
  });
});
