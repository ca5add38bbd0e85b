import { describe, expect, it } from 'vitest';
import { curveOf, POINTS } from './curve.ts';

describe('curveOf', () => {
  it('counts what is shown up to each budget', () => {
    const { shown, all, faults } = curveOf('one', [0, 5, 6, 20, 21, 150, null], 200);
    expect(Object.fromEntries(POINTS.map((point, index) => [point, shown[index]]))).toEqual({
      5: 2,
      10: 3,
      20: 4,
      31: 5,
      50: 5,
      75: 5,
      100: 5,
      150: 6,
      200: 6,
    });
    expect([all, faults]).toEqual([6, 7]);
  });

  it('gives 1 for a tool that shows everything before its first request, and 0 for one that shows nothing', () => {
    expect(curveOf('all', [0, 0], 10).apfd).toBe(1);
    expect(curveOf('none', [null, null], 10).apfd).toBe(0);
    expect(curveOf('half', [51, null], 100).apfd).toBe(0.25);
  });
});
