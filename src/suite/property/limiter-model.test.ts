import { describe, expect, it } from 'vitest';
import { FakeSession } from '../../../test/property/fake-session.ts';
import { LimiterModel, type Counted } from './limiter-model.ts';

const START = 1_700_000_000_000;
const exchange = await new FakeSession().send('/analyses', {});

/** A request of key 0 that was admitted, `at` ms after the start of a window of a minute. */
const request = (at: number, changes: Partial<Counted> = {}): Counted => ({
  key: 0,
  from: START + at,
  to: START + at + 2,
  outcome: 'admitted',
  reset: START + 60_000,
  remaining: null,
  exchange,
  ...changes,
});
const refused = (at: number, changes: Partial<Counted> = {}): Counted =>
  request(at, { outcome: 'refused', ...changes });
const many = (count: number, at: number, changes: Partial<Counted> = {}): Counted[] =>
  Array.from({ length: count }, (_, index) => request(at + index, changes));

function model(alone = true, timed = true, shared = false): LimiterModel {
  return new LimiterModel({ requests: 5, windowMs: 60_000, toleranceMs: 50, alone, timed, shared });
}
const found = (one: LimiterModel, batch: readonly Counted[]): string | undefined =>
  one.judge(batch).finding?.requirement;

describe('the model of the limiter', () => {
  it('lets the limit through and takes either answer to the next request', () => {
    const one = model();
    expect(one.judge(many(5, 0))).toEqual({ judged: ['8/limit-not-early'], finding: null });
    expect(one.judge([refused(10)])).toMatchObject({ judged: ['8/limit-enforced'], finding: null });
    expect(one.admittedInWindow(0)).toBe(5);
  });

  it('finds one too many before one announced reset', () => {
    const one = model();
    one.judge(many(5, 0));
    expect(one.judge([request(10)]).finding).toMatchObject({
      requirement: '8/limit-enforced',
      actual: '6 admitted',
    });
  });

  it('takes more than the limit where two windows meet, and not more than both hold', () => {
    const silent = { reset: null };
    const one = model();
    expect(found(one, many(10, 0, silent))).toBeUndefined();
    expect(found(one, many(1, 20, silent))).toBe('8/limit-enforced');
  });

  it('finds a refusal within the limit', () => {
    const one = model();
    one.judge(many(3, 0));
    expect(found(one, [refused(10)])).toBe('8/limit-not-early');
  });

  it('takes an early refusal where somebody else was seen to use the keys', () => {
    const one = model(false, true, true);
    one.judge(many(3, 0));
    one.judge(many(4, 20, { key: 1 }));
    expect(found(one, [request(40, { remaining: 1 }), refused(40)])).toBeUndefined();
  });

  it('counts refused requests either way', () => {
    const one = model();
    one.judge(many(5, 0));
    one.judge([refused(10, { reset: START + 60_000 })]);
    // Five admitted and one refused lie within one window length: a sliding window may count any of them.
    expect(found(one, [refused(59_000)])).toBeUndefined();
  });

  it('finds a key that is refused again after the announced reset', () => {
    const one = model();
    one.judge(many(5, 0));
    one.judge([refused(10)]);
    expect(found(one, [refused(60_200, { reset: START + 120_000 })])).toBe('8/reset');
  });

  it('knows when other keys are the reason', () => {
    const one = model();
    one.judge(many(5, 0, { key: 1 }));
    expect(found(one, [refused(20)])).toBe('8/per-key');
  });

  it('says nothing when a refusal may have either reason', () => {
    const one = model();
    one.judge([...many(1, 0, { key: 1 })]);
    one.judge(many(4, 10));
    expect(found(one, [refused(20)])).toBeUndefined();
  });

  it('says nothing on a live target whose figures show requests of others, or nothing at all', () => {
    for (const remaining of [0, null]) {
      const one = model(false);
      one.judge([request(0, { remaining })]);
      expect(found(one, [refused(10)])).toBeUndefined();
    }
    const ours = model(false);
    ours.judge([request(0, { remaining: 4 })]);
    expect(found(ours, [refused(10)])).toBe('8/limit-not-early');
  });

  it('takes errors and silence for requests that may have counted', () => {
    const one = model();
    one.judge(many(5, 0, { outcome: 'unclear', reset: null }));
    expect(found(one, [refused(20)])).toBeUndefined();
    expect(one.judge([])).toEqual({ judged: [], finding: null });
  });
});
