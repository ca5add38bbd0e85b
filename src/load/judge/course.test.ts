import { describe, expect, it } from 'vitest';
import { admitted, EDGE, refused } from '../../../test/load/rows.ts';
import type { LoadPlan, Row } from '../plan.ts';
import { courseOf, MOST_POINTS, stepOf } from './course.ts';

const PLAN = { recordAdmitted: true, recordEvery: 1, sampleEvery: 0 } as LoadPlan;
const at = (ms: number, change: Partial<Row> = {}): Row => admitted(ms, 0, change);

describe('the length of a step', () => {
  it.each([
    [0, 250],
    [30_000, 250],
    [30_001, 500],
    [1_800_000, 15_000],
    [36_000_000, 300_000],
    [36_000_001, 600_000],
  ])('of %i ms is %i ms', (duration, step) => {
    expect(stepOf(duration)).toBe(step);
  });
});

describe('the course of a run', () => {
  it('counts requests at their start and answers at their end', () => {
    const course = courseOf(PLAN, [at(0), at(240, { t1: EDGE + 260 }), at(600, { status: 0 })]);
    expect(course).toMatchObject({ from: EDGE, stepMs: 250, sent: [2, 0, 1], answered: [1, 1, 0] });
  });

  it('has percentiles only for steps with answers', () => {
    const rows = Array.from({ length: 100 }, (_, index) => at(0, { ms: 100 - index }));
    const course = courseOf(PLAN, [...rows, at(600, { ms: 7 })]);
    expect(course).toMatchObject({ p50: [50, null, 7], p95: [95, null, 7], p99: [99, null, 7] });
  });

  it('skips requests that only open connections, and is missing without others', () => {
    const warm = at(-5000, { key: null });
    expect(courseOf(PLAN, [warm, at(0)])?.sent).toEqual([1]);
    expect(courseOf(PLAN, [warm])).toBeUndefined();
  });

  it('weights samples in rate and percentiles', () => {
    const plan = { ...PLAN, recordEvery: 5 };
    const rows = [...Array.from({ length: 4 }, () => at(0, { ms: 1 })), refused(0, { ms: 9 })];
    expect(courseOf(plan, rows)).toMatchObject({
      every: { admitted: 1, refused: 5 },
      sent: [9],
      p50: [9],
    });
    const open = { ...PLAN, recordAdmitted: false, sampleEvery: 50 };
    expect(courseOf(open, [at(0)])).toMatchObject({ every: { admitted: 50 }, answered: [50] });
  });

  it('has a bounded number of points for runs of any length', () => {
    for (const hours of [1, 7, 48, 1000]) {
      const course = courseOf(PLAN, [at(0), at(hours * 3_600_000)]);
      expect(course?.sent.length).toBeLessThanOrEqual(MOST_POINTS);
      expect(course?.sent.reduce((sum, one) => sum + one, 0)).toBe(2);
    }
  });
});
