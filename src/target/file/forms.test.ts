import { describe, expect, it } from 'vitest';
import { byForm } from './forms.ts';

describe('identifiers by form', () => {
  it('start with those that are written unlike the first ones', () => {
    const ids = ['IBIT', 'FBTC', 'GBTC', 'ETH', '3042.HK', 'Digital assets', 'AT&T', 'A/B', 'Übü'];
    expect(byForm(ids, 2)).toEqual([
      'IBIT',
      'FBTC',
      'Übü',
      'Digital assets',
      '3042.HK',
      'AT&T',
      'A/B',
      'GBTC',
      'ETH',
    ]);
  });

  it('list the longest and the shortest when forms do not differ', () => {
    expect(byForm(['TOP10', 'MAJOR7', 'DEFI', 'AI', 'GAMEFI12'], 2)).toEqual([
      'TOP10',
      'MAJOR7',
      'GAMEFI12',
      'AI',
      'DEFI',
    ]);
  });

  it('show a plus sign rather than another character to encode', () => {
    expect(byForm(['one', 'two', 'r&d', 'six', 'a+b'], 2)).toEqual([
      'one',
      'two',
      'a+b',
      'r&d',
      'six',
    ]);
  });

  it('stay unchanged when all are written alike', () => {
    expect(byForm(['11', '22', '33', '44'], 2)).toEqual(['11', '22', '33', '44']);
    expect(byForm([], 2)).toEqual([]);
    expect(byForm(['one'], 2)).toEqual(['one']);
  });
});
