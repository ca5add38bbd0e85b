import { describe, expect, it } from 'vitest';
import {
  findings,
  isJudged,
  recording,
  START,
  WINDOW,
  type Recording,
} from '../../test/judge/rate-exchanges.ts';

import { contextOf } from '../../src/judge/context.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import { viewOf } from '../../src/judge/view.ts';
import { allWindowChanges } from './windows.ts';

const ID = '8/window-length';

/** Windows used up at once from `at`, and the announced `end` of each, ms after the start. */
function used(windows: readonly { readonly at: number; readonly end: number }[]): Recording {
  const all = recording();
  for (const { at, end } of windows) all.countDown(19, 0, { at, reset: START + end });
  return all;
}

const found = (windows: Parameters<typeof used>[0]): readonly string[] =>
  findings(used(windows)).filter((finding) => finding.startsWith(ID));

describe('the length of a window', () => {
  it('is a minute if each announced reset is a minute after the one before', () => {
    const honest = [0, 1, 2].map((nth) => ({ at: nth * WINDOW + 10, end: (nth + 1) * WINDOW }));
    expect(found(honest)).toEqual([]);
    expect(isJudged(used(honest), ID)).toBe(true);
  });

  it('is not judged by resets that are not later than those before them', () => {
    const wrong = [0, 1, 2].flatMap((nth) => [
      { at: nth * 15_000 + 10, end: nth * 15_000 + 60_000 },
      { at: nth * 15_000 + 5010, end: nth * 15_000 + 5000 - 60_000 },
    ]);
    expect(found(wrong)).toEqual([]);
  });

  it('is reported for consecutive windows of 15 s', () => {
    const quarter = [0, 1, 2].map((nth) => ({ at: nth * 15_000 + 10, end: (nth + 1) * 15_000 }));
    expect(found(quarter)).toEqual([`${ID} x21`]);
  });

  it('is unknown for scaled windows, unless resets are exact to the millisecond', () => {
    const limits = { requests: 20, windowMs: 1500, monthlyQuota: 100_000 };
    const scaled = (offMs: number): Recording => {
      const all = recording();
      for (const nth of [0, 1, 2]) {
        const reset = START + (nth + 1) * 1500;
        all.countDown(19, 10, { at: nth * 1500 + 10, reset });
        all.countDown(9, 0, { at: nth * 1500 + 200, reset: reset + offMs });
      }
      return all;
    };
    expect(isJudged(scaled(0), ID, { limits })).toBe(true);
    expect(isJudged(scaled(12), ID, { limits })).toBe(false);
  });

  it('does not depend on when scaled windows were used up, if they end at multiples of their length', () => {
    const limits = { requests: 20, windowMs: 3000, monthlyQuota: 100_000 };
    // Used up early, so that nothing else shows that the windows are fixed, which takes a request late in one.
    const scaled = (at: number, offMs = 0): Recording => {
      const all = recording();
      for (const nth of [0, 1, 2])
        all.countDown(19, 0, { at: nth * 3000 + at, reset: START + (nth + 1) * 3000 + offMs });
      return all;
    };
    for (const at of [10, 500]) expect(isJudged(scaled(at), ID, { limits })).toBe(true);
    // Whole seconds that are no multiples may be rounded.
    expect(isJudged(scaled(1010, 1000), ID, { limits })).toBe(false);
  });

  it('is inconclusive for a single short window, which may be a restarted limiter', () => {
    const restarted = [
      { at: 10, end: 15_000 },
      { at: 15_010, end: 30_000 },
    ];
    expect(found(restarted)).toEqual([]);
    expect(isJudged(used(restarted), ID)).toBe(false);
  });

  it('is unknown if a window starts long after the one before', () => {
    const late = [
      { at: 10, end: 15_000 },
      { at: 70_010, end: 75_000 },
    ];
    expect(found(late)).toEqual([]);
    expect(isJudged(used(late), ID)).toBe(false);
  });

  it('is unknown if a whole window is first used late, which is said', () => {
    const seen = (windows: Parameters<typeof used>[0]) => {
      const { exchanges } = used(windows);
      const context = contextOf(DEFAULT_FACTS, exchanges);
      const views = exchanges.flatMap((one) => viewOf(one, context) ?? []);
      return allWindowChanges(views, context).map(({ prompt }) => prompt);
    };
    const first = { at: 10, end: WINDOW };
    const late = [first, { at: WINDOW * 1.5, end: WINDOW * 2 }];
    expect(isJudged(used(late), ID)).toBe(false);
    expect(seen(late)).toEqual([false]);
    expect(seen([first, { at: WINDOW + 10, end: WINDOW * 2 }])).toEqual([true]);
    expect(seen([first])).toEqual([]);
  });

  it('is inconclusive before the reset, since independent instances are not windows', () => {
    const instances = [0, 1, 2].map((nth) => ({ at: nth * 1000 + 10, end: nth * 1000 + 60_010 }));
    expect(found(instances)).toEqual([]);
  });

  it('is inconclusive for a bucket that announces when it is full', () => {
    // Used up within 200 ms, full but for the next request a minute later.
    const bucket = recording();
    for (let minute = 0; minute < 4; minute += 1) {
      const begun = minute * (WINDOW + 100);
      for (let taken = 1; taken <= 20; taken += 1) {
        bucket.add({
          at: begun + taken * 10,
          remaining: 20 - taken,
          reset: START + begun + taken * 3000,
        });
      }
    }
    expect(findings(bucket).filter((finding) => finding.startsWith(ID))).toEqual([]);
  });

  it('is inconclusive for a sliding log', () => {
    const log = recording();
    for (const begun of [0, WINDOW + 500, 2 * WINDOW + 1000]) {
      log.countDown(19, 0, { at: begun + 10, reset: START + begun + WINDOW + 10 });
    }
    expect(findings(log)).toEqual([]);
    expect(isJudged(log, ID)).toBe(true);
  });
});
