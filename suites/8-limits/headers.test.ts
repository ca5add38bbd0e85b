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

describe('single headers', () => {
  it('hold on a normal answer', () => {
    const usual = recording().add({ remaining: 19 });
    expect(findings(usual)).toEqual([]);
    for (const id of ['8/header-limit', '8/header-remaining', '8/header-reset'] as const) {
      expect(isJudged(usual, id)).toBe(true);
    }
  });

  it('are not judged if missing', () => {
    const bare = recording().add({ limit: null, reset: null }).add({ limit: null, reset: null });
    expect(findings(bare)).toEqual([]);
    expect(isJudged(bare, '8/header-limit')).toBe(false);
    expect(isJudged(bare, '8/remaining-decrements')).toBe(false);
    expect(isJudged(bare, '8/reset-steady')).toBe(false);
  });

  it.each([19, '20, 20', '20;w=60', 'twenty'])('X-RateLimit-Limit is not %s', (limit) => {
    expect(findings(recording().add({ limit, remaining: 19 }))).toEqual(['8/header-limit x1']);
  });

  it.each([20, -1, '1.0', 'many'])('X-RateLimit-Remaining is not %s', (remaining) => {
    expect(findings(recording().add({ remaining }))).toContain('8/header-remaining x1');
  });

  it('are named in findings, like the status', () => {
    const named = (recorded: ReturnType<typeof recording>): readonly (string | undefined)[] =>
      [...judge(recorded).requirements.values()].flatMap((judged) =>
        judged.findings.map(({ header }) => header),
      );
    expect(named(recording().add({ limit: 19, remaining: 19 }))).toEqual(['x-ratelimit-limit']);
    expect(named(recording().add({ remaining: -1 }))).toContain('x-ratelimit-remaining');
    const more = recording().countDown(19, 0).add({ remaining: 0 });
    expect(named(more)).toContain(':status');
  });

  it('allow a full window after an error that does not count', () => {
    expect(findings(recording().add({ status: 400, remaining: 20 }))).toEqual([]);
  });

  it('require 0 on a refusal', () => {
    const refused = recording().add({ remaining: 19 }).refused({ remaining: 1 });
    expect(findings(refused)).toContain('8/header-remaining x2');
  });

  it.each([
    ['seconds', Math.floor(RESET / 1000)],
    ['a wait', 42_000],
    ['no number', 'soon'],
    ['a fraction', `${RESET}.5`],
    ['in the past', START - WINDOW],
    ['two windows ahead', RESET + 2 * WINDOW],
  ])('X-RateLimit-Reset is not %s', (_name, reset) => {
    expect(findings(recording().add({ remaining: 19, reset }))).toEqual(['8/header-reset x1']);
  });

  it('X-RateLimit-Reset is not the start of the window', () => {
    const beginning = recording()
      .countDown(19, 10, { at: 10, reset: START })
      .countDown(19, 10, { at: WINDOW + 10, reset: RESET });
    expect(findings(beginning)).toEqual(['8/header-reset x11']);
  });

  it("X-RateLimit-Reset is not the start of the window, however the target's clock is estimated", () => {
    const beginning = recording()
      .countDown(19, 19, { at: 10, reset: START })
      .countDown(18, 10, { at: 5000, reset: START })
      .countDown(19, 19, { at: WINDOW + 10, reset: RESET })
      .countDown(18, 10, { at: WINDOW + 5000, reset: RESET });
    const estimated = beginning.exchanges.map((exchange, index) => ({
      ...exchange,
      skewMs: index % 2 === 0 ? -400 : 400,
    }));
    expect(findings({ exchanges: estimated })).toEqual(['8/header-reset x11']);
  });

  it('X-RateLimit-Reset is compared with the latest clock estimate', () => {
    const past = recording().countDown(19, 10, { at: 10, reset: START - 10_000 });
    const estimated = past.exchanges.map((exchange, index) => ({
      ...exchange,
      sentAt: exchange.sentAt - 800,
      receivedAt: exchange.receivedAt - 800,
      skewMs: index === 0 ? 1300 : 800,
    }));
    expect(findings({ exchanges: estimated })).toContain('8/header-reset x1');
  });

  it('X-RateLimit-Reset of a nearly full bucket may be the time of the answer', () => {
    const bucket = recording();
    for (let at = 0; at < 30; at += 1) {
      bucket.add({ at: at * 4000, remaining: 19, reset: START + at * 4000 });
    }
    expect(findings(bucket)).toEqual([]);
  });

  it("compare the reset with the target's clock, however wrong", () => {
    const skew = -7_200_000;
    expect(findings(recording().add({ remaining: 19, skew }).add({ remaining: 18, skew }))).toEqual(
      [],
    );
  });

  it('are judged only for keys that reach the limiter', () => {
    const strange = recording()
      .add({ role: 'unknown', key: 'k:9', status: 401, limit: 5, remaining: 99, reset: 'x' })
      .add({ role: 'valid', status: 401, limit: 5, remaining: 99, reset: 'x' });
    expect(findings(strange)).toEqual([]);
  });

  it('are optional, and their presence is recorded', () => {
    const { readings } = judge(
      recording().add({ remaining: 19 }).add({ limit: null, reset: null }),
    );
    expect(readings.filter(({ requirement }) => requirement === '8/headers-present')).toMatchObject(
      [{ answer: 'yes, all three' }, { answer: 'no' }],
    );
  });
});

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
    expect(findings(skipped)).toEqual(['8/remaining-decrements x20']);
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

describe('X-RateLimit-Reset', () => {
  it('stays the same, and moves forward from window to window', () => {
    const steady = recording()
      .countDown(19, 15)
      .countDown(19, 15, { at: WINDOW + 10, reset: RESET + WINDOW });
    expect(findings(steady)).toEqual([]);
    expect(isJudged(steady, '8/reset-steady')).toBe(true);
  });

  it('does not move back beyond the tolerance for one window', () => {
    const back = recording()
      .countDown(19, 15)
      .add({ remaining: 14, reset: RESET - 1500 });
    expect(findings(back)).toEqual(['8/reset-steady x6']);
  });

  it.each([
    ['by a millisecond, as a rest of time added to a clock does', [0, 1, 0, -1, 1, 0]],
    ['within a second, as a rest of time in seconds does', [0, 300, 600, 900, 200, 500, 800, 100]],
    ['by some milliseconds, as the clocks of several instances do', [0, 12, -30, 12, -30, 0]],
  ])('may differ %s', (_name, shifts) => {
    const jittered = recording();
    for (const [index, shift] of shifts.entries()) {
      jittered.add({ at: index * 300, remaining: 19 - index, reset: RESET + shift });
    }
    expect(findings(jittered)).toEqual([]);
    expect(isJudged(jittered, '8/reset-steady')).toBe(true);
    // Wrong figures are still found.
    const stuck = jittered.add({ at: 5000, remaining: 19 - shifts.length + 1, reset: RESET });
    expect(findings(stuck)).toEqual([`8/remaining-decrements x${shifts.length + 1}`]);
  });

  it('may move forward by less than a short window with rounded resets', () => {
    const limits = { requests: 20, windowMs: 1500, monthlyQuota: 100_000 };
    const rounded = recording()
      .countDown(19, 1, { reset: START + 1200 })
      .countDown(19, 1, { at: 1510, reset: START + 2400 });
    expect(findings(rounded, { limits, clockTold: true })).toEqual([]);
  });

  it('may move forward in a sliding window', () => {
    const sliding = recording();
    for (let count = 0; count < 10; count += 1) {
      sliding.add({ at: count * 2000, remaining: 19 - count, reset: RESET + count * 2000 });
    }
    expect(findings(sliding)).toEqual([]);
  });

  it('may jump forward within a millisecond in a bucket', () => {
    const bucket = recording();
    for (let count = 0; count < 6; count += 1) {
      bucket.add({ at: 5, took: 0, remaining: 19 - count, reset: START + 3000 * (count + 1) });
    }
    expect(findings(bucket)).toEqual([]);
    expect(isJudged(bucket, '8/reset-steady')).toBe(true);
  });

  it('does not move forward within a fixed window', () => {
    const fixed = recording()
      .countDown(19, 15, { at: 58_000 })
      .add({ at: WINDOW + 10, reset: RESET + WINDOW, remaining: 19 })
      .add({ at: WINDOW + 10_000, reset: RESET + WINDOW + 5000, remaining: 18 });
    expect(findings(fixed)).toEqual(['8/reset-steady x7']);
  });
});

describe('kind of window', () => {
  const kinds = (recorded: ReturnType<typeof recording>): string[] =>
    judge(recorded)
      .readings.filter(({ requirement }) => requirement === '8/window-kind')
      .map(({ answer }) => answer);

  it('is fixed if a window restarts after recent requests', () => {
    const aligned = recording().countDown(19, 10, { at: 50_000 });
    aligned.add({ at: WINDOW + 10, reset: RESET + WINDOW, remaining: 19 });
    expect(kinds(aligned)).toEqual(['fixed, starting with the clock']);
    const anchored = recording()
      .countDown(19, 10, { at: 50_000, reset: RESET + 77 })
      .add({ at: WINDOW + 100, reset: RESET + WINDOW + 100, remaining: 19 });
    expect(kinds(anchored)).toEqual(["fixed, starting with a key's first request"]);
  });

  it('is sliding if the reset moves by less than a window', () => {
    const sliding = recording()
      .add({ remaining: 19 })
      .add({ remaining: 18, reset: RESET + 2000 });
    expect(kinds(sliding)).toEqual(['sliding']);
  });

  it('is unknown without evidence', () => {
    expect(kinds(recording().countDown(19, 10))).toEqual(['not distinguishable']);
  });
});
