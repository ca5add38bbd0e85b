import { describe, expect, it } from 'vitest';
import {
  candles,
  found,
  judged,
  klines,
  macro,
  readings,
  weeks,
} from '../../test/judge/parameter-exchanges.ts';

const all = candles(90);

describe('order of candles', () => {
  it.each([
    ['oldest first', all],
    ['newest first', all.toReversed()],
  ])('may be %s', (answer, rows) => {
    expect(found([klines(rows)])).toEqual([]);
    expect(judged([klines(rows)])).toContain('4.1/klines-one-order');
    expect(readings([klines(rows)])).toContain(`Order of candles of a currency: ${answer}`);
  });

  it('is reported if two candles are swapped', () => {
    const [a, b] = [all[40], all[41]];
    const swapped = all.toSpliced(40, 2, ...(a && b ? [b, a] : []));
    expect(found([klines(swapped)])).toEqual(['4.1/klines-one-order /41/timestamp']);
    expect(readings([klines(swapped)])).toContain('Order of candles of a currency: mixed');
  });

  it('is reported if a candle is repeated', () => {
    expect(found([klines([...all, ...all.slice(-1)])])).toEqual([
      '4.1/klines-one-order /91/timestamp',
    ]);
  });

  it('records which end a limit keeps', () => {
    const most = klines(all, { limit: 500 });
    const question = 'Which end of a list `limit` keeps: candles of a currency';
    expect(readings([most, klines(all.slice(-5), { limit: 5 })])).toContain(
      `${question}: the newest`,
    );
    expect(readings([most, klines(all.slice(0, 5), { limit: 5 })])).toContain(
      `${question}: the oldest`,
    );
  });

  it('is recorded for macro rows', () => {
    expect(readings([macro(weeks(9))])).toContain('Order of macro rows: newest first');
    expect(readings([macro(weeks(9).toReversed())])).toContain('Order of macro rows: oldest first');
  });
});
