import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../spec/exchange.ts';
import { coverageOf, coverageWords, readCoverage } from './variety.ts';

const exchange = (
  endpoint: Exchange['endpoint'],
  query: Exchange['request']['query'],
  more: { path?: Record<string, string>; status?: number } = {},
): Exchange => ({
  id: 'x1',
  endpoint,
  pathParameters: more.path ?? {},
  role: 'valid',
  key: null,
  request: { method: 'GET', url: '', path: '', query, headers: {} },
  response: { status: more.status ?? 200, headers: {}, text: '', bytes: 0 },
  error: null,
  sentAt: 0,
  receivedAt: 0,
  skewMs: 0,
  attempt: 1,
});

describe('what was looked at', () => {
  it('is what good answers were given about', () => {
    const coverage = coverageOf(
      [
        exchange('/currencies/{currency_id}', [], { path: { currency_id: 'a' } }),
        exchange('/currencies/{currency_id}', [], { path: { currency_id: 'z' }, status: 404 }),
        exchange('/news', [['category', '7']]),
        exchange('/news/featured', [
          ['language', 'ja'],
          ['category', '3,4'],
          ['page', '2'],
        ]),
      ],
      { currencyIds: ['a', 'b'] },
    );
    expect(coverage['currencyIds']).toEqual({ at: ['a'], of: ['a', 'b'] });
    expect(coverage['languages']?.at).toEqual(['en', 'ja']);
    expect(coverage['categories']?.at).toEqual(['7', '3', '4']);
    expect(coverage['pages']).toEqual({ at: ['2'], of: [] });
    expect(coverage['etfTickers']).toBeUndefined();
    expect(coverageWords(coverage)).toBe('1 of 2 currencies, 2 of 10 languages, 3 of 6 categories');
  });

  it.each([null, {}, { looked: 7 }, { looked: { currencyIds: 'a', other: { at: [] } } }])(
    'is nothing that %j would say',
    (content) => {
      expect(readCoverage(content)).toEqual({});
    },
  );

  it('keeps only texts of what anyone may have written', () => {
    expect(readCoverage({ looked: { pages: { at: ['1', 2, null] } } })).toEqual({
      pages: { at: ['1'], of: [] },
    });
  });
});
