import * as fc from '../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../spec/time.ts';
import { allowanceOf, rhythmOf, wholeOf, type Allowance } from './pace.ts';
import { every } from './schedule.ts';

const BEGIN = Date.parse('2026-11-01T00:00:00Z');
const END = Date.parse('2026-12-01T00:00:00Z');

/** A month of a monitor whose runs spend what they may, or a part of it. */
function month(limit: number, whole: number, hours: number, part = 1): Allowance[] {
  const schedule = every(hours * HOUR);
  let left = limit;
  let lastRunAt: number | null = null;
  let lastWholeAt: number | null = null;
  const allowances: Allowance[] = [];
  for (let now = BEGIN; now < END; now = schedule.next(now)) {
    const runsLeft = 1 + schedule.count(now, END - 1);
    const remaining = { now, monthEnd: END, left, runsLeft, whole, lastRunAt, lastWholeAt };
    const allowance = allowanceOf(remaining);
    allowances.push(allowance);
    if (allowance.kind === 'none') continue;
    left -= Math.ceil(allowance.requests * part);
    lastRunAt = now;
    if (allowance.kind === 'whole') lastWholeAt = now;
  }
  expect(left).toBeGreaterThanOrEqual(0);
  return allowances;
}

const kinds = (allowances: readonly Allowance[], kind: Allowance['kind']): number =>
  allowances.filter((one) => one.kind === kind).length;

describe('what a run may do', () => {
  it('is always a full run if the budget suffices', () => {
    const all = month(120 * 120, 120, 6);
    expect(kinds(all, 'whole')).toBe(120);
  });

  it('is mostly a short run, and a full one about once a day, with 5 % and a run every six hours', () => {
    const all = month(5000, 120, 6);
    expect(all).toHaveLength(120);
    expect(kinds(all, 'none')).toBeLessThan(6);
    expect(kinds(all, 'whole')).toBeGreaterThan(18);
    expect(kinds(all, 'whole')).toBeLessThan(32);
    // Spread: each week has some of both.
    for (let week = 0; week < 4; week += 1) {
      const part = all.slice(week * 28, week * 28 + 28);
      expect(kinds(part, 'whole')).toBeGreaterThan(3);
      expect(kinds(part, 'shallow')).toBeGreaterThan(12);
    }
  });

  it('skips runs evenly if even short ones are too expensive', () => {
    const all = month(500, 120, 6);
    expect(kinds(all, 'none')).toBeGreaterThan(90);
    const half = (from: number): number =>
      all.slice(from, from + 60).filter(({ kind }) => kind !== 'none').length;
    expect(Math.abs(half(0) - half(60))).toBeLessThanOrEqual(4);
  });

  it('spends unused budget later', () => {
    const thrifty = month(5000, 120, 6, 0.8);
    expect(kinds(thrifty, 'whole')).toBeGreaterThan(kinds(month(5000, 120, 6), 'whole'));
  });

  it('is nothing if less than a short run is left', () => {
    const remaining = { now: BEGIN, monthEnd: END, left: 19, runsLeft: 10, whole: 120 };
    expect(allowanceOf({ ...remaining, lastRunAt: null, lastWholeAt: null })).toEqual({
      kind: 'none',
      why: 'used-up',
    });
  });

  it('never exceeds what is left, whatever the numbers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 20_000 }),
        fc.integer({ min: 20, max: 360 }),
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (limit, whole, hours, part) => {
          month(limit, whole, hours, part);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('uses most of a share if runs are large enough', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 14_400 }), (limit) => {
        const spent = month(limit, 120, 6).reduce(
          (sum, one) => sum + (one.kind === 'none' ? 0 : one.requests),
          0,
        );
        expect(spent).toBeGreaterThan(limit * 0.8 - 120);
      }),
      { numRuns: 60 },
    );
  });

  it('does not wait for a clock that was set back', () => {
    const remaining = { now: BEGIN, monthEnd: END, left: 400, runsLeft: 100, whole: 120 };
    const later = BEGIN + 20 * DAY;
    expect(allowanceOf({ ...remaining, lastRunAt: later, lastWholeAt: later }).kind).not.toBe(
      'none',
    );
  });
});

describe('the rhythm of a month', () => {
  it('never plans more than there is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 800 }),
        (left, runsLeft) => {
          const rhythm = rhythmOf({
            left,
            runsLeft,
            whole: 120,
            monthEnd: END,
            lastRunAt: null,
            lastWholeAt: null,
          });
          expect(rhythm.whole * 120 + rhythm.shallow * 20).toBeLessThanOrEqual(left);
          expect(rhythm.whole + rhythm.shallow).toBeLessThanOrEqual(Math.max(1, runsLeft));
        },
      ),
    );
  });

  it('includes retries in a full run, within the limit of the user', () => {
    expect(wholeOf('standard')).toBe(120);
    expect(wholeOf('smoke')).toBe(28);
    expect(wholeOf('full', 50)).toBe(50);
  });
});
