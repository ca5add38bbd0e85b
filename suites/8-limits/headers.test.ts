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

  it('compare the reset with the local clock where a proxy sends a wrong Date', () => {
    const date = new Date(START - 37 * 60_000).toUTCString();
    const proxied = recording().add({ remaining: 19 }).add({ remaining: 18 }).exchanges;
    const wrong = proxied.map((exchange) => ({
      ...exchange,
      skewMs: -37 * 60_000,
      response: exchange.response && {
        ...exchange.response,
        headers: { ...exchange.response.headers, date },
      },
    }));
    expect(findings({ exchanges: wrong })).toEqual([]);
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

  it('may move forward after the announced reset, however short the window', () => {
    const next = (at: number) =>
      findings(
        recording()
          .countDown(19, 5, { at: 9000, reset: START + 15_000 })
          .add({ at, reset: START + 30_000, remaining: 19 }),
      );
    expect(next(15_100)).toEqual([]);
    expect(next(9500)).toContain('8/reset-steady x16');
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

  it('comes with whether errors count', () => {
    const error = { remaining: 19, status: 400 };
    const told = judge(recording().add({ remaining: 19 }).add(error).add({ remaining: 18 }));
    const readings = told.readings.filter(({ requirement }) => requirement === '8/refused-counted');
    expect(readings.map(({ answer }) => answer)).toEqual(['no']);
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
