import { describe, expect, it } from 'vitest';
import type { LoadWindow } from '../../report/model/load-results.ts';
import { keepWindows, markWrong, WINDOWS_KEPT } from './wrong-windows.ts';

const window = (from: number, admitted: number, refused = 40): LoadWindow => ({
  key: 'k:1',
  resetAt: null,
  from,
  to: from + 10,
  admitted,
  refused,
  remaining: [],
});
const marks = (windows: readonly LoadWindow[], ...violated: readonly string[]): unknown[] =>
  markWrong(windows, {
    limit: 20,
    notBefore: 100,
    requirements: violated.map((id) => ({ id, outcome: 'failed' })),
  }).map(({ wrong }) => wrong);

describe('a window', () => {
  const all = [
    window(100, 21),
    window(200, 20),
    window(300, 19),
    window(400, 19, 0),
    window(0, 19),
  ];

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
