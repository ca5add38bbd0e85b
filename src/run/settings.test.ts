import { describe, expect, it } from 'vitest';
import { TARGET_DEFAULTS, type Target } from '../target/target.ts';
import { fixturesOf, settingsOf } from './settings.ts';

const settings = (fixtures: Target['fixtures']) =>
  settingsOf({
    target: { ...TARGET_DEFAULTS, baseUrl: 'http://127.0.0.1', keys: { valid: ['k'] }, fixtures },
    only: [],
    skip: [],
    maxRequests: null,
    path: null,
  });

describe('the settings of a run', () => {
  it.each<[string, Target['fixtures']]>([
    ['no fixtures', {}],
    ['lists and single ones', { etfTickers: ['IBIT', 'FBTC'], unknownCurrencyId: '999' }],
    ['unknown identifiers', { unknownIds: { ticker: 'NOPE', event: 'none' }, exchanges: ['a'] }],
  ])('give back the fixtures of the target file: %s', (_, fixtures) => {
    expect(fixturesOf(settings(fixtures))).toEqual(fixtures);
  });

  it('keep every unknown identifier under a separate name', () => {
    expect(settings({ unknownIds: { ticker: 'NOPE' } }).fixtures).toEqual({
      'unknownIds.ticker': 'NOPE',
    });
  });
});
