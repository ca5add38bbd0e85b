import { describe, expect, it } from 'vitest';
import {
  findings,
  isJudged,
  recording,
  RESET,
  WINDOW,
  type Answered,
} from '../../test/judge/rate-exchanges.ts';

/** Only refusals have headers. */
const SILENT: Answered = { limit: null, remaining: null, reset: null };

/** Exchanges reported as beyond the limit. */
const beyond = (...recorded: Parameters<typeof findings>) =>
  findings(...recorded).filter((one) => one.startsWith('8/limit-enforced'));

describe('8/limit-enforced without headers', () => {
  /** Clock-aligned windows with `admitted` requests each before the refusal, which alone has headers. */
  const inSilence = (admitted: number, windows: number, apartMs = 10) => {
    const silent = recording();
    for (let window = 0; window < windows; window += 1) {
      const at = window * WINDOW + 5;
      for (let count = 0; count < admitted; count += 1) {
        silent.add({ ...SILENT, at: at + count * apartMs });
      }
      silent.refused({ at: at + admitted * apartMs, reset: RESET + window * WINDOW });
    }
    return silent;
  };

  it('is violated by too many requests between two refusals', () => {
    expect(beyond(inSilence(25, 2))).toEqual(['8/limit-enforced x47']);
    expect(beyond(inSilence(21, 2))).toEqual(['8/limit-enforced x43']);
    expect(beyond(inSilence(20, 2))).toEqual([]);
  });

  it("is violated within one window if the target's clock is known", () => {
    const late = recording();
    for (let count = 0; count < 25; count += 1) late.add({ ...SILENT, at: 5000 + count * 10 });
    late.refused({ at: 6000 });
    expect(beyond(late, { clockTold: true })).toEqual(['8/limit-enforced x21']);
    expect(beyond(late)).toEqual([]);
  });

  it('is not judged where two windows may meet', () => {
    expect(isJudged(inSilence(20, 1), '8/limit-enforced')).toBe(true);
    expect(isJudged(inSilence(25, 1), '8/limit-enforced')).toBe(false);
  });

  it('does not mistake a bucket for a limit that is too high', () => {
    const bucket = inSilence(22, 1, 300);
    for (let count = 0; count < 20; count += 1) {
      bucket.add({ ...SILENT, at: WINDOW + 600 + count * 300 });
    }
    bucket.refused({ at: WINDOW + 6600, reset: RESET + WINDOW });
    expect(beyond(bucket)).toEqual([]);
  });

  it('ignores requests between refusals of non-adjacent windows', () => {
    const apart = inSilence(25, 1);
    for (let count = 0; count < 25; count += 1) {
      apart.add({ ...SILENT, at: 2 * WINDOW - 200 + count * 10 });
    }
    apart.refused({ at: 2 * WINDOW + 100, reset: RESET + 2 * WINDOW });
    expect(beyond(apart)).toEqual([]);
  });

  it('is kept by a refusal concurrent with the last request of its window', () => {
    const together = recording().countDown(19, 1).add({ at: 500, took: 20, remaining: 0 });
    together.refused({ at: 501, took: 20 });
    expect(findings(together)).toEqual([]);
    expect(isJudged(together, '8/limit-enforced')).toBe(true);
    expect(isJudged(together, '8/limit-not-early')).toBe(true);
  });

  it('is violated if the last request of a window and one more are concurrent and both admitted', () => {
    const racy = recording().countDown(19, 1).add({ at: 500, took: 20, remaining: 0 });
    racy.add({ at: 501, took: 20, remaining: 0 });
    expect(findings(racy)).toContain('8/limit-enforced x21');
  });
});
