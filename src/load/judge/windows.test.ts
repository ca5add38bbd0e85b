import { describe, expect, it } from 'vitest';
import type { LoadPlan } from '../plan.ts';
import type { LoadWindow } from '../../report/model/load-results.ts';
import { admitted as row } from '../../../test/load/rows.ts';
import type { KeyedRow } from './keyed.ts';
import { keepWindows, windowsOf, WINDOWS_KEPT } from './windows.ts';

const window = (from: number, admitted: number, refused = 40): LoadWindow => ({
  key: 'k:1',
  resetAt: null,
  from,
  to: from + 10,
  admitted,
  refused,
  remaining: [],
});
/** The answers in one window of a key, which `from` tells apart from others. */
const answers = (from: number, admitted: number, refused = 40): KeyedRow[] =>
  Array.from({ length: admitted + refused }, (_, index) => ({
    ...row(0, 0),
    key: 0,
    status: index < admitted ? 200 : 429,
    reset: null,
    t0: from,
    t1: from + 10,
  }));

describe('a window', () => {
  const all = [
    answers(100, 21),
    answers(200, 20),
    answers(300, 19),
    answers(400, 19, 0),
    answers(0, 19),
  ];
  const marks = (windows: typeof all, ...violated: readonly string[]): unknown[] =>
    windowsOf(
      windows.flat(),
      {
        limit: 20,
        freshAt: 0,
        windowMs: 100,
        notBefore: 100,
      } as LoadPlan,
      violated.map((id) => ({ id, outcome: 'failed' })),
      (key) => `k:${key}`,
    ).map(({ wrong }) => wrong);

  it('is not marked by its count alone', () => {
    expect(marks(all)).toEqual(all.map(() => undefined));
    expect(marks(all, '8/reset')).toEqual(all.map(() => undefined));
  });

  it('is marked with more than the limit if that requirement is violated', () => {
    expect(marks(all, '8/limit-enforced')).toEqual(['more', ...all.slice(1).map(() => undefined)]);
  });

  it.each(['8/limit-not-early', '8/per-key'])(
    'is wrong with fewer when it was fresh, refused something, and %s is violated',
    (id) => {
      expect(marks(all, id)).toEqual([undefined, undefined, 'fewer', undefined, undefined]);
    },
  );
});

describe('the windows kept', () => {
  const right = Array.from({ length: 300 }, (_, index) => window(index, 20));

  it('are all if there are few', () => {
    expect(keepWindows(right.slice(0, 60))).toEqual(right.slice(0, 60));
  });

  it('are the wrong ones and some of the whole run, in order', () => {
    const wrong = new Set([0, 150, 298, 299]);
    const marked = right.map((one, index): LoadWindow =>
      wrong.has(index) ? { ...one, admitted: 21, wrong: 'more' } : one,
    );
    const kept = keepWindows(marked);
    expect(kept).toHaveLength(WINDOWS_KEPT);
    expect(kept.filter((one) => one.wrong === 'more').map(({ from }) => from)).toEqual([...wrong]);
    expect(kept.map(({ from }) => from)).toEqual(
      kept.map(({ from }) => from).toSorted((a, b) => a - b),
    );
    expect(kept.filter(({ from }) => from > 200).length).toBeGreaterThan(15);
  });

  it('are bounded even if all are wrong', () => {
    expect(keepWindows(right.map((one) => ({ ...one, wrong: 'fewer' })))).toHaveLength(
      WINDOWS_KEPT,
    );
  });
});
