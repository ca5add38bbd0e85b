import { describe, expect, it } from 'vitest';
import { apart, linearScale, timesScale } from './load-scale.ts';
import { worstFirst } from '../model/load.ts';
import type { LoadResult } from '../model/load-results.ts';

describe('a linear scale', () => {
  it.each([
    [21, [0, 10, 20, 30]],
    [20, [0, 5, 10, 15, 20]],
    [0, [0, 0.5, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
  ])('up to %d has its marks at %j', (most, marks) => {
    expect(linearScale(most).marks).toEqual(marks);
  });

  it('has its last mark at the upper end, and stays drawable whatever it is given', () => {
    expect(linearScale(21).at(30)).toBe(1);
    for (const most of [Number.POSITIVE_INFINITY, Number.NaN, -5, 1e300, 1e-300]) {
      const scale = linearScale(most);
      expect(scale.marks.length).toBeLessThan(7);
      expect(scale.at(most)).toBeLessThanOrEqual(1);
    }
  });
});

describe('a scale of times', () => {
  it('is linear for times of one size and logarithmic where small ones would vanish', () => {
    expect(timesScale([10, 40, 190]).kind).toBe('linear');
    const wide = timesScale([2, 40, 900]);
    expect(wide.kind).toBe('logarithmic');
    expect(wide.marks).toEqual([1, 10, 100, 1000]);
    expect(wide.at(10)).toBeCloseTo(1 / 3);
  });

  it('takes nothing, nought and what is no time', () => {
    for (const times of [[], [0], [0, 5000], [Number.POSITIVE_INFINITY, 1]]) {
      const scale = timesScale(times);
      expect(scale.marks.length).toBeLessThan(20);
      for (const time of times) {
        expect(scale.at(time)).toBeGreaterThanOrEqual(0);
        expect(scale.at(time)).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('labels at the ends of lines', () => {
  it('stay where they are when they have room', () => {
    expect(apart([10, 50, 30], 12, [0, 100])).toEqual([10, 50, 30]);
  });

  it('move apart, in their order, and not beyond the ends', () => {
    expect(apart([50, 51, 52], 12, [0, 100])).toEqual([50, 62, 74]);
    expect(apart([100, 99, 98], 12, [0, 100])).toEqual([100, 88, 76]);
    expect(apart([0, 0], 12, [5, 100])).toEqual([5, 17]);
  });
});

describe('scenarios', () => {
  it('come with the worst first, and keep their number', () => {
    const outcomes = ['passed', 'warned', 'failed', 'passed', 'inconclusive'];
    const load = outcomes.map((outcome) => ({ outcome }) as unknown as LoadResult);
    expect(worstFirst(load).map(({ index }) => index)).toEqual([2, 4, 1, 0, 3]);
  });
});
