import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEstimator } from '../../src/report/eta.ts';
import { createProgress } from '../../src/report/progress.ts';
import type { Progress, ProgressPlan, ProgressState } from '../../src/report/progress.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';

const PLAN: ProgressPlan = { total: 100, requests: 100, keys: 1, limit: 20, windowMs: 60_000 };

class Capture {
  text = '';
  readonly columns = 70;
  write(text: string): void {
    this.text += text;
  }
}

function state(parts: Partial<ProgressState>): ProgressState {
  return {
    done: 0,
    total: 100,
    requests: 0,
    waitingUntil: null,
    currentTitle: null,
    findings: 0,
    ...parts,
  };
}

function create(isTTY: boolean): { progress: Progress; stream: Capture } {
  const stream = new Capture();
  const progress = createProgress(stream, { isTTY, color: false, now: () => Date.now() });
  return { progress, stream };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends 100 requests in bursts of 20 a minute, as a paced run does; returns the real end. */
function pacedRun(onSent: (requests: number, waitingUntil: number | null) => void): number {
  for (let sent = 1; sent <= 100; sent += 1) {
    vi.advanceTimersByTime(100);
    onSent(sent, null);
    if (sent % 20 === 0 && sent < 100) {
      const until = Date.now() + 60_000 - 20 * 100;
      onSent(sent, until);
      vi.advanceTimersByTime(until - Date.now());
    }
  }
  return Date.now();
}

describe('createEstimator', () => {
  it('is right within 15 % after a quarter of a paced run, and never promises less than the wait', () => {
    const estimator = createEstimator(PLAN, Date.now());
    const seen: { at: number; left: number; sent: number }[] = [];
    const seenWait: number[] = [];
    const end = pacedRun((sent, waitingUntil) => {
      estimator.sent(sent, Date.now());
      const left = estimator.left(Date.now(), waitingUntil);
      seen.push({ at: Date.now(), left, sent });
      seenWait.push(left - Math.max(0, (waitingUntil ?? 0) - Date.now()));
    });
    for (const point of seen.filter((one) => one.sent >= 25 && one.sent < 80)) {
      const truth = end - point.at;
      expect(Math.abs(point.left - truth) / truth).toBeLessThan(0.15);
    }
    expect(Math.min(...seenWait)).toBeGreaterThanOrEqual(0);
    expect(estimator.left(end, null)).toBe(0);
  });

  it('counts windows before anything was sent', () => {
    expect(createEstimator(PLAN, 0).left(0, null)).toBe(4 * 60_000);
    expect(createEstimator({ ...PLAN, keys: 6 }, 0).left(0, null)).toBe(0);
  });
});

describe('progress without a terminal', () => {
  it('prints plain lines, at most one a tenth, and announces waits', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN);
    pacedRun((sent, waitingUntil) => {
      progress.update(state({ done: sent, requests: sent, waitingUntil }));
    });
    progress.stop();
    expect(stream.text).not.toMatch(HIDDEN);
    const lines = stream.text.trimEnd().split('\n');
    expect(lines[0]).toBe(
      '100 requirements with at most 100 requests and 1 key: 4 min 00 s at most, at 20 requests per 1 min 00 s and key',
    );
    const beats = lines.filter((line) => line.startsWith('progress: '));
    const waits = lines.filter((line) => line.startsWith('rate limit: waiting '));
    expect(waits).toHaveLength(4);
    expect(waits[0]).toBe('rate limit: waiting 58 s, 80 requests still to send');
    // One for each tenth; each of the four waits of 58 s has room for one more.
    expect(beats.length).toBeGreaterThanOrEqual(10);
    expect(beats.length).toBeLessThanOrEqual(14);
    expect(beats.at(-1)).toMatch(/^progress: 100\/100 requirements \(100 %\).*finishing$/);
  });

  it('gives a sign of life every 30 s while nothing happens', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN);
    vi.advanceTimersByTime(95_000);
    progress.stop();
    vi.advanceTimersByTime(95_000);
    expect(stream.text.match(/^progress: /gm)).toHaveLength(3);
  });

  it('does not announce short waits or the same wait twice', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN);
    progress.update(state({ waitingUntil: Date.now() + 1500 }));
    expect(stream.text).not.toContain('waiting');
    const until = Date.now() + 20_000;
    progress.update(state({ waitingUntil: until }));
    progress.update(state({ waitingUntil: until }));
    expect(stream.text.match(/waiting/g)).toHaveLength(1);
  });

  it('prints the first finding of each requirement', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN);
    const finding = { requirement: '4.3/unlisted', outcome: 'failed', message: 'wrong' } as const;
    progress.finding(finding);
    progress.finding({ ...finding, message: 'wrong again' });
    progress.finding({ ...finding, requirement: '4.2/x', outcome: 'warned' });
    expect(stream.text.split('\n').slice(1, -1)).toEqual([
      '✗ violation 4.3/unlisted: wrong',
      '! warning 4.2/x: wrong',
    ]);
  });
});

describe('progress on a terminal', () => {
  it('keeps one live line inside the width and takes it away', () => {
    const { progress, stream } = create(true);
    progress.start(PLAN);
    progress.update(
      state({ done: 50, requests: 20, waitingUntil: Date.now() + 14_000, findings: 3 }),
    );
    vi.advanceTimersByTime(3000);
    const drawn = stream.text.split('\r\u001b[2K').slice(1);
    expect(drawn.length).toBeGreaterThan(4);
    expect(drawn.some((line) => line.includes('50/100 done'))).toBe(true);
    expect(drawn.every((line) => line.length < 70 && !line.includes('\n'))).toBe(true);
    progress.stop();
    progress.stop();
    expect(stream.text.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('prints findings above the live line', () => {
    const { progress, stream } = create(true);
    progress.start(PLAN);
    progress.finding({ requirement: '4.3/unlisted', outcome: 'failed', message: 'wrong' });
    expect(stream.text).toContain(
      `\r\u001b[2K✗ violation 4.3/unlisted: wrong\n\r\u001b[2K[${'-'.repeat(20)}]`,
    );
  });
});

describe('hostile text', () => {
  it.each(HOSTILE)('%j neither moves the terminal nor gives an order', (text) => {
    for (const isTTY of [true, false]) {
      const { progress, stream } = create(isTTY);
      progress.start(PLAN);
      progress.update(state({ done: 10, currentTitle: text }));
      progress.finding({ requirement: text, outcome: 'failed', message: text });
      progress.stop();
      const own = stream.text.replaceAll('\r\u001b[2K', '\n');
      expect(own).not.toMatch(HIDDEN);
      expect(own).not.toMatch(/^\s*::/m);
      expect(own).not.toMatch(/##[a-z]*\[/i);
    }
  });
});
