import { describe, expect, it } from 'vitest';
import {
  candles,
  daysAgo,
  exchange,
  klines,
  KLINES,
  refusal,
} from '../../test/judge/parameter-exchanges.ts';
import type { Exchange } from '../spec/exchange.ts';
import { DEFAULT_FACTS } from './facts.ts';
import { judgeAll } from '../requirements/judging.ts';

const plain = klines(candles(90));
const range = { start_time: daysAgo(60), end_time: daysAgo(40), limit: 5 };
const seconds = {
  start_time: daysAgo(60) / 1000,
  end_time: daysAgo(40) / 1000,
  limit: 5,
};
const found = (...exchanges: Exchange[]): string[] =>
  (judgeAll(exchanges, DEFAULT_FACTS).requirements.get('4.1/klines-range')?.findings ?? []).map(
    ({ message }) => message,
  );

describe('a range of currency candles', () => {
  it('may be read in seconds', () => {
    const inSeconds = klines(candles(44, 40), seconds);
    expect(found(plain, klines([], range), inSeconds)).toEqual([]);
    const late = klines(candles(90), { interval: '1d', end_time: daysAgo(40) });
    expect(found(plain, late, inSeconds)).toEqual([]);
    const refused = exchange(KLINES, refusal(), { query: range, status: 400 });
    expect(found(plain, refused, inSeconds)).toEqual([]);
  });

  it('is judged in seconds as well', () => {
    expect(found(plain, klines([], range), klines(candles(90), seconds))).toHaveLength(1);
  });

  it('is in milliseconds if those return candles, or if nothing does', () => {
    expect(found(plain, klines([], range), klines([], seconds))).toHaveLength(1);
    const longAgo = klines([], { interval: '1d', end_time: 1_999_999_981 });
    expect(found(plain, klines(candles(60, 40), range), longAgo)).toEqual([]);
    const ignored = klines(candles(90), range);
    expect(found(plain, ignored, klines(candles(44, 40), seconds))).toHaveLength(1);
  });
});
