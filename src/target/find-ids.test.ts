import * as fc from '../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { findIdLists, findIds } from './find-ids.ts';

describe('findIds', () => {
  it.each([
    ['a bare array', [{ currency_id: 'a' }, { currency_id: 'b' }]],
    ['list', { list: [{ currency_id: 'a' }, { currency_id: 'b' }], total: 2 }],
    ['data', { code: 0, message: 'ok', data: [{ currencyId: 'a' }, { currencyId: 'b' }] }],
    ['data.list', { data: { list: [{ id: 'a' }, { id: 'b' }], page: 1 } }],
    ['an unusual wrapper', { currencies: [{ id: 'a' }, { id: 'b' }] }],
    ['strings', ['a', 'b']],
    ['repeats', [{ id: 'a' }, { id: 'b' }, { id: 'a' }]],
    [
      'groups',
      [
        { group: 1, members: [{ id: 'a' }] },
        { group: 2, members: [{ id: 'b' }] },
      ],
    ],
    ['junk beside records', [null, { id: 'a' }, 7, { id: '' }, { id: { x: 1 } }, { id: 'b' }]],
  ])('finds ids in %s', (_, body) => {
    expect(findIds('currencyIds', body)).toEqual(['a', 'b']);
  });

  it('prefers the most specific field name', () => {
    const record = { id: 7, symbol: 'BTC', ticker: 'IBIT', name: 'Trust' };
    expect(findIds('etfTickers', [record])).toEqual(['IBIT']);
    expect(findIds('projectIds', [{ id: 1, project_id: 'p1' }])).toEqual(['p1']);
    expect(findIds('chartNames', [{ chart_name: 'c', fields: [{ name: 'x' }] }])).toEqual(['c']);
  });

  it('skips a name that records share, such as the asset of an ETF', () => {
    const records = [
      { symbol: 'BTC', code: 'IBIT' },
      { symbol: 'BTC', code: 'FBTC' },
    ];
    expect(findIds('etfTickers', records)).toEqual(['IBIT', 'FBTC']);
    const events = [{ event: 'CPI' }, { event: 'CPI' }, { event: 'GDP' }];
    expect(findIds('macroEvents', events)).toEqual(['CPI', 'GDP']);
  });

  it('returns alternative names of records', () => {
    const sectors = [
      { name: 'Mining Companies', slug: 'mining', id: 1 },
      { name: 'Exchanges', slug: 'exchanges', id: 2 },
    ];
    expect(findIdLists('sectorNames', sectors)).toEqual([
      ['Mining Companies', 'Exchanges'],
      ['1', '2'],
      ['mining', 'exchanges'],
    ]);
    expect(findIdLists('sectorNames', [])).toEqual([]);
  });

  it('does not mistake ids of parts for ids of records', () => {
    const body = [{ id: 'a', sector: [{ id: 's1', name: 'DeFi' }] }];
    expect(findIds('currencyIds', body)).toEqual(['a']);
  });

  it('does not mistake siblings of the list for the list', () => {
    expect(findIds('sectorNames', { tags: ['x'], list: [{ name: 'Mining' }] })).toEqual(['Mining']);
  });

  it('finds event names grouped by date', () => {
    const strings = [
      { date: '2026-01-02', events: ['CPI', 'GDP'] },
      { date: '2026-01-01', events: ['CPI'] },
    ];
    expect(findIds('macroEvents', strings)).toEqual(['CPI', 'GDP']);
    const objects = { data: [{ date: '2026-01-02', events: [{ event: 'CPI' }] }] };
    expect(findIds('macroEvents', objects)).toEqual(['CPI']);
  });

  it('accepts only safe integers as numeric ids', () => {
    expect(findIds('currencyIds', [{ id: 12 }, { id: 1.5 }, { id: 2 ** 60 }])).toEqual(['12']);
  });

  it('returns at most the first fifty', () => {
    const body = Array.from({ length: 80 }, (_, id) => ({ id: `c${id}` }));
    const found = findIds('currencyIds', body);
    expect(found).toHaveLength(50);
    expect(found[0]).toBe('c0');
  });

  it.each([undefined, null, 0, '', 'text', {}, [], { list: [] }, { error: { code: 1 } }])(
    'finds nothing in %j',
    (body) => {
      expect(findIds('currencyIds', body)).toEqual([]);
    },
  );

  it('accepts any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        for (const id of findIds('sectorNames', body)) expect(id.trim()).not.toBe('');
      }),
    );
  });
});
