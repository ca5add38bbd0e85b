import { describe, expect, it } from 'vitest';
import {
  findings,
  judge,
  judgedOf,
  NOW,
  summary,
  summaryRows,
} from '../../test/judge/etf-exchanges.ts';
import type { Row } from '../../test/judge/etf-exchanges.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import { DAY } from '../../src/spec/time.ts';

const rows = summaryRows();
const upper = summary(rows);
const lowerSymbol = (body: unknown) => summary(body, { symbol: 'bTc' });

describe('letter case', () => {
  it.each([
    [{ symbol: 'btc' }, ['4.3/symbol-case']],
    [{ country_code: 'Us' }, ['4.3/country-case']],
    [{ symbol: 'Btc', country_code: 'us' }, ['4.3/symbol-case', '4.3/country-case']],
  ] as const)('%j is compared with upper case', (query, ids) => {
    const judgement = judge([upper, summary(rows, query)]);
    expect(findings(judgement)).toEqual([]);
    for (const id of ['4.3/symbol-case', '4.3/country-case'] as const) {
      expect(judgedOf(judgement, id) !== undefined).toBe(ids.some((one) => one === id));
    }
  });

  it('is reported with figures of another list', () => {
    const other = rows.map((row): Row => ({ ...row, total_net_assets: 1 }));
    expect(findings(judge([upper, lowerSymbol(other)]))).toEqual([
      '4.3/symbol-case /2/total_net_assets',
    ]);
  });

  it('is not judged where another letter case returns the rows of another pair', () => {
    const mixedUp = judge([summary(rows, { symbol: 'Sol' }), summary(rows, { symbol: 'doge' })]);
    expect(findings(mixedUp)).toContain('4.3/own-rows /2');
    expect(judgedOf(mixedUp, '4.3/symbol-case')).toBeUndefined();
  });

  it('is reported for a single row', () => {
    const other = rows.map((row, i): Row => (i === 7 ? { ...row, total_value_traded: 3 } : row));
    expect(findings(judge([lowerSymbol(other), upper]))).toEqual([
      '4.3/symbol-case /7/total_value_traded',
    ]);
  });

  it('is reported without rows, or with a missing row', () => {
    expect(findings(judge([upper, lowerSymbol([])]))).toContain('4.3/symbol-case ');
    const less = rows.filter((_row, index) => index !== 4);
    expect(findings(judge([upper, lowerSymbol(less)]))).toContain('4.3/symbol-case ');
  });

  it('tolerates the forms of a decimal', () => {
    const text = rows.map((row): Row => ({
      ...row,
      total_net_assets: String(row['total_net_assets']),
    }));
    expect(findings(judge([upper, lowerSymbol(text)]))).toEqual([]);
  });

  it('tolerates a new day, a day that left the window, and changes of the newest days', () => {
    const [newest, ...older] = rows;
    const moved = [{ ...newest, date: '2026-01-07' }, { ...newest, total_net_assets: 5 }, ...older];
    const later = summary(moved.slice(0, -1), { symbol: 'btc' }, { at: NOW + DAY });
    const judgement = judge([upper, later]);
    expect(judgedOf(judgement, '4.3/symbol-case')?.findings).toEqual([]);
  });

  it('is compared only with the same limit and range', () => {
    const other = rows.slice(0, 4).map((row): Row => ({ ...row, total_net_assets: 1 }));
    const judgement = judge([upper, summary(other, { symbol: 'btc', limit: '4' })]);
    expect(judgedOf(judgement, '4.3/symbol-case')?.findings).toEqual([]);
  });
});

describe('the plain request', () => {
  it('shows that BTC is listed in US', () => {
    expect(judgedOf(judge([upper]), '4.3/listed')?.findings).toEqual([]);
  });

  it('is reported if it is refused as unlisted', () => {
    const refused = summary({ code: 400001, message: '', details: {} }, {}, { status: 400 });
    expect(findings(judge([refused]))).toEqual(['4.3/listed ']);
  });
});

describe('a listed pair in another letter case', () => {
  const error = (code: number) => ({ code, message: 'Unsupported ETF category', details: {} });
  const asked = (body: unknown, status: number) =>
    judge([summary(body, { symbol: 'eth' }, { status })]);

  it('confirms the listing', () => {
    expect(judgedOf(asked(rows, 200), '4.3/listed')?.findings).toEqual([]);
  });

  it.each([400001, 40001])('is reported if it is refused with %d', (code) => {
    expect(findings(asked(error(code), 400))).toEqual(['4.3/listed ']);
  });

  it.each(['symbol', 'country'])(
    'is refused for its %s only where the same pair is accepted in upper case',
    (name) => {
      const id = `4.3/${name}-case` as RequirementId;
      const spelled = name === 'symbol' ? { symbol: 'dot' } : { symbol: 'DOT', country_code: 'us' };
      const message = 'Unsupported ETF category: symbol=DOT, country_code=US';
      const own = { field: name === 'symbol' ? 'symbol' : 'country_code' };
      const refused = summary({ code: 400001, message, details: own }, spelled, { status: 400 });
      const invalid = summary({ code: 400003, message, details: own }, spelled, { status: 400 });
      const other = summary(rows, { symbol: 'SOL' });
      expect(judgedOf(judge([refused, other]), id)).toBeUndefined();
      expect(judgedOf(judge([refused, other]), '4.3/listed')?.findings).toHaveLength(1);
      const listed = summary(rows, { symbol: 'DOT' });
      expect(judgedOf(judge([refused, listed]), id)?.findings).toHaveLength(1);
      expect(judgedOf(judge([invalid, other]), id)?.findings).toHaveLength(1);
    },
  );

  it('is inconclusive if refused for another reason', () => {
    expect(judgedOf(asked(error(400003), 400), '4.3/listed')).toBeUndefined();
    expect(judgedOf(asked(error(402901), 429), '4.3/listed')).toBeUndefined();
  });

  it('is ignored if it is unlisted', () => {
    const refused = summary(error(400001), { symbol: 'ltc', country_code: 'hk' }, { status: 400 });
    expect(judgedOf(judge([refused]), '4.3/listed')).toBeUndefined();
  });
});
