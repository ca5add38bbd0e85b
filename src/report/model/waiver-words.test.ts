import { describe, expect, it } from 'vitest';
import type { WaiverResult } from './results.ts';
import { brokenWaiver, byNeed, waiverWords } from './waiver-words.ts';

const waiver = (
  id: string,
  state: WaiverResult['state'],
  expires = '2027-01-01',
): WaiverResult => ({
  id,
  owner: 'Ada',
  reason: 'the fix ships with release 12',
  ticket: null,
  expires,
  state,
  detail: '',
});

const ALL = [
  waiver('a', 'idle'),
  waiver('b', 'applied'),
  waiver('c', 'unmatched'),
  waiver('d', 'expired'),
  waiver('e', 'applied', '2026-12-01'),
  waiver('f', 'drifted'),
];

describe('waivers in words', () => {
  it('puts those that no longer hold first', () => {
    expect(byNeed(ALL).map(({ id }) => id)).toEqual(['f', 'd', 'c', 'b', 'e', 'a']);
  });

  it('finds the broken waiver of a cause, and none that holds', () => {
    expect(brokenWaiver(ALL, ['b', 'd', 'f'])?.id).toBe('f');
    expect(brokenWaiver(ALL, ['a', 'b'])).toBeUndefined();
  });

  it('names the day', () => {
    for (const one of ALL) expect(waiverWords(one)).toContain(one.expires);
  });
});
