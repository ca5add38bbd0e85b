import { columnsOf, fit, guardLines, palette, progressBar } from './console.ts';
import { createEstimator } from './eta.ts';
import type { Estimator, ProgressPlan } from './eta.ts';
import { formatDuration } from './labels.ts';
import { oneLine, plural } from '../text/text.ts';

export type { ProgressPlan } from './eta.ts';

/** Where progress is written; a Node stream fits. */
export interface ProgressStream {
  write(text: string): unknown;
  /** Columns of the terminal, when it is one. */
  readonly columns?: number | undefined;
}

export interface ProgressOptions {
  /** True for a terminal: one live line. False: plain lines, at most one per tenth of the run or 30 s. */
  readonly isTTY: boolean;
  readonly color: boolean;
  /** Clock, epoch ms. */
  readonly now: () => number;
}

export interface ProgressState {
  /** Requirements done and requirements selected. */
  readonly done: number;
  readonly total: number;
  /** Requests sent with valid keys. */
  readonly requests: number;
  /** End of the wait for the rate limit that is under way, epoch ms; null when nothing waits. */
  readonly waitingUntil: number | null;
  readonly currentTitle: string | null;
  readonly findings: number;
}

/** A finding as it is announced while the run goes on. */
export interface ProgressFinding {
  readonly requirement: string;
  readonly outcome: 'failed' | 'warned';
  readonly message: string;
}

export interface Progress {
  start(plan: ProgressPlan): void;
  update(state: ProgressState): void;
  /** Announces a finding; the first one of each requirement is printed, later ones only count. */
  finding(finding: ProgressFinding): void;
  /** Ends the display and takes the live line away. Safe to call twice. */
  stop(): void;
}

const HEARTBEAT_MS = 30_000;
const TICK_MS = 1_000;
/** Shorter waits are not worth a line. */
const ANNOUNCED_WAIT_MS = 2_000;

interface Running {
  readonly plan: ProgressPlan;
  readonly startedAt: number;
  readonly estimator: Estimator;
}

/** Shows how a run advances, with the time left at the pace that the rate limit allows. */
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

  const timeLeft = (run: Running, current: ProgressState): string => {
    const left = run.estimator.left(now(), current.waitingUntil);
    return current.done >= current.total
      ? 'finishing'
      : `about ${formatDuration(Math.max(1000, left))} left`;
  };

  const drawBar = (): void => {
    if (running === null || state === null) return;
    const wait = state.waitingUntil === null ? 0 : state.waitingUntil - now();
    const activity =
      wait > 0
        ? `waiting ${formatDuration(Math.ceil(wait / 1000) * 1000)} for the rate limit`
        : state.currentTitle === null
          ? ''
          : oneLine(state.currentTitle, 200);
    const drawn = progressBar(state.total === 0 ? 0 : state.done / state.total);
    const text = [
      drawn,
      `${state.done}/${state.total} done`,
      plural(state.requests, 'request'),
      timeLeft(running, state),
      plural(state.findings, 'finding'),
      activity,
    ]
      .filter((part) => part !== '')
      .join('  ');
    const shown = guardLines(fit(text, Math.max(20, (stream.columns ?? 80) - 1)));
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
        plural(state.requests, 'request'),
        plural(state.findings, 'finding'),
        `${formatDuration(now() - running.startedAt)} elapsed`,
        timeLeft(running, state),
      ].join(', '),
    );
    lastLineAt = now();
  };

  const announceWait = (current: ProgressState, run: Running): void => {
    const until = current.waitingUntil;
    if (until === null || until <= announcedWait || until - now() < ANNOUNCED_WAIT_MS) return;
    announcedWait = until;
    const toGo = Math.max(0, run.plan.requests - current.requests);
    line(
      `rate limit: waiting ${formatDuration(until - now())}, ${plural(toGo, 'request')} still to send`,
    );
    lastLineAt = now();
  };

  const tick = (): void => {
    if (isTTY) drawBar();
    else if (now() - lastLineAt >= HEARTBEAT_MS) heartbeat();
  };

  return {
    start(plan) {
      running = { plan, startedAt: now(), estimator: createEstimator(plan, now()) };
      state = {
        done: 0,
        total: plan.total,
        requests: 0,
        waitingUntil: null,
        currentTitle: null,
        findings: 0,
      };
      lastLineAt = now();
      const keys = plural(Math.max(1, plan.keys), 'key');
      const left = formatDuration(Math.max(1000, paced(plan)));
      line(
        `${plural(plan.total, 'requirement')} with at most ${plural(plan.requests, 'request')} and ${keys}: ${left} at most, at ${plan.limit} requests per ${formatDuration(plan.windowMs)} and key`,
      );
      if (timer !== null) clearInterval(timer);
      timer = setInterval(tick, TICK_MS);
      timer.unref();
      if (isTTY) drawBar();
    },
    update(next) {
      if (running === null) return;
      running.estimator.sent(next.requests, now());
      state = next;
      if (isTTY) {
        drawBar();
        return;
      }
      announceWait(next, running);
      const tenth = next.total === 0 ? 0 : Math.floor((next.done * 10) / next.total);
      if (tenth > lastTenth) {
        lastTenth = tenth;
        heartbeat();
      } else if (now() - lastLineAt >= HEARTBEAT_MS) heartbeat();
    },
    finding(finding) {
      if (announced.has(finding.requirement)) return;
      announced.add(finding.requirement);
      const icon =
        finding.outcome === 'failed' ? paint.red('✗ violation') : paint.yellow('! warning');
      line(`${icon} ${oneLine(finding.requirement, 100)}: ${oneLine(finding.message, 300)}`);
      if (isTTY) drawBar();
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

/** Time that the rate limit alone makes a run take, ms: every window but the first has to be waited for. */
function paced(plan: ProgressPlan): number {
  const capacity = Math.max(1, plan.limit * Math.max(1, plan.keys));
  return Math.max(0, Math.ceil(plan.requests / capacity) - 1) * plan.windowMs;
}
