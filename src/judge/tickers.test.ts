import { expect, it } from 'vitest';
import { isSameTicker } from './tickers.ts';

it.each([
  ['IBIT', 'ibit'],
  ['3042', '3042.HK'],
  ['NASDAQ:MSTR', 'MSTR'],
  ['BRK.B', 'BRK.B:US'],
])('%s is %s', (a, b) => {
  expect(isSameTicker(a, b)).toBe(true);
  expect(isSameTicker(b, a)).toBe(true);
});

it.each([
  ['IBIT', 'IBITX'],
  ['IBIT', 'FBTC'],
  ['IBIT', ''],
  ['3042', '3043.HK'],
  ['BIT', 'IBIT'],
])('%s is not %s', (a, b) => {
  expect(isSameTicker(a, b)).toBe(false);
});
