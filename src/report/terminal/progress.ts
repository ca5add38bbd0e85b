import { columnsIn, fit, guardLines, palette, progressBar } from './console.ts';
import { formatDuration } from '../model/labels.ts';
import { oneLine, plural } from '../../text/text.ts';

/** What is known about a run before its first request. */
export interface ProgressPlan {
  readonly total: number;
  /** Planned requests with valid keys; null when unknown. */
  readonly requests: number | null;
  /** Planned requests with the restricted key, whose windows can hold up a run too. */
  readonly restricted: number;
  readonly keys: number;
  /** Requests per key per window (§8). */
  readonly limit: number;
  /** Length of a window, ms (§8: 60 s; a test target may scale it). */
  readonly windowMs: number;
  /** How a full window is handled: wait, advance the target's clock, or ignore it because nothing is sent. */
  readonly windowsAre: 'paced' | 'skipped' | 'irrelevant';
}

/** Requests sent so far, including those of the run that this one resumes. */
export interface Sent {
  readonly valid: number;
  readonly restricted: number;
}

/** Windows that the requests fill, with these keys. */
export const windowsOf = ({ limit }: ProgressPlan, requests: number, keys: number): number =>
  Math.ceil(requests / Math.max(1, limit * keys));

/**
 * Estimates the time left from the plan: a run sends its first window at once and then waits, so an average would be wrong.
 * @param clock epoch ms; `windowStart`: when the first request of the present window was sent
 * @returns `windows` still to wait for, including a wait in progress; `nextMs` until the next one, null when not waiting; `ms`
 *   until the last one begins, null without one
 */
export function timeLeft(
  plan: ProgressPlan,
  sent: Sent,
  clock: { now: number; windowStart: number; waitingUntil: number | null },
) {
  const { windowStart, waitingUntil, now } = clock;
  const toOpen = (planned: number, own: number, keys: number): number =>
    windowsOf(plan, planned, keys) - Math.max(1, windowsOf(plan, own, keys));
  const nextMs = waitingUntil !== null && waitingUntil > now ? waitingUntil - now : null;
  const windows = Math.max(
    nextMs === null ? 0 : 1,
    toOpen(plan.requests ?? 0, sent.valid, plan.keys),
    toOpen(plan.restricted, sent.restricted, 1),
  );
  const untilNext = nextMs ?? Math.max(0, windowStart + plan.windowMs - now);
  return { windows, nextMs, ms: windows === 0 ? null : untilNext + (windows - 1) * plan.windowMs };
}

/** Where progress is written, such as a Node stream. */
export interface ProgressStream {
  write(text: string): unknown;
  readonly columns?: number | undefined;
}

export interface ProgressOptions {
  /** True for one live line on a terminal, false for plain lines: at most one per tenth of the run or 30 s. */
  readonly isTTY: boolean;
  readonly color: boolean;
}

export interface ProgressState {
  readonly done: number;
  readonly sent: Sent;
  /** End of the current wait for the rate limit, epoch ms; null when not waiting. */
  readonly waitingUntil: number | null;
}

/** A finding as announced during the run. */
export interface ProgressFinding {
  readonly requirement: string;
  readonly outcome: 'failed' | 'warned';
  readonly message: string;
}

/** The display of the progress of a run. */
export type Progress = ReturnType<typeof createProgress>;

const HEARTBEAT_MS = 30_000;
const TICK_MS = 1_000;
/** Shorter waits are not announced. */
const ANNOUNCED_WAIT_MS = 2_000;

/** The last line of a terminal, drawn again and again below the lines that are printed. */
function liveLine(stream: ProgressStream, { color }: Pick<ProgressOptions, 'color'>) {
  const paint = palette(color);
  let isShown = false;
  const clear = (): void => {
    if (isShown) stream.write('\r\u001b[2K');
    isShown = false;
  };
  return {
    clear,
    print(text: string): void {
      clear();
      stream.write(`${guardLines(text)}\n`);
    },
    draw(share: number, text: string): void {
      const bar = `${progressBar(share)}  `;
      const room = Math.max(20, columnsIn(stream) - 1) - bar.length;
      stream.write(`\r\u001b[2K${paint.cyan(bar)}${guardLines(fit(text, room))}`);
      isShown = true;
    },
  };
}

interface Running extends ProgressState {
  readonly plan: ProgressPlan;
  readonly startedAt: number;
  readonly windowStart: number;
}

/** Shows the progress of a run and the time left at the pace of the rate limit. */
export function createProgress(stream: ProgressStream, options: ProgressOptions) {
  const { isTTY } = options;
  const paint = palette(options.color);
  const live = liveLine(stream, options);
  let running: Running | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastLineAt = 0;
  let lastTenth = 0;
  let announcedWait = 0;
  let failedChecks = 0;
  const announced = new Set<string>();

  /** Windows and time left; empty when no windows have to be waited for. */
  const leftWords = (run: Running): readonly string[] => {
    const { plan, done, sent } = run;
    if (done >= plan.total) return ['finishing'];
    if (plan.requests === null || plan.windowsAre !== 'paced') return [];
    const { windows, nextMs, ms } = timeLeft(plan, sent, { ...run, now: Date.now() });
    return [
      ...(nextMs === null ? [] : [`next window in ${inSeconds(nextMs)}`]),
      ...(windows === 0 ? [] : [`${plural(windows, 'window')} left`]),
      ...(ms === null ? [] : [`about ${inSeconds(ms)} left`]),
    ];
  };

  const requestWords = ({ plan, sent }: Running): string =>
    plan.requests === null || sent.valid > plan.requests
      ? plural(sent.valid, 'request')
      : `${sent.valid} of ${plural(plan.requests, 'request')}`;

  const shareOf = ({ plan: { total }, done }: Running): number => (total === 0 ? 0 : done / total);

  const countWords = (run: Running): readonly string[] => [
    `${run.done}/${run.plan.total} requirements (${Math.floor(shareOf(run) * 100)} %)`,
    requestWords(run),
    plural(failedChecks, 'failed check'),
    `${formatDuration(Date.now() - run.startedAt)} elapsed`,
  ];

  const print = (words: readonly string[]): void => {
    live.print(words.join(', '));
    lastLineAt = Date.now();
  };

  const heartbeat = (run: Running): void => {
    const [first = '', ...more] = countWords(run);
    print([`progress: ${first}`, ...more, ...leftWords(run)]);
  };

  const announceWait = (run: Running): void => {
    const until = run.waitingUntil;
    if (until === null || until <= announcedWait || until - Date.now() < ANNOUNCED_WAIT_MS) return;
    announcedWait = until;
    const left = leftWords(run);
    const [first, ...rest] =
      left.length > 0 ? left : [`next window in ${inSeconds(until - Date.now())}`];
    print([`waiting for the rate limit: ${first ?? ''}`, ...rest, `${requestWords(run)} sent`]);
  };

  const announce = ({ requirement, outcome, message }: ProgressFinding): void => {
    if (announced.has(requirement)) return;
    announced.add(requirement);
    const icon = outcome === 'failed' ? paint.red('✗ violation') : paint.yellow('! warning');
    live.print(`${icon} ${oneLine(requirement, 100)}: ${oneLine(message, 300)}`);
  };

  /** Draws the live line, or prints a line when the last one was long ago. */
  const show = (): void => {
    if (running === null) return;
    // The time left comes first, because a narrow terminal cuts off the end.
    const words = [...leftWords(running), ...countWords(running)];
    if (isTTY) live.draw(shareOf(running), words.join(', '));
    else if (Date.now() - lastLineAt >= HEARTBEAT_MS) heartbeat(running);
  };

  return {
    /** @param cost the cost according to the plan, in words; null when unknown */
    start(plan: ProgressPlan, cost: string | null): void {
      const state = { done: 0, sent: { valid: 0, restricted: 0 }, waitingUntil: null };
      running = { plan, startedAt: Date.now(), windowStart: Date.now(), ...state };
      print([`${plural(plan.total, 'requirement')}${cost === null ? '' : `: ${cost}`}`]);
      clearInterval(timer);
      timer = setInterval(show, TICK_MS);
      timer.unref();
      show();
    },
    update(changed: Partial<ProgressState>): void {
      if (running === null) return;
      const next = { ...running, ...changed };
      const opened = ({ plan, sent }: Running): number => windowsOf(plan, sent.valid, plan.keys);
      const isNewWindow = opened(next) > Math.max(1, opened(running));
      running = { ...next, ...(isNewWindow && { windowStart: Date.now() }) };
      if (!isTTY) announceWait(running);
      const tenth = Math.floor(shareOf(running) * 10);
      if (!isTTY && tenth > lastTenth) heartbeat(running);
      else show();
      lastTenth = Math.max(lastTenth, tenth);
    },
    /** Counts a failed check, and announces the first one of each requirement. */
    finding(one: ProgressFinding): void {
      failedChecks += 1;
      announce(one);
      if (isTTY) show();
    },
    /** Announces what was found without a check of its own, and compares the requests sent with the plan. */
    end(found: readonly ProgressFinding[] = []): void {
      if (running === null) return;
      found.forEach(announce);
      if (running.plan.windowsAre === 'irrelevant') return;
      const planned = running.plan.requests;
      const { valid } = running.sent;
      const compared =
        planned === null ? '' : valid === planned ? ', as planned' : `, ${planned} planned`;
      live.print(`sent ${plural(valid, 'request')} with valid keys${compared}`);
    },
    /** Stops the display and clears the live line. Safe to call twice. */
    stop(): void {
      clearInterval(timer);
      running = null;
      live.clear();
    },
  };
}

/** A remaining time in whole seconds, rounded up. */
const inSeconds = (ms: number): string =>
  formatDuration(Math.max(1, Math.ceil(ms / 1000)) * 1000).replace(/\.0 s$/, ' s');

/** Shows elapsed time of `ms` for work that reports no progress. Returns a function that stops it, safe to call twice. */
export function showElapsed(
  stream: ProgressStream,
  { ms, ...options }: ProgressOptions & { readonly ms: number },
): () => void {
  const { isTTY } = options;
  const live = liveLine(stream, options);
  const from = Date.now();
  const show = (): void => {
    const elapsed = Date.now() - from;
    const left = elapsed < ms ? `about ${formatDuration(ms - elapsed)} left` : 'finishing';
    const words = `${formatDuration(elapsed)} elapsed, ${left}`;
    if (isTTY) live.draw(elapsed / ms, words);
    else live.print(`progress: ${words}`);
  };
  const timer = setInterval(show, isTTY ? TICK_MS : HEARTBEAT_MS);
  timer.unref();
  if (isTTY) show();
  return () => {
    clearInterval(timer);
    live.clear();
  };
}
