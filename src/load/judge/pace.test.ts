import { describe, expect, it } from 'vitest';
import { admitted, EDGE } from '../../../test/load/rows.ts';
import type { LoadPlan, Row } from '../plan.ts';
import { kneeOf, paceOf } from './pace.ts';

const second = (due: number, p95: number, sent = due): Parameters<typeof kneeOf>[0][number] => ({
  due,
  sent,
  p95,
});

describe('kneeOf', () => {
  it('is the last rate before answers got slow', () => {
    expect(kneeOf([second(100, 4), second(200, 5), second(300, 6), second(400, 90)])).toBe(300);
  });

  it('is the last rate that could be sent', () => {
    expect(kneeOf([second(100, 4), second(200, 5), second(300, 6, 150)])).toBe(200);
  });

  it('does not exist while answers stay fast', () => {
    expect(kneeOf([second(100, 4), second(200, 5), second(300, 19)])).toBeNull();
  });
});

describe('notePace', () => {
  const row = (phase: string, at: number, ms: number): Row =>
    admitted(at, 1, { phase, ms, t1: EDGE + at + ms });
  const noted = (ms: number): string[] => {
    const range = Array.from({ length: 10 }, (_, index) => index);
    const rows = [
      ...range.map((index) => row('steady', index * 100, 4)),
      row('flood', 2000, 4),
      ...range.map((index) => row('steady', 2000 + index * 100, ms)),
    ];
    return paceOf({ scenario: 'rl-isolation', shape: {} } as LoadPlan, rows);
  };

  it('compares the key during a flood with the same key alone', () => {
    expect(noted(5)).toEqual([
      'p95 for the key during the flood: 5.0 ms; without the flood: 4.0 ms.',
    ]);
    expect(noted(40)).toEqual([expect.stringContaining('10.0 times slower')]);
  });
});
