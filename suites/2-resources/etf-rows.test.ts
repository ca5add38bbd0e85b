import { describe, expect, it } from 'vitest';
import { findings, history, historyRows, judge, judgedOf } from '../../test/judge/etf-exchanges.ts';
import type { Row } from '../../test/judge/etf-exchanges.ts';

const rows = historyRows();
const changed = (index: number, change: Row): Row[] =>
  rows.map((row, at) => (at === index ? { ...row, ...change } : row));

describe('ticker', () => {
  it('is the requested one, in any letter case', () => {
    const judged = judgedOf(judge([history(rows, { ticker: 'ibit' })]), '2.8/ticker-echo');
    expect(judged?.findings).toEqual([]);
  });

  it('is reported if it is another one', () => {
    expect(findings(judge([history(changed(2, { ticker: 'FBTC' }))]))).toEqual([
      '2.8/ticker-echo /2/ticker',
    ]);
  });

  it('is not judged without rows', () => {
    expect(judgedOf(judge([history([])]), '2.8/ticker-echo')).toBeUndefined();
  });
});

describe('unit of currency_share', () => {
  const unit = (...shares: unknown[]): string[] =>
    judge(
      shares.map((share) => history(rows.map((row): Row => ({ ...row, currency_share: share })))),
    )
      .readings.filter(({ requirement }) => requirement === '2.8/currency-share-unit')
      .map(({ answer }) => answer);

  it('is a percentage if a value exceeds 1', () => {
    expect(unit(0.02, 3.1)).toEqual(['a percentage']);
  });

  it('is open if no value does', () => {
    expect(unit(0.02, 0.9)).toEqual(['never above 1: a fraction, or small percentages']);
  });

  it('is not read from unsettled rows', () => {
    expect(unit(null)).toEqual([]);
  });
});
