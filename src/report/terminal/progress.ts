import { columnsIn, columnsOf, fit, guardLines, palette, progressBar } from './console.ts';
import { createEstimator } from './eta.ts';
import type { Estimator, ProgressPlan, Sent } from './eta.ts';
import { formatDuration } from '../model/labels.ts';
import { oneLine, plural } from '../../text/text.ts';

export type { ProgressPlan, Sent } from './eta.ts';

/** Where progress is written, such as a Node stream. */
export interface ProgressStream {
  write(text: string): unknown;
  /** Columns of the terminal, when it is one. */
  readonly columns?: number | undefined;
}

export interface ProgressOptions {
  /** True for one live line on a terminal, false for plain lines: at most one per tenth of the run or 30 s. */
  readonly isTTY: boolean;
  readonly color: boolean;
  /** Clock, epoch ms. */
  readonly now: () => number;
}

export interface ProgressState {
  /** Requirements done, of those selected. */
  readonly done: number;
  readonly total: number;
  readonly sent: Sent;
  /** End of the current wait for the rate limit, epoch ms; null when not waiting. */
  readonly waitingUntil: number | null;
  readonly currentTitle: string | null;
  readonly findings: number;
}

/** A finding as announced during the run. */
export interface ProgressFinding {
  readonly requirement: string;
  readonly outcome: 'failed' | 'warned';
  readonly message: string;
}

export interface Progress {
  /** @param cost the cost according to the plan, in words; null when unknown */
  start(plan: ProgressPlan, cost: string | null): void;
  update(state: ProgressState): void;
  /** Announces the first finding of each requirement. */
  finding(finding: ProgressFinding): void;
  /** Compares the requests sent with the plan. */
  end(): void;
  /** Stops the display and clears the live line. Safe to call twice. */
  stop(): void;
}

const HEARTBEAT_MS = 30_000;
const TICK_MS = 1_000;
/** Shorter waits are not announced. */
const ANNOUNCED_WAIT_MS = 2_000;

interface Running {
  readonly plan: ProgressPlan;
  readonly startedAt: number;
  readonly estimator: Estimator;
}

/** Shows the progress of a run and the time left at the pace of the rate limit. */
export function createProgress(stream: ProgressStream, options: ProgressOptions): Progress {
  const { isTTY, now } = options;
  const paint = palette(options.color);
  let running: Running | null = null;
  let state: ProgressState | null = null;
  let timer: ReturnType<typeof setInterval> | null = null;
  let barShown = false;
  let lastLineAt = 0;
  let lastTenth = 0;
  let announcedWait = 0;
  const announced = new Set<string>();

  const line = (text: string): void => {
    if (barShown) stream.write('\r\u001b[2K');
    barShown = false;
    stream.write(`${guardLines(text)}\n`);
  };

  /** Windows and time left; empty when no windows have to be waited for. */
  const timeLeft = (run: Running, current: ProgressState): readonly string[] => {
    if (current.done >= current.total) return ['finishing'];
    if (run.plan.requests === null || run.plan.windowsAre !== 'paced') return [];
    const { windows, nextMs, ms } = run.estimator.left(now(), current.waitingUntil);
    return [
      ...(nextMs === null ? [] : [`next window in ${inSeconds(nextMs)}`]),
      ...(windows === 0 ? [] : [`${plural(windows, 'window')} left`]),
      ...(ms === null ? [] : [`about ${inSeconds(ms)} left`]),
    ];
  };

  const requests = ({ plan }: Running, { sent }: ProgressState): string =>
    plan.requests === null || sent.valid > plan.requests
      ? plural(sent.valid, 'request')
      : `${sent.valid} of ${plural(plan.requests, 'request')}`;

  const drawBar = (): void => {
    if (running === null || state === null) return;
    const waits = (state.waitingUntil ?? 0) > now();
    const left = timeLeft(running, state);
    const drawn = progressBar(state.total === 0 ? 0 : state.done / state.total);
    const text = [
      drawn,
      // First, because a narrow terminal cuts off the end.
      ...(waits ? [`waiting: ${left.join(', ')}`] : []),
      `${state.done}/${state.total} done`,
      requests(running, state),
      ...(waits ? [] : left),
      plural(state.findings, 'finding'),
      ...(waits || state.currentTitle === null ? [] : [oneLine(state.currentTitle, 200)]),
    ].join('  ');
    const shown = guardLines(fit(text, Math.max(20, columnsIn(stream) - 1)));
    const bar = shown.slice(0, drawn.length);
    stream.write(`\r\u001b[2K${paint.cyan(bar)}${shown.slice(bar.length)}`);
    barShown = columnsOf(shown) > 0;
  };

  const heartbeat = (): void => {
    if (running === null || state === null) return;
    const percent = state.total === 0 ? 0 : Math.floor((state.done * 100) / state.total);
    line(
      [
        `progress: ${state.done}/${state.total} requirements (${percent} %)`,
        requests(running, state),
        plural(state.findings, 'finding'),
        `${formatDuration(now() - running.startedAt)} elapsed`,
        ...timeLeft(running, state),
      ].join(', '),
    );
    lastLineAt = now();
  };

  const announceWait = (current: ProgressState, run: Running): void => {
    const until = current.waitingUntil;
    if (until === null || until <= announcedWait || until - now() < ANNOUNCED_WAIT_MS) return;
    announcedWait = until;
    const left = timeLeft(run, current);
    const words = left.length > 0 ? left : [`next window in ${inSeconds(until - now())}`];
    line(`waiting for the rate limit: ${[...words, requests(run, current)].join(', ')} sent`);
    lastLineAt = now();
  };

  const tick = (): void => {
    if (isTTY) drawBar();
    else if (now() - lastLineAt >= HEARTBEAT_MS) heartbeat();
  };

  return {
    start(plan, cost) {
      running = { plan, startedAt: now(), estimator: createEstimator(plan, now()) };
      state = {
        done: 0,
        total: plan.total,
        sent: { valid: 0, restricted: 0 },
        waitingUntil: null,
        currentTitle: null,
        findings: 0,
      };
      lastLineAt = now();
      const all = plural(plan.total, 'requirement');
      line(cost === null ? all : `${all}: ${cost}`);
      if (timer !== null) clearInterval(timer);
      timer = setInterval(tick, TICK_MS);
      timer.unref();
      if (isTTY) drawBar();
    },
    update(next) {
      if (running === null) return;
      running.estimator.sent(next.sent, now());
      state = next;
      if (isTTY) {
        drawBar();
        return;
      }
      announceWait(next, running);
      const tenth = next.total === 0 ? 0 : Math.floor((next.done * 10) / next.total);
      if (tenth > lastTenth || now() - lastLineAt >= HEARTBEAT_MS) heartbeat();
      lastTenth = Math.max(lastTenth, tenth);
    },
    finding(finding) {
      if (announced.has(finding.requirement)) return;
      announced.add(finding.requirement);
      const icon =
        finding.outcome === 'failed' ? paint.red('✗ violation') : paint.yellow('! warning');
      line(`${icon} ${oneLine(finding.requirement, 100)}: ${oneLine(finding.message, 300)}`);
      if (isTTY) drawBar();
    },
    end() {
      if (running === null || state === null) return;
      const { requests: planned, windowsAre } = running.plan;
      if (windowsAre === 'irrelevant') return;
      const { valid } = state.sent;
      const compared =
        planned === null ? '' : valid === planned ? ', as planned' : `, ${planned} planned`;
      line(`sent ${plural(valid, 'request')} with valid keys${compared}`);
    },
    stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      running = null;
      if (barShown) stream.write('\r\u001b[2K');
      barShown = false;
    },
  };
}

/** A remaining time in whole seconds, rounded up. */
const inSeconds = (ms: number): string =>
  formatDuration(Math.max(1, Math.ceil(ms / 1000)) * 1000).replace(/\.0 s$/, ' s');

/**
 * Shows elapsed and remaining time for work that reports no progress: a live line on a terminal, a plain line every 30 s
 * elsewhere. Returns a function that stops it and clears the live line; safe to call twice.
 *
 * @param ms the estimated duration
 */
export function showElapsed(
  stream: ProgressStream,
  { isTTY, color, now, ms }: ProgressOptions & { readonly ms: number },
): () => void {
  const paint = palette(color);
  const from = now();
  const text = (): string => {
    const elapsed = now() - from;
    const left = elapsed < ms ? `about ${formatDuration(ms - elapsed)} left` : 'finishing';
    return `${formatDuration(elapsed)} elapsed, ${left}`;
  };
  const draw = (): void => {
    const line = fit(text(), Math.max(10, columnsIn(stream) - 24));
    stream.write(`\r\u001b[2K${paint.cyan(progressBar((now() - from) / ms))} ${line}`);
  };
  const timer = isTTY
    ? setInterval(draw, TICK_MS)
    : setInterval(() => stream.write(`progress: ${text()}\n`), HEARTBEAT_MS);
  timer.unref();
  if (isTTY) draw();
  let shown = isTTY;
  return () => {
    clearInterval(timer);
    if (shown) stream.write('\r\u001b[2K');
    shown = false;
  };
}
