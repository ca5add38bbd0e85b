import { describe, expect, it } from 'vitest';
import {
  childrenSeconds,
  compare,
  further,
  medianWithin,
  rowOf,
  type Measured,
} from './figures.ts';

const measured = (requests: number, cpuSeconds: number): Measured => ({ requests, cpuSeconds });

describe('a comparison', () => {
  const pairs = [
    [measured(900, 1), measured(1000, 1)],
    [measured(400, 1), measured(500, 1)],
    [measured(2000, 2), measured(1000, 1)],
  ] as const;

  it('takes the median of the ratios of neighbours', () => {
    const comparison = compare('One', 0.9, pairs);
    expect(comparison).toMatchObject({ ratio: 0.9, ours: 900, lean: 1000, within: null });
    expect(rowOf(comparison)).toBe('| One | 900 | 1000 | **0.90** | too few pairs | 0.9 |');
  });

  it('leaves out what both runs spent at their start', () => {
    expect(further(measured(12_000, 3.5), measured(2000, 1))).toEqual(measured(10_000, 2.5));
  });

  it('says between which values the median lies', () => {
    const values = (count: number): number[] =>
      Array.from({ length: count }, (_, index) => count - index);
    expect(medianWithin(values(5))).toBeNull();
    expect(medianWithin(values(6))).toEqual([1, 6]);
    expect(medianWithin(values(9))).toEqual([2, 8]);
    expect(medianWithin(values(20))).toEqual([6, 15]);
  });

  it('reads processor time from what the shell says of its children', () => {
    expect(childrenSeconds('0m0.00s 0m0.00s\n1m2.50s 0m0.25s\n')).toBe(62.75);
    expect(() => childrenSeconds('nothing')).toThrow('measured nothing');
  });
});
