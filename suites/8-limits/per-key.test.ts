import { describe, expect, it } from 'vitest';
import {
  findings,
  isJudged,
  judge,
  recording,
  RESET,
  WINDOW,
  type Answered,
} from '../../test/judge/rate-exchanges.ts';

/** Only refusals have headers. */
const SILENT: Answered = { limit: null, remaining: null, reset: null };
const full = () => recording().countDown(19, 0).refused();
/** The headers that show the findings, or the status. */
const placesIn = (recorded: ReturnType<typeof recording>) =>
  judge(recorded)
    .requirements.get('8/per-key')
    ?.findings.map(({ header }) => header);

describe('8/per-key', () => {
  const B: Answered = { key: 'k:2' };

  it('is kept if one key is admitted while another is refused', () => {
    const apart = full().add({ ...B, remaining: 19 });
    expect(findings(apart)).toEqual([]);
    expect(isJudged(apart, '8/per-key')).toBe(true);
    const silent = recording();
    for (let count = 0; count < 20; count += 1) silent.add(SILENT);
    expect(isJudged(silent.refused().add({ ...B, ...SILENT }), '8/per-key')).toBe(true);
  });

  it('leaves open whether a key is refused only after its limit if keys share one', () => {
    const pooled = recording();
    for (let remaining = 19; remaining >= 0; remaining -= 2)
      pooled.add({ remaining }).add({ ...B, remaining: remaining - 1 });
    pooled.refused().refused(B);
    pooled.countDown(19, 0, { at: 2 * WINDOW, reset: RESET + 2 * WINDOW });
    pooled.refused({ reset: RESET + 2 * WINDOW });
    expect(judge(pooled).requirements.get('8/limit-enforced')?.exchanges).toEqual(new Set(['x43']));
    expect(isJudged(pooled, '8/limit-not-early')).toBe(false);
  });

  it('is violated if the keys of one role share a count, and a key of another role has its own', () => {
    const valid = ['k:1', 'k:2', 'k:3', 'k:4'];
    const pooled = recording();
    for (let round = 0; round < 4; round += 1) {
      for (const [index, key] of valid.entries())
        pooled.add({ key, remaining: 19 - 4 * round - index });
      pooled.add({ key: 'k:5', role: 'restricted', remaining: 19 - round });
    }
    expect(findings(pooled)).toContain('8/per-key x2');
  });

  it('is kept if figures do not reflect requests of the other key', () => {
    const alternating = recording();
    for (const remaining of [19, 18, 17]) alternating.add({ remaining }).add({ ...B, remaining });
    expect(findings(alternating)).toEqual([]);
    expect(isJudged(alternating, '8/per-key')).toBe(true);
  });

  it('is kept if the windows of the keys end at different times', () => {
    const own = { ...B, reset: RESET - 20_000 };
    const windows = recording()
      .add({ remaining: 12 })
      .add({ ...own, remaining: 12 })
      .add({ remaining: 11 });
    expect(findings(windows)).toEqual([]);
    expect(isJudged(windows, '8/per-key')).toBe(true);
  });

  it('is kept without a Date if a key is admitted right after another was refused', () => {
    const undated = recording().countDown(19, 0, { dated: false }).refused({ dated: false });
    undated.add({ ...B, reset: RESET - 20_000, remaining: 19, dated: false });
    expect(isJudged(undated, '8/per-key')).toBe(true);
  });

  it('is not violated by another client that uses both keys as often as we do', () => {
    const alternating = recording();
    for (const remaining of [18, 16, 14, 12, 10, 8]) {
      alternating.add({ remaining }).add({ ...B, remaining });
    }
    expect(findings(alternating).filter((one) => one.startsWith('8/per-key'))).toEqual([]);
  });

  it('is violated if the figures of two keys are one count', () => {
    const alternating = recording();
    for (let remaining = 19; remaining > 11; remaining -= 2) {
      alternating.add({ remaining }).add({ ...B, remaining: remaining - 1 });
    }
    expect(findings(alternating)).toEqual(['8/per-key x2']);
    expect(placesIn(alternating)).toEqual(['x-ratelimit-remaining']);
  });

  it('is violated if other keys are refused as soon as one is', () => {
    const blocked = full();
    for (const key of ['k:2', 'k:3', 'k:4']) blocked.refused({ key });
    expect(findings(blocked)).toEqual(['8/per-key x22']);
    expect(placesIn(blocked)).toEqual([':status']);
  });

  it('is kept if concurrent requests of a key were counted in another order', () => {
    const together = recording();
    for (const window of [0, 1, 2, 3]) {
      const at = window * WINDOW;
      const reset = RESET + at;
      together.add({ ...B, at: at + 10, remaining: 19, reset });
      together.add({ at: at + 30, took: 25, remaining: 18, reset });
      together.add({ at: at + 31, took: 25, remaining: 19, reset });
    }
    expect(findings(together)).toEqual([]);
  });

  it('is kept if two keys show the same figure in a window, even if another client uses one', () => {
    const alike = recording();
    for (const window of [0, 1, 2, 3]) {
      const at = window * WINDOW;
      const reset = RESET + at;
      alike.add({ ...B, at: at + 10, remaining: 19, reset });
      alike.add({ at: at + 30, took: 25, remaining: 18, reset });
      alike.add({ ...B, at: at + 32, took: 25, remaining: 18, reset });
    }
    expect(findings(alike)).toEqual([]);
  });

  it('is violated if keys with concurrent requests share a count', () => {
    const together = recording();
    for (let [at, left] = [10, 19]; left > 3; [at, left] = [at + 40, left - 4]) {
      together.add({ at, took: 25, remaining: left - 1 });
      together.add({ ...B, at: at + 1, took: 25, remaining: left - 3 });
      together.add({ at: at + 2, took: 25, remaining: left - 2 });
      together.add({ ...B, at: at + 3, took: 25, remaining: left });
    }
    expect(findings(together).some((one) => one.startsWith('8/per-key '))).toBe(true);
  });

  it('is kept if windows of concurrent keys start almost together and another client uses one', () => {
    const interleaved = recording();
    for (const window of [0, 1, 2, 3]) {
      const at = window * WINDOW;
      const own = { reset: RESET + at + 40 };
      const other = { ...B, reset: RESET + at };
      interleaved.add({ ...own, at, took: 5, remaining: 8 });
      interleaved.add({ ...other, at, took: 5, remaining: 6 });
      interleaved.add({ ...own, at: at + 6, took: 1, remaining: 7, status: 400 });
      interleaved.add({ ...other, at: at + 8, took: 5, remaining: 5 });
      // One more by another client.
      interleaved.add({ ...own, at: at + 12, took: 2, remaining: 5 });
    }
    expect(findings(interleaved).filter((one) => one.startsWith('8/per-key'))).toEqual([]);
  });

  it('is violated if a shared count is announced in several ways', () => {
    const alternating = recording();
    for (let [at, left] = [10, 19]; left > 3; [at, left] = [at + 40, left - 4]) {
      for (const [index, off] of [1, 3, 2, 0].entries()) {
        const reset = RESET + ((at + index) % 3);
        const key = index % 2 === 1 ? 'k:2' : 'k:1';
        alternating.add({ key, at: at + index, took: 25, remaining: left - off, reset });
      }
    }
    expect(findings(alternating).some((one) => one.startsWith('8/per-key '))).toBe(true);
  });

  it('detects two keys that share a count among others that do not', () => {
    const alternating = recording();
    for (let remaining = 19; remaining > 11; remaining -= 2) {
      alternating
        .add({ remaining })
        .add({ ...B, remaining: remaining - 1 })
        .add({ key: 'k:3', remaining: (remaining + 19) / 2 });
    }
    expect(findings(alternating)).toEqual(['8/per-key x2']);
  });

  it('is violated even if two requests within a millisecond were swapped', () => {
    const alternating = recording();
    const figures = Array.from({ length: 20 }, (_, index) => 19 - index);
    const swapped = [19, 18, 17, 16, 14, 15, ...figures.slice(6)];
    for (const [window, row] of [swapped, figures, figures].entries()) {
      for (const [index, remaining] of row.entries()) {
        alternating.add({ remaining, reset: RESET + window * WINDOW, ...(index % 2 === 1 && B) });
      }
    }
    expect(findings(alternating).some((one) => one.startsWith('8/per-key '))).toBe(true);
  });

  it('is kept if only a few figures look like a shared count', () => {
    const alternating = recording();
    for (const remaining of [19, 18, 17, 16])
      alternating.add({ remaining }).add({ ...B, remaining });
    // Another client used both keys as often as we did for a while.
    for (const remaining of [14, 12, 10]) alternating.add({ remaining }).add({ ...B, remaining });
    expect(findings(alternating).some((one) => one.startsWith('8/per-key '))).toBe(false);
  });

  it('is kept with partly recorded traffic and simultaneous windows of several keys', () => {
    const sampled = recording();
    for (const window of [0, 1, 2, 3]) {
      const at = window * WINDOW;
      const reset = RESET + at;
      sampled.add({ at: at + 10, remaining: 19, reset });
      sampled.add({ ...B, at: at + 30, remaining: 18, reset });
    }
    expect(findings(sampled)).toEqual(['8/per-key x2']);
    const load = { clockWithinMs: 0, recorded: 'some', oneByOne: false } as const;
    expect(findings(sampled, { load })).toEqual([]);
  });

  it('is not judged on one or two signs', () => {
    const few = full().refused(B);
    expect(findings(few)).toEqual([]);
    expect(isJudged(few, '8/per-key')).toBe(false);
  });

  it('is not judged for a single key', () => {
    expect(isJudged(full(), '8/per-key')).toBe(false);
  });
});
