import { describe, expect, it } from 'vitest';
import {
  findings,
  isJudged,
  judge,
  recording,
  type Recording,
  REFUSAL,
  RESET,
  START,
  WINDOW,
  type Answered,
} from '../../test/judge/rate-exchanges.ts';

const NEXT = { reset: RESET + WINDOW } as const;
const next = (answered: Answered = {}): Answered => ({ ...NEXT, ...answered });
/** Only refusals have headers. */
const SILENT: Answered = { limit: null, remaining: null, reset: null };
const full = () => recording().countDown(19, 0).refused();

describe('8/limit-enforced', () => {
  it('is kept when the request after the limit is refused', () => {
    expect(findings(full())).toEqual([]);
    expect(isJudged(full(), '8/limit-enforced')).toBe(true);
  });

  it('is not judged before a window is used up', () => {
    expect(isJudged(recording().countDown(19, 1), '8/limit-enforced')).toBe(false);
    expect(isJudged(recording().countDown(9, 3).refused(), '8/limit-enforced')).toBe(false);
  });

  it('is not shown by a window that may hold one too many where no reset is readable', () => {
    const wait = { reset: 60 };
    const used = (errors: number, more: number): Recording =>
      recording()
        .countDown(19, errors, wait)
        .countDown(errors - 1, 0, { ...wait, status: 400 })
        .countDown(more - 1, 0, wait)
        .refused(wait);
    expect(isJudged(used(2, 0), '8/limit-enforced')).toBe(true);
    // The error may have counted, so the refusal may have come after 21.
    expect(isJudged(used(1, 1), '8/limit-enforced')).toBe(false);
  });

  it('is violated within a window whose reset is in seconds', () => {
    const seconds = { reset: RESET / 1000 };
    const more = recording()
      .countDown(19, 0, seconds)
      .add({ remaining: 0, ...seconds });
    expect(findings(more)).toContain('8/limit-enforced x21');
  });

  it('is violated by one request too many, which breaks no other requirement', () => {
    const more = recording().countDown(19, 0).add({ remaining: 0 });
    expect(findings(more)).toEqual(['8/limit-enforced x21']);
  });

  it('says which request of its window was too much, not which of the run', () => {
    const later = recording().countDown(19, 0).refused();
    later.countDown(19, 0, next({ at: WINDOW + 10 })).add(next({ remaining: 0 }));
    const [finding] = judge(later).requirements.get('8/limit-enforced')?.findings ?? [];
    expect(finding?.message).toContain('it is request 21 with its key in one window');
    expect(finding?.exchange).toBe('x42');
  });

  it('counts errors that the headers count', () => {
    const more = recording().countDown(19, 10).add({ status: 400, remaining: 9 });
    expect(findings(more.countDown(8, 0).add({ remaining: 0 }))).toEqual(['8/limit-enforced x21']);
  });

  it('ignores errors that the headers do not count', () => {
    const uncounted = recording().countDown(19, 10).add({ status: 400, remaining: 10 });
    expect(findings(uncounted.countDown(9, 0).refused())).toEqual([]);
  });

  it('detects excess in a sliding window', () => {
    const sliding = recording();
    for (let count = 0; count < 21; count += 1) {
      const remaining = Math.max(0, 19 - count);
      sliding.add({ at: count * 100, remaining, reset: RESET + count * 100 });
    }
    expect(findings(sliding)).toEqual(['8/limit-enforced x21']);
  });

  it('tolerates the last second of a rounded reset in a sliding window', () => {
    const second = RESET + 1000;
    const rounded = recording().countDown(19, 0, { at: 200, reset: second });
    rounded.add({ at: WINDOW + 210, remaining: 5, reset: second });
    rounded.add({ at: WINDOW + 220, remaining: 7, reset: second });
    expect(findings(rounded)).toEqual([]);
  });

  it('tolerates the next round of a sliding log announced by instances with different clocks', () => {
    const log = recording();
    for (let count = 0; count < 20; count += 1) {
      log.add({ at: count * 2, remaining: 19 - count, reset: RESET + (count % 3) * 12 });
    }
    for (const [count, remaining] of [4, 3, 2, 1].entries()) {
      log.add({ at: WINDOW + 10 + count, remaining, reset: RESET + 7 + (count % 2) * 12 });
    }
    expect(findings(log)).toEqual([]);
  });

  it('allows two fixed windows to meet', () => {
    const edge = recording()
      .countDown(19, 0, { at: 59_000 })
      .countDown(19, 0, next({ at: WINDOW + 100 }));
    expect(findings(edge)).toEqual([]);
  });

  it('without headers knows only that two windows admit at most twice the limit', () => {
    const silent = recording();
    for (let count = 0; count < 40; count += 1) silent.add(SILENT);
    expect(findings(silent)).toEqual([]);
    expect(isJudged(silent, '8/limit-enforced')).toBe(false);
    expect(findings(silent.add(SILENT))).toEqual(['8/limit-enforced x41']);
  });

  it('measures time by a steady clock, not by a Date updated once a second', () => {
    const silent = recording();
    for (let count = 0; count < 20; count += 1) silent.add(SILENT);
    for (let count = 0; count < 21; count += 1) {
      silent.add({ ...SILENT, at: WINDOW + 500 + count, dateOff: -900 });
    }
    expect(findings(silent)).toEqual([]);
  });

  it('without headers is kept by a refusal after the limit', () => {
    const silent = recording();
    for (let count = 0; count < 20; count += 1) silent.add(SILENT);
    expect(findings(silent.refused())).toEqual([]);
    expect(isJudged(silent, '8/limit-enforced')).toBe(true);
    expect(isJudged(silent, '8/limit-not-early')).toBe(true);
  });

  it.each([403, 200, 503])('requires 429 rather than a refusal with status %i', (status) => {
    const body = { code: 402901, message: 'Rate limit exceeded', details: {} };
    const disguised = recording().countDown(19, 0).add({ status, body, remaining: 0 });
    expect(findings(disguised)).toEqual(['8/limit-enforced x21']);
  });
});

describe('8/reset', () => {
  it('is kept if the next request after the reset is admitted', () => {
    const after = full().add(next({ at: WINDOW + 10, remaining: 19 }));
    expect(findings(after)).toEqual([]);
    expect(isJudged(after, '8/reset')).toBe(true);
  });

  it('is not judged by requests before the reset', () => {
    expect(isJudged(full().refused({ at: 30_000 }), '8/reset')).toBe(false);
  });

  it('is violated by a later refusal that announces a new window', () => {
    const stuck = full().refused(next({ at: WINDOW + 1200 }));
    expect(findings(stuck)).toEqual(['8/reset x22']);
  });

  it('is exact to the millisecond if resets are not whole seconds', () => {
    const soon = (ms: number) => {
      const exact = recording();
      for (let left = 19; left >= 0; left -= 1) exact.add({ remaining: left, reset: RESET + ms });
      exact.refused({ reset: RESET + ms });
      return exact.refused({ at: WINDOW + 300, reset: RESET + WINDOW + ms });
    };
    expect(findings(soon(7))).toEqual(['8/reset x22']);
    // Clock-aligned windows end on whole seconds without being rounded.
    expect(findings(soon(0))).toEqual(['8/reset x22']);
    expect(findings(soon(4000))).toEqual([]);
  });

  it('is exact to the millisecond in short windows too, unless resets may be rounded', () => {
    const limits = { requests: 20, windowMs: 5000, monthlyQuota: 100_000 };
    const end = START + 5000;
    const soon = (fixed: boolean) => {
      const short = recording().countDown(19, 0, { at: 4000, reset: end });
      if (fixed) short.countDown(19, 0, { key: 'k:2', at: 4500, reset: end });
      short.refused({ at: 4800, reset: end });
      if (fixed) short.add({ key: 'k:2', at: 5200, remaining: 19, reset: end + 5000 });
      return short.refused({ at: 5300, reset: end + 5000 });
    };
    expect(findings(soon(true), { limits })).toEqual(['8/reset x43']);
    // The next slot of a weighted counter is within a second of the end.
    expect(findings(soon(false), { limits })).toEqual([]);
  });

  it("does not count as passed early, however the target's clock was estimated", () => {
    const counting = (skews: readonly number[]) => {
      const recorded = recording();
      for (let left = 19; left >= 0; left -= 1) recorded.add({ remaining: left, reset: RESET + 7 });
      // If refused requests count, each one moves the reset.
      recorded
        .refused({ reset: RESET + 7 })
        .refused({ at: WINDOW - 250, reset: RESET + WINDOW - 250 })
        .add({ at: 3 * WINDOW, remaining: 19, reset: RESET + 3 * WINDOW });
      const { exchanges } = recorded;
      const [first = 0, ...last] = skews;
      return {
        exchanges: exchanges.map((exchange, index) => ({
          ...exchange,
          skewMs: last[index - exchanges.length + last.length] ?? first,
        })),
      };
    };
    expect(findings(counting([0]))).toEqual([]);
    expect(findings(counting([0, 400, 0]))).toEqual([]);
  });

  it('may be announced up to a second early if computed from whole seconds', () => {
    const rounded = recording();
    // The clock plus the remainder rounded down: each announcement follows the clock, and none reaches the true end.
    for (let left = 19; left >= 0; left -= 1) {
      rounded.add({
        at: 600 + (19 - left) * 5,
        remaining: left,
        reset: RESET - 400 + (19 - left) * 5,
      });
    }
    rounded.refused({ at: 700, reset: RESET - 300 });
    const early = rounded.refused({ at: WINDOW - 100, reset: RESET + WINDOW - 100 });
    expect(findings(early)).toEqual([]);
  });

  it('may be later than one window if the previous window still counts', () => {
    const details = { ...REFUSAL.details, retry_after: 62_200 };
    const weighted = recording()
      .countDown(19, 0)
      .refused({ at: 800, reset: RESET + 3000, body: { ...REFUSAL, details } });
    const early = weighted.refused({ at: WINDOW + 2900, reset: RESET + WINDOW });
    expect(findings(early)).toEqual([]);
    expect(findings(early.add(next({ at: 2 * WINDOW - 10, remaining: 18 })))).toEqual([]);
  });

  it('waits for one window without an announced reset', () => {
    const silent = { reset: null };
    const refused = () => recording().countDown(19, 0, silent).refused(silent);
    const early = refused().add({ at: 30_000, remaining: 3, reset: null });
    expect(isJudged(early, '8/reset')).toBe(false);
    const late = refused().add({ at: WINDOW + 200, remaining: 19, reset: null });
    expect(isJudged(late, '8/reset')).toBe(true);
    expect(findings(refused().refused({ at: WINDOW + 200, ...silent }))).toHaveLength(2);
    const stuck = refused().refused({ at: WINDOW + 4000, ...silent });
    expect(findings(stuck)).toContain('8/reset x22');
  });

  it('tolerates a limiter whose clock lags slightly', () => {
    const body = { ...REFUSAL, details: { ...REFUSAL.details, retry_after: 1 } };
    expect(findings(full().refused({ at: WINDOW + 10, body }))).toEqual([]);
  });

  it('is violated by refusals that keep announcing a past reset', () => {
    const body = { ...REFUSAL, details: { ...REFUSAL.details, retry_after: 1 } };
    const late = full().refused({ at: WINDOW + 6000, body });
    expect(findings(late)).toContain('8/reset x22');
  });

  it('is postponed by a later refusal before it', () => {
    const extended = full()
      .refused({ at: 30_000, reset: RESET + 30_000 })
      .refused({ at: WINDOW + 10, reset: RESET + 30_000 })
      .add({ at: WINDOW + 30_010, reset: RESET + 60_000, remaining: 0 });
    expect(findings(extended).filter((one) => one.startsWith('8/reset '))).toEqual([]);
    expect(isJudged(extended, '8/reset')).toBe(true);
  });
});

describe('a target that refuses everything', () => {
  it('has no limiter to judge', () => {
    const nothing = recording();
    for (let count = 0; count < 25; count += 1) nothing.refused();
    for (const id of ['8/limit-enforced', '8/refusal-code', '8/reset', '8/per-key'] as const) {
      expect(isJudged(nothing, id)).toBe(false);
    }
  });
});
