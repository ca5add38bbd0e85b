import { describe, expect, it } from 'vitest';
import type { Context } from './hooks.ts';
import { drop, edit, inLowerCase, inMixedCase, oneRowIn, put } from './vocabulary.ts';
import { decimalText } from './choices/figures.ts';
import { WORLD } from '../../test/kept/data.ts';

const context: Context = {
  method: 'GET',
  endpoint: '/news',
  path: {},
  query: new Map([
    ['upper', 'BTC'],
    ['lower', 'btc'],
    ['mixed', 'Btc'],
    ['digits', '12'],
  ]),
  now: 0,
  apiKey: undefined,
  rawHeaders: [],
  key: undefined,
  admission: undefined,
  window: 0,
  world: WORLD,
};
const record = { a: 1, rows: [{ b: 2, c: 'x' }, { c: 'y' }] };

describe('record edits', () => {
  it('drop, set and map pointers, also inside arrays', () => {
    expect(drop('/a')(record, context, 0)).toEqual({ rows: record.rows });
    expect(put('/a', null)(record, context, 0)).toMatchObject({ a: null });
    expect(drop('/rows/*/b')(record, context, 0)).toEqual({ a: 1, rows: [{ c: 'x' }, { c: 'y' }] });
    expect(edit('/rows/*/c', () => 'z')(record, context, 0)['rows']).toEqual([
      { b: 2, c: 'z' },
      { c: 'z' },
    ]);
    expect(drop('/missing/x')(record, context, 0)).toEqual(record);
    expect(record).toEqual({ a: 1, rows: [{ b: 2, c: 'x' }, { c: 'y' }] });
  });

  it('touch one row of a group', () => {
    const change = oneRowIn(3, drop('/a'));
    expect([0, 1, 2, 3].map((index) => 'a' in change(record, context, index))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('conditions', () => {
  it('tell cases apart', () => {
    const cases = ['upper', 'lower', 'mixed', 'digits', 'absent'];
    expect(cases.filter((name) => inLowerCase(name)(context))).toEqual(['lower']);
    expect(cases.filter((name) => inMixedCase(name)(context))).toEqual(['mixed']);
  });
});

describe('decimalText', () => {
  it.each([
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [-2.5e-9, '-0.0000000025'],
    [1e21, '1000000000000000000000'],
    [0, '0'],
  ])('writes %d without an exponent', (value, text) => {
    expect(decimalText(value)).toBe(text);
  });
});
