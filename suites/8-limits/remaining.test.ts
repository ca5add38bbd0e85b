import { describe, expect, it } from 'vitest';
import {
  findings,
  isJudged,
  judge,
  recording,
  RESET,
  START,
  WINDOW,
} from '../../test/judge/rate-exchanges.ts';

describe('X-RateLimit-Remaining', () => {
  it('drops by one', () => {
    const usual = recording().countDown(19, 0).refused();
    expect(findings(usual)).toEqual([]);
    expect(isJudged(usual, '8/remaining-decrements')).toBe(true);
  });

  it('has no order in requests that overlap within a millisecond', () => {
    const together = recording()
      .countDown(19, 13)
      .add({ at: 500, took: 0.6, remaining: 11 })
      .add({ at: 500.4, took: 0.3, remaining: 12 });
    expect(findings(together)).toEqual([]);
  });

  it('drops in requests that follow one another within a millisecond', () => {
    const apart = recording()
      .countDown(19, 13)
      .add({ at: 500, took: 0.3, remaining: 11 })
      .add({ at: 500.4, took: 0.3, remaining: 12 });
    expect(findings(apart)).toEqual(['8/remaining-decrements x9']);
  });

  it('is not confirmed where the reset moves back, which may hide what is left out', () => {
    const wobbling = recording();
    for (const [index, remaining] of [19, 18, 16, 15].entries())
      wobbling.add({ remaining, reset: RESET - (index % 2) * 3000 });
    expect(isJudged(wobbling, '8/remaining-decrements')).toBe(false);
  });

  it('restarts after the reset', () => {
    const next = { at: WINDOW + 10, reset: RESET + WINDOW };
    expect(findings(recording().countDown(19, 15).countDown(19, 15, next))).toEqual([]);
  });

  it('is unique', () => {
    const twice = recording().countDown(19, 12).countDown(12, 9);
    expect(findings(twice)).toEqual(['8/remaining-decrements x9']);
  });

  it('is unique at 0 below the limit', () => {
    const skipped = recording().countDown(19, 10).countDown(8, 0).add({ remaining: 0 });
    // The figure of the last request is the right one.
    expect(findings(skipped)).toEqual(['8/remaining-decrements x19']);
    const [found] = judge(skipped).requirements.get('8/remaining-decrements')?.findings ?? [];
    expect(found?.actual).toBe('0 twice, after 8 followed 10 on x11');
    expect(found?.against).toEqual(['x20', 'x11']);
  });

  it('is found where it is too low', () => {
    const even = recording();
    for (const remaining of [19, 17, 17, 15, 15]) even.add({ remaining });
    expect(findings(even)).toEqual(['8/remaining-decrements x2', '8/remaining-decrements x4']);
  });

  it('is not judged on a request beyond the limit, in whatever order it overlaps the last one', () => {
    const full = () => recording().countDown(19, 1);
    const last = { at: 500, took: 5, remaining: 0 };
    const inTurn = full()
      .add(last)
      .add({ ...last, at: 510 });
    const overlapping = full()
      .add(last)
      .add({ ...last, at: 502 });
    // Sent before two others, but processed after them.
    const overtaken = recording()
      .countDown(19, 2)
      .add(last)
      .add({ ...last, at: 502 });
    overtaken.add({ at: 503, took: 5, remaining: 1 });
    for (const beyond of [inTurn, overlapping, overtaken])
      expect(findings(beyond)).toEqual(['8/limit-enforced x21']);
  });

  it('does not rise within a window', () => {
    expect(findings(recording().countDown(12, 8).add({ remaining: 10 }))).toContain(
      '8/remaining-decrements x6',
    );
  });

  it('is not judged where windows are hardly longer than their announcements vary', () => {
    const windowMs = 1500;
    const told = recording();
    // The reset is the clock plus the remaining window, rounded down to seconds.
    const answered = (at: number, remaining: number) => {
      const rest = windowMs - (at % windowMs);
      told.add({ at, remaining, reset: START + at + Math.floor(rest / 1000) * 1000 });
    };
    for (const [index, at] of [0, 505, 700, 900, 1100, 1300, 1450, 1490].entries())
      answered(at, 19 - index);
    for (const [index, at] of [1500, 1600, 1700, 1910, 2010, 2100].entries())
      answered(at, 19 - index);
    const limits = { requests: 20, windowMs, monthlyQuota: 100_000 };
    expect(findings(told, { limits })).toEqual([]);
  });

  it('is not full again under a new reset before the announced one', () => {
    const again = (at: number, reset: number) =>
      findings(recording().countDown(19, 17).add({ at, remaining: 19, reset }));
    expect(again(40, RESET + 13)).toEqual(['8/remaining-decrements x4']);
    // The next window, and a single request that a weighted counter rounds off.
    const next = { at: WINDOW + 10, remaining: 19, reset: RESET + WINDOW };
    expect(
      findings(
        recording()
          .countDown(19, 17, { at: WINDOW - 30 })
          .add(next),
      ),
    ).toEqual([]);
    const single = recording()
      .add({ remaining: 19 })
      .add({ at: 40, remaining: 19, reset: RESET + 13 });
    expect(findings(single)).toEqual([]);
  });

  it('may be full again after the announced reset, however short the window', () => {
    const after = recording()
      .countDown(19, 0, { at: 14_800, took: 1, reset: START + 15_000 })
      .add({ at: 15_077, remaining: 19, reset: START + 30_000 });
    expect(findings(after)).toEqual([]);
    const early = recording()
      .countDown(19, 17, { at: 9000, reset: START + 15_000 })
      .add({ remaining: 19, reset: START + 30_000 });
    expect(findings(early)).toContain('8/remaining-decrements x4');
  });

  it('may skip requests of another client', () => {
    expect(findings(recording().countDown(19, 15).countDown(11, 5).countDown(3, 0))).toEqual([]);
  });

  it('does not skip with every request', () => {
    const byTwo = recording();
    for (let remaining = 19; remaining > 0; remaining -= 2) byTwo.add({ remaining });
    expect(findings(byTwo)).toEqual(['8/remaining-decrements x2']);
  });

  it('may stay after an error that does not count', () => {
    const failed = recording().countDown(19, 15).add({ status: 400, remaining: 15 });
    expect(findings(failed.countDown(14, 10))).toEqual([]);
  });

  it('may rise or stay at the end of a sliding window with rounded resets', () => {
    const rounded = { reset: RESET + 1000 };
    const begun = () => recording().countDown(19, 2, { at: 300, ...rounded });
    const late = { at: WINDOW + 700, ...rounded };
    expect(findings(begun().add({ remaining: 2, ...late }))).toEqual([]);
    expect(findings(begun().add({ remaining: 5, ...late }))).toEqual([]);
    expect(findings(begun().add({ remaining: 2, ...late, at: 30_000 }))).toEqual([
      '8/remaining-decrements x19',
    ]);
  });

  it('may stay in a bucket with rounded resets once it has refilled', () => {
    const limits = { requests: 20, windowMs: 1500, monthlyQuota: 100_000 };
    const second = { reset: START + 4000, dated: false };
    const again = (at: number) =>
      recording()
        .add({ at: 0, remaining: 19, ...second })
        .add({ at: 5, remaining: 18, ...second })
        .add({ at, remaining: 18, ...second });
    expect(findings(again(90), { limits })).toEqual([]);
  });

  it('may rise in a refilled bucket that adds whole seconds to the clock', () => {
    const limits = { requests: 20, windowMs: 5000, monthlyQuota: 100_000 };
    const rest = (at: number, remaining: number, seconds: number) => ({
      at,
      remaining,
      reset: START + at + seconds * 1000,
    });
    const again = (at: number) =>
      recording()
        .add(rest(0, 19, 3))
        .add(rest(60, 18, 3))
        .add(rest(at, 19, 3))
        // Earlier than the one before, which shows that announcements are recomputed.
        .add({ at: at + 80, remaining: 18, reset: START + 3000 });
    expect(findings(again(620), { limits })).toEqual([]);
    expect(findings(again(150), { limits })).toContain('8/remaining-decrements x3');
  });

  it('may stay at its maximum in a bucket that refills before each slow answer', () => {
    const limits = { requests: 20, windowMs: 5000, monthlyQuota: 100_000 };
    const slow = recording();
    for (const at of [0, 900]) {
      slow.add({ at, took: 850, remaining: 19, reset: START + 3000, dated: false });
    }
    expect(findings(slow, { limits })).toEqual([]);
  });

  it.each([
    ['begin with the minute', RESET],
    ['are rounded to seconds', RESET + 7000],
  ])('is judged without a clock where windows %s', (_which, reset) => {
    const undated = recording().countDown(19, 10, { dated: false, reset });
    expect(isJudged(undated, '8/remaining-decrements')).toBe(true);
    expect(findings(undated.add({ dated: false, reset, remaining: 12 }))).toContain(
      '8/remaining-decrements x11',
    );
  });

  it('has no order among concurrent requests', () => {
    const together = recording();
    for (const remaining of [17, 19, 18]) together.add({ at: 100, took: 50, remaining });
    expect(findings(together)).toEqual([]);
    expect(findings(together.add({ at: 100, took: 50, remaining: 17 }))).toEqual([
      '8/remaining-decrements x4',
    ]);
  });

  const silent = { limit: null, reset: null };

  it('counts a request whose answer has no figure', () => {
    const counted = recording().countDown(19, 15).add(silent).add({ remaining: 13 });
    expect(findings(counted)).toEqual([]);
  });

  it('reveals a request that bypasses the limiter', () => {
    const past = recording().countDown(19, 15).add(silent).add({ remaining: 14 });
    expect(findings(past)).toEqual(['8/remaining-decrements x6']);
  });

  it('is counted for each key', () => {
    expect(findings(recording().countDown(19, 15).countDown(19, 15, { key: 'k:2' }))).toEqual([]);
  });
});
