import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showElapsed } from './progress.ts';

/** Starts the display on a clock that stands still until it is moved. */
function shown(isTTY: boolean): { readonly written: string[]; readonly stop: () => void } {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text), columns: 80 };
  const stop = showElapsed(stream, { isTTY, color: false, ms: 100_000 });
  return { written, stop };
}

describe('elapsed time', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is a line that is drawn again each second on a terminal', () => {
    const { written, stop } = shown(true);
    vi.advanceTimersByTime(50_000);
    expect(written).toHaveLength(51);
    expect(written.at(-1)).toBe('\r\u001b[2K[##########----------]  50 s elapsed, about 50 s left');
    vi.advanceTimersByTime(60_000);
    expect(written.at(-1)).toContain('1 min 50 s elapsed, finishing');
    stop();
    stop();
    expect(written.at(-1)).toBe('\r\u001b[2K');
    const lines = written.length;
    vi.advanceTimersByTime(10_000);
    expect(written).toHaveLength(lines);
  });

  it('is a plain line every half minute elsewhere', () => {
    const { written, stop } = shown(false);
    vi.advanceTimersByTime(65_000);
    expect(written).toEqual([
      'progress: 30 s elapsed, about 1 min 10 s left\n',
      'progress: 1 min 00 s elapsed, about 40 s left\n',
    ]);
    stop();
    expect(written).toHaveLength(2);
  });
});
