import { describe, expect, it } from 'vitest';
import { atMostRounded, lastDigit, sameFigure } from './decimals.ts';

describe('the last digit', () => {
  it.each([
    ['12.30', 0.01],
    [12.3, 0.1],
    [1200, 1],
    ['1.2e4', 1000],
    ['-5e-7', 1e-7],
  ])('of %j is worth %d', (value, worth) => {
    expect(lastDigit(value)).toBeCloseTo(worth, 12);
  });

  it('is undefined for anything but a figure', () => {
    expect(lastDigit('n/a')).toBeUndefined();
    expect(lastDigit(null)).toBeUndefined();
  });
});

describe('the same figure', () => {
  it.each([
    ['123456.79', 123456.7891],
    ['123456.78', 123456.7891],
    ['123457', 123456.79],
    ['1.5', 1.5],
    [0.1 + 0.2, '0.3'],
  ])('%j is %j', (a, b) => {
    expect(sameFigure(a, b)).toBe(true);
  });

  it.each([
    ['123457.79', 123456.7891],
    ['4533223', 4533222],
    [3, 3.4],
    [10.5, 10],
    ['0', 77.5],
    [null, 0],
  ])('%j is not %j', (a, b) => {
    expect(sameFigure(a, b)).toBe(false);
  });
});

describe('a figure that is at most another', () => {
  it.each([
    [100.126, 100.13],
    [100.13, 100.126],
    [0.0000123, 0.00001],
    [64001, 64000],
  ])('tolerates the rounding of %d above %d', (a, b) => {
    expect(atMostRounded(a, b)).toBe(true);
  });

  it.each([
    [100.4, 100.13],
    [12, 11],
    [2, 1],
    [64002, 64000],
  ])('does not tolerate %d above %d', (a, b) => {
    expect(atMostRounded(a, b)).toBe(false);
  });
});
