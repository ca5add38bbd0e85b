import { describe, expect, it } from 'vitest';
import {
  exchange,
  findings,
  history,
  historyRows,
  judge,
  judgedOf,
} from '../../test/judge/etf-exchanges.ts';
import type { Row } from '../../test/judge/etf-exchanges.ts';

const rows = historyRows();
const changed = (index: number, change: Row): Row[] =>
  rows.map((row, at) => (at === index ? { ...row, ...change } : row));
const numbers = rows.map((row): Row => ({ ...row, volume: 123 }));

describe('volume', () => {
  it('may be a string that repeats the turnover', () => {
    const judgement = judge([history(rows)]);
    expect(judgedOf(judgement, '4.4/volume-equals-turnover')?.findings).toEqual([]);
    expect(judgement.readings).toContainEqual(
      expect.objectContaining({ requirement: '4.4/volume-reading', answer: 'string' }),
    );
  });

  it('may be any number', () => {
    const judgement = judge([history(numbers)]);
    expect(judgedOf(judgement, '4.4/volume-equals-turnover')?.findings).toEqual([]);
    expect(judgement.readings).toContainEqual(
      expect.objectContaining({ requirement: '4.4/volume-reading', answer: 'number' }),
    );
  });

  it('is reported as a string that differs in one row', () => {
    const judgement = judge([history(changed(6, { volume: '1006.5' }))]);
    expect(findings(judgement)).toEqual(['4.4/volume-equals-turnover /6/volume']);
  });

  it('may have more digits', () => {
    const written = rows.map((row): Row => ({ ...row, volume: `${String(row['volume'])}000` }));
    expect(findings(judge([history(written)]))).toEqual([]);
  });

  it('may be rounded', () => {
    const [first, ...rest] = rows;
    const exact = { ...first, value_traded: 123_456.7891, volume: '123456.79' };
    expect(findings(judge([history([exact, ...rest])]))).toEqual([]);
    const other = { ...exact, volume: '123457.79' };
    expect(findings(judge([history([other, ...rest])]))).toEqual([
      '4.4/volume-equals-turnover /0/volume',
    ]);
  });

  it('is reported as a number equal to the turnover', () => {
    const turnover = rows.map((row): Row => ({ ...row, volume: Number(row['volume']) }));
    expect(findings(judge([history(turnover)]))).toEqual(['4.4/volume-of-shares /0/volume']);
    // A day or two prove nothing.
    expect(
      judgedOf(judge([history(turnover.slice(0, 2))]), '4.4/volume-of-shares'),
    ).toBeUndefined();
  });

  it("is left to the field's rule if it is not a decimal", () => {
    expect(findings(judge([history(changed(3, { volume: '$1' }))]))).toEqual([]);
  });
});

describe('volume of a snapshot', () => {
  const found = (body: unknown, list: readonly Row[] = rows, ticker = 'IBIT') =>
    judgedOf(
      judge([
        exchange(body, { endpoint: '/etfs/{ticker}/market-snapshot', ticker }),
        history(list),
      ]),
      '4.4/snapshot-volume',
    )?.findings.map(({ pointer }) => pointer);

  it('is not the turnover of a day', () => {
    expect(found({ volume: 41_000 })).toEqual([]);
    expect(found({ volume: 1003.5 })).toEqual(['/volume']);
    expect(found({ volume: '1003.50' }, rows, 'ibit')).toEqual(['/volume']);
  });

  it('may be close to it, or equal by chance with few digits', () => {
    expect(found({ volume: 1003.6 })).toEqual([]);
    expect(found({ volume: '1.00e3' })).toEqual([]);
    // Turnover is small in the first hours of a day.
    expect(found({ volume: 77.5 })).toEqual([]);
  });

  it('is compared only with rows of the same ETF, and only if it is a figure', () => {
    expect(found({ volume: 1003.5 }, rows, 'FBTC')).toBeUndefined();
    expect(found({ volume: 1003.5 }, [])).toBeUndefined();
    expect(found({ volume: 77.5 }, rows.slice(0, 1))).toBeUndefined();
    expect(found({ volume: null })).toBeUndefined();
    expect(found({ day: { volume: 1003.5 } })).toBeUndefined();
    expect(found([{ volume: 1003.5 }])).toBeUndefined();
  });
});
