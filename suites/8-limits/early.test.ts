import { describe, expect, it } from 'vitest';
import {
  findings,
  isJudged,
  recording,
  RESET,
  START,
  WINDOW,
  type Answered,
} from '../../test/judge/rate-exchanges.ts';

const NEXT = { reset: RESET + WINDOW } as const;
const next = (answered: Answered = {}): Answered => ({ ...NEXT, ...answered });
const full = () => recording().countDown(19, 0).refused();

/** Windows with three concurrent requests at a time, counted in reverse order of sending, down to a figure. */
function overlapping(down: number, windows = 1) {
  const taken = recording();
  for (let window = 0; window < windows; window += 1) {
    const at = window * WINDOW + 10;
    const reset = RESET + window * WINDOW;
    taken.add({ at, remaining: 19, reset });
    for (let most = 18; most >= down; most -= 3) {
      const together = [most - 2, most - 1, most].filter((figure) => figure >= down);
      for (const [index, remaining] of together.entries()) {
        taken.add({ at: at + (19 - most) * 10 + index, took: 25, remaining, reset });
      }
    }
    taken.refused({ at: at + 500, reset });
  }
  return taken;
}

describe('8/limit-not-early', () => {
  it('is kept by a complete window', () => {
    expect(isJudged(full(), '8/limit-not-early')).toBe(true);
  });

  it('is kept by a complete window of concurrent requests', () => {
    expect(findings(overlapping(0))).toEqual([]);
    expect(isJudged(overlapping(0), '8/limit-not-early')).toBe(true);
    expect(isJudged(overlapping(0), '8/limit-enforced')).toBe(true);
  });

  it('is kept by a complete window that begins with an error', () => {
    const failed = recording().add({ status: 400, remaining: 19 }).countDown(18, 0).refused();
    expect(isJudged(failed, '8/limit-not-early')).toBe(true);
    const free = recording().add({ status: 400, remaining: 20 }).countDown(19, 0).refused();
    expect(isJudged(free, '8/limit-not-early')).toBe(true);
  });

  it('is violated by a refusal one request early, also with concurrent requests', () => {
    const less = findings(overlapping(1, 2));
    expect(less).toEqual(['8/limit-not-early x20', '8/limit-not-early x40']);
  });

  it('is not judged where an admitted request was concurrent with the refusal', () => {
    const sent = recording();
    for (const nth of [0, 1]) {
      const [at, reset] = [nth * WINDOW + 10, RESET + nth * WINDOW];
      sent.countDown(19, 2, { at, reset }).add({ at: at + 1001, took: 500, remaining: 1, reset });
      sent.refused({ at: at + 1002, took: 500, reset });
    }
    expect(findings(sent)).toEqual([]);
    expect(isJudged(sent, '8/limit-not-early')).toBe(false);
  });

  it('is not judged if a key is refused at its first request, unless used just before the run', () => {
    const first = (at: number) => full().refused({ key: 'k:2', at, reset: START + at + WINDOW });
    expect(isJudged(first(WINDOW), '8/limit-not-early')).toBe(true);
    expect(findings(first(3 * WINDOW))).toEqual([]);
    expect(isJudged(first(3 * WINDOW), '8/limit-not-early')).toBe(false);
  });

  it('is judged where the refusal of a burst was sent before what was admitted', () => {
    const at = 3 * WINDOW;
    const other = { key: 'k:2', took: 500, reset: RESET + at };
    const burst = full().refused({ ...other, at });
    for (let nth = 1; nth <= 20; nth += 1)
      burst.add({ ...other, at: at + nth, remaining: 20 - nth });
    expect(findings(burst)).toEqual([]);
    expect(isJudged(burst, '8/limit-not-early')).toBe(true);
  });

  it('is not judged by figures that are one too high', () => {
    const high = recording().countDown(20, 1).refused({ remaining: 0 });
    const twice = high.countDown(20, 1, next({ at: WINDOW + 100 })).refused(next({ remaining: 0 }));
    expect(findings(twice).filter((one) => one.startsWith('8/limit-not-early'))).toEqual([]);
  });

  it('is violated by a refusal one request early in two windows', () => {
    const less = recording().countDown(19, 1).refused();
    expect(findings(less)).toEqual([]);
    expect(isJudged(less, '8/limit-not-early')).toBe(false);
    less.countDown(19, 1, next({ at: WINDOW + 10 })).refused(next());
    expect(findings(less)).toEqual(['8/limit-not-early x20', '8/limit-not-early x40']);
  });

  it('is not violated in a bucket used by another client', () => {
    const used = recording();
    const taken = (at: number, left: number): Answered => ({
      at,
      remaining: left,
      reset: RESET - WINDOW + at + (20 - left) * 3000,
    });
    for (const at of [100, 2 * WINDOW]) {
      for (let left = 19; left >= 1; left -= 1) used.add(taken(at + (20 - left) * 10, left));
      used.refused(taken(at + 200, 0));
    }
    expect(findings(used)).toEqual(['8/limit-not-early x20', '8/limit-not-early x40']);
    used.add(taken(4 * WINDOW, 19)).add(taken(4 * WINDOW + 10, 17));
    expect(findings(used)).toEqual([]);
  });

  it('is not violated if an answer was lost, whose request may have counted', () => {
    const lost = recording().countDown(19, 1).lost().refused();
    lost
      .countDown(19, 1, next({ at: WINDOW + 10 }))
      .lost()
      .refused(next());
    expect(findings(lost)).toEqual([]);
  });

  it('is not violated by windows of different lengths, cut short by another client', () => {
    const foreign = recording().countDown(19, 1).refused();
    foreign.countDown(19, 2, next({ at: WINDOW + 10 })).refused(next());
    expect(findings(foreign)).toEqual([]);
  });

  it('is not judged if the start was not observed', () => {
    const late = recording().countDown(12, 0).refused();
    expect(findings(late)).toEqual([]);
    expect(isJudged(late, '8/limit-not-early')).toBe(false);
  });

  it('is not judged where only the window before makes up the number', () => {
    const late = recording().countDown(16, 1, { at: WINDOW / 2 });
    late.countDown(19, 1, next({ at: WINDOW + 10 })).refused(next());
    expect(findings(late)).toEqual([]);
    expect(isJudged(late, '8/limit-not-early')).toBe(false);
    const again = { reset: RESET + 2 * WINDOW, at: 2 * WINDOW + 10 };
    late.countDown(19, 1, again).refused({ reset: again.reset });
    expect(findings(late)).toEqual(['8/limit-not-early x36', '8/limit-not-early x56']);
  });

  it('is not judged for a key used by another client', () => {
    const foreign = recording()
      .countDown(19, 15)
      .countDown(12, 10)
      .countDown(19, 3, next({ at: WINDOW + 10 }))
      .refused(next());
    expect(findings(foreign)).toEqual([]);
  });

  it('is violated if the windows of all keys start lower', () => {
    const lower = recording()
      .countDown(18, 0)
      .refused()
      .add({ key: 'k:2', remaining: 18 })
      .countDown(18, 0, next({ at: WINDOW + 10 }))
      .refused(next());
    expect(findings(lower)).toEqual(['8/limit-not-early x20', '8/limit-not-early x41']);
  });

  it('attributes a lower start of one key to a monitor', () => {
    const monitor = recording().countDown(18, 0).refused();
    monitor.countDown(18, 0, next({ at: WINDOW + 10 })).refused(next());
    monitor.countDown(18, 10, { reset: RESET + 2 * WINDOW, at: 2 * WINDOW + 10 });
    expect(findings(monitor)).toEqual([]);
  });

  /** A window of a key, which begins with a figure and ends with a refusal. */
  const window = (
    recorded: ReturnType<typeof recording>,
    nth: number,
    {
      from = 19,
      to = 0,
      key = 'k:1',
      at = 10,
    }: { from?: number; to?: number; key?: string; at?: number } = {},
  ) => {
    const reset = RESET + nth * WINDOW;
    return recorded
      .countDown(from, to, { key, at: nth * WINDOW + at, reset })
      .refused({ key, reset });
  };

  it('is violated where half the limit is admitted in every window but the first', () => {
    const half = (to: number) => window(window(full(), 1, { to, at: 1000 }), 3, { to });
    expect(findings(half(10))).toEqual(['8/limit-not-early x32', '8/limit-not-early x43']);
    // Another client may have taken fewer.
    expect(findings(half(9))).toEqual([]);
    expect(findings(window(half(10), 5))).toEqual([]);
    expect(findings(window(half(10), 5, { to: 11 }))).toEqual([]);
  });

  it('is not violated where a weighted counter or a log explains what is refused later', () => {
    // Half of the window before still counts, which Remaining may not tell.
    const late = { to: 10, at: WINDOW / 2 };
    const counter = findings(window(window(full(), 1, late), 3, { to: 10 }));
    expect(counter.filter((one) => one.startsWith('8/limit-not-early'))).toEqual([]);
    const recent = window(window(recording(), 0, { at: WINDOW - 400 }), 1, { to: 10 });
    expect(findings(window(recent, 3, { to: 10 }))).toEqual([]);
  });

  it('is violated where every window but the first of several keys begins lower', () => {
    const lower = (from: number) => {
      const taken = recording();
      for (const key of ['k:1', 'k:2']) window(taken, 0, { key, at: key === 'k:1' ? 10 : 500 });
      window(taken, 1, { from, at: 1000 });
      taken.countDown(from, 1, { key: 'k:2', at: WINDOW + 2000, reset: RESET + WINDOW });
      return window(taken, 3, { from });
    };
    expect(findings(lower(9))).toEqual(['8/limit-not-early x53', '8/limit-not-early x73']);
    // A log that is used up leaves 0 with each request.
    expect(findings(lower(0))).toEqual([]);
    const again = { key: 'k:2', at: 3 * WINDOW, remaining: 19, reset: RESET + 3 * WINDOW };
    expect(findings(lower(9).add(again))).toEqual([]);
  });
});
