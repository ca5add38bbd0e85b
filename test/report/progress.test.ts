import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  timeLeft,
  type ProgressPlan,
  type Sent,
  createProgress,
  type Progress,
} from '../../src/report/terminal/progress.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';

const PLAN: ProgressPlan = {
  total: 100,
  requests: 100,
  restricted: 0,
  keys: 1,
  limit: 20,
  windowMs: 60_000,
  windowsAre: 'paced',
};
const COST = '100 requests with valid keys';

class Capture {
  text = '';
  readonly columns = 70;
  write(text: string): void {
    this.text += text;
  }
}

const sent = (valid: number): Sent => ({ valid, restricted: 0 });

function create(isTTY: boolean): { progress: Progress; stream: Capture } {
  const stream = new Capture();
  const progress = createProgress(stream, { isTTY, color: false });
  return { progress, stream };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends 100 requests in bursts of 20 a minute, as a paced run does; returns the real end. */
function pacedRun(
  onSent: (requests: number, waitingUntil: number | null) => void,
  { latencyMs = 100, lateMs = 0 } = {},
): number {
  for (let count = 1; count <= 100; count += 1) {
    vi.advanceTimersByTime(latencyMs);
    onSent(count, null);
    if (count % 20 === 0 && count < 100) {
      const until = Date.now() + 60_000 - 20 * latencyMs + lateMs;
      onSent(count, until);
      vi.advanceTimersByTime(until - Date.now());
    }
  }
  return Date.now();
}

describe('the time left', () => {
  it('is right within 15 % after a quarter of a paced run, never shorter than the wait, and never rises', () => {
    let windowStart = Date.now();
    const seen: { at: number; left: number; sent: number }[] = [];
    const end = pacedRun((count, waitingUntil) => {
      if (count % 20 === 1) windowStart = Date.now();
      const at = { windowStart, waitingUntil, now: Date.now() };
      const { ms, nextMs } = timeLeft(PLAN, sent(count), at);
      if (ms !== null) seen.push({ at: Date.now(), left: ms, sent: count });
      expect(ms ?? 0).toBeGreaterThanOrEqual(nextMs ?? 0);
    });
    for (const point of seen.filter((one) => one.sent >= 25 && one.sent < 80)) {
      const truth = end - point.at;
      expect(Math.abs(point.left - truth) / truth).toBeLessThan(0.15);
    }
    expect(seen.map(({ left }) => left)).toEqual(
      seen.map(({ left }) => left).toSorted((a, b) => b - a),
    );
    expect(seen.at(-1)?.sent).toBe(80);
  });

  it('counts windows down, those of the restricted key, too', () => {
    const left = (valid: number, restricted: number, more: Partial<ProgressPlan> = {}) =>
      timeLeft(
        { ...PLAN, ...more },
        { valid, restricted },
        { windowStart: 0, waitingUntil: null, now: 0 },
      );
    expect(left(0, 0)).toEqual({ windows: 4, nextMs: null, ms: 240_000 });
    const waiting = { windowStart: 0, waitingUntil: 60_000, now: 18_000 };
    expect(timeLeft(PLAN, sent(20), waiting)).toEqual({ windows: 4, nextMs: 42_000, ms: 222_000 });
    expect(left(21, 0).windows).toBe(3);
    expect(left(0, 0, { keys: 6 })).toEqual({ windows: 0, nextMs: null, ms: null });
    expect(left(0, 0, { keys: 6, restricted: 41 }).windows).toBe(2);
    expect(left(20, 21, { keys: 6, restricted: 41 }).windows).toBe(1);
    // One more than planned, such as a repeat, has to wait for a window of its own.
    expect(timeLeft({ ...PLAN, requests: 20 }, sent(20), waiting).windows).toBe(1);
  });
});

describe('progress without a terminal', () => {
  it('prints plain lines, at most one a tenth, and announces waits', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN, COST);
    pacedRun((count, waitingUntil) => {
      progress.update({ done: count, sent: sent(count), waitingUntil });
    });
    progress.end();
    progress.stop();
    expect(stream.text).not.toMatch(HIDDEN);
    const lines = stream.text.trimEnd().split('\n');
    expect(lines[0]).toBe('100 requirements: 100 requests with valid keys');
    const beats = lines.filter((line) => line.startsWith('progress: '));
    const waits = lines.filter((line) => line.startsWith('waiting for the rate limit'));
    expect(waits).toHaveLength(4);
    expect(waits[0]).toMatch(
      /^waiting for the rate limit: next window in 58 s, 4 windows left, about 3 min 58 s left, 20 of 100 requests sent$/,
    );
    expect(waits[3]).toContain('next window in 58 s, 1 window left');
    // One for each tenth; each of the four waits of 58 s has room for one more.
    expect(beats.length).toBeGreaterThanOrEqual(10);
    expect(beats.length).toBeLessThanOrEqual(14);
    expect(beats.at(-1)).toMatch(/^progress: 100\/100 requirements \(100 %\).*finishing$/);
    expect(lines.at(-1)).toBe('sent 100 requests with valid keys, as planned');
  });

  it('gives a sign of life every 30 s while nothing happens', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN, COST);
    vi.advanceTimersByTime(95_000);
    progress.stop();
    vi.advanceTimersByTime(95_000);
    expect(stream.text.match(/^progress: /gm)).toHaveLength(3);
  });

  it('does not announce short waits or the same wait twice', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN, COST);
    progress.update({ waitingUntil: Date.now() + 1500 });
    expect(stream.text).not.toContain('waiting');
    const until = Date.now() + 20_000;
    progress.update({ waitingUntil: until });
    progress.update({ waitingUntil: until });
    expect(stream.text.match(/waiting/g)).toHaveLength(1);
  });

  it('says no time where nothing is waited for, and nothing of the plan where nobody counted', () => {
    const { progress, stream } = create(false);
    progress.start({ ...PLAN, requests: null, windowsAre: 'irrelevant' }, null);
    progress.update({ done: 50 });
    vi.advanceTimersByTime(65_000);
    progress.end();
    progress.stop();
    expect(stream.text).not.toMatch(/left|window| of \d+ requests|sent/);
    expect(stream.text).toContain(
      'progress: 50/100 requirements (50 %), 0 requests, 0 failed checks',
    );
  });

  it('names at the end what the rules found without a failed check', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN, COST);
    const seen = { requirement: '4.3/order', outcome: 'failed', message: 'm' } as const;
    progress.finding(seen);
    progress.end([seen, { ...seen, requirement: '7/status-agrees' }]);
    expect(stream.text.match(/✗ violation .*/g)).toEqual([
      '✗ violation 4.3/order: m',
      '✗ violation 7/status-agrees: m',
    ]);
  });

  it('prints the first finding of each requirement', () => {
    const { progress, stream } = create(false);
    progress.start(PLAN, COST);
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
    progress.start(PLAN, COST);
    progress.update({ done: 50, sent: sent(20), waitingUntil: Date.now() + 14_000 });
    vi.advanceTimersByTime(3000);
    const drawn = stream.text.split('\r\u001b[2K').slice(1);
    expect(drawn.length).toBeGreaterThan(4);
    expect(drawn[1]).toMatch(/^\[#{10}-{10}\]  next window in 14 s, 4 windows left/);
    expect(drawn.at(-1)).toContain('next window in 11 s');
    vi.advanceTimersByTime(12_000);
    expect(stream.text.split('\r\u001b[2K').at(-1)).toContain(
      '4 windows left, about 3 min 45 s left, 50/1',
    );
    expect(drawn.every((line) => line.length < 70 && !line.includes('\n'))).toBe(true);
    progress.stop();
    progress.stop();
    expect(stream.text.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('draws on a terminal that says it has no columns', () => {
    const stream = new Capture();
    const narrow = { write: (text: string) => stream.write(text), columns: 0 };
    const progress = createProgress(narrow, { isTTY: true, color: false });
    progress.start(PLAN, COST);
    progress.stop();
    expect(stream.text).toContain('0/100 requirem');
  });

  it('prints findings above the live line', () => {
    const { progress, stream } = create(true);
    progress.start(PLAN, COST);
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
      progress.start(PLAN, COST);
      progress.update({ done: 10 });
      progress.finding({ requirement: text, outcome: 'failed', message: text });
      progress.stop();
      const own = stream.text.replaceAll('\r\u001b[2K', '\n');
      expect(own).not.toMatch(HIDDEN);
      expect(own).not.toMatch(/^\s*::/m);
      expect(own).not.toMatch(/##[a-z]*\[/i);
    }
  });
});
