import { describe, expect, it } from 'vitest';
import type { Facts } from '../judge/facts.ts';
import { factsOf } from './facts-of.ts';

/** Every fact that a run can write; the type requires new ones here. `partial` is set by the reader, never by a file. */
const ALL: Required<Omit<Facts, 'partial' | 'load'>> = {
  limits: { requests: 5, windowMs: 1500, monthlyQuota: 100 },
  envelope: 'data',
  unknownIds: { currency_id: ['1'], path: ['/none'] },
  malformedCurrencyIds: ['x y'],
  doubtfulIds: { ticker: ['T'] },
  discoveredIds: { currency_id: ['c-ETH'] },
  quotaLeft: 3,
  quotaUnseen: 1,
  earlierRows: [{ ticker: 'T', date: '2026-09-08', seenAt: 5, run: '2026-09-08T15:00:00.000Z' }],
  clockTold: true,
  forbidden: ['/analyses'],
  exchanges: ['gdax'],
};

describe('the facts of a recorded run', () => {
  it('are all read back', () => {
    expect(factsOf(JSON.parse(JSON.stringify(ALL)))).toEqual(ALL);
  });

  it.each([
    ['no facts', undefined],
    ['no limits', { ...ALL, limits: {} }],
    ['a window of no length', { ...ALL, limits: { ...ALL.limits, windowMs: 0 } }],
    ['an envelope that is no name', { ...ALL, envelope: 5 }],
  ])('are none with %s', (_what, value) => {
    expect(factsOf(value)).toBeNull();
  });
});
