import { TargetError } from '../../target/errors.ts';
import { isObject, parsedJson } from '../../text/json-value.ts';
import type { Client } from '../client.ts';

/** Sends `{"advanceMs": n}` to the clock control of a test target and returns its new time, epoch ms. */
export type AdvanceClock = (advanceMs: number) => Promise<number>;

export interface RunClockOptions {
  /** Local time, epoch ms; must not go backwards. */
  readonly now?: () => number;
  /** Waits in real time; resolves early when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Set when the target's clock can be advanced, so that planned waits take no real time. */
  readonly advance?: AdvanceClock;
  /** Called after an advance with the target's time, and the run's time before and after the call, all epoch ms. */
  readonly onAdvance?: (targetNow: number, sentAt: number, receivedAt: number) => void;
}

/** The clock of a run. */
export type RunClock = ReturnType<typeof runClock>;

/**
 * The run's clock: local time plus all advances of the target's clock. An advance does not change the skew to the
 * target, so waiting and skew need no special case.
 */
export function runClock({
  now: preciseNow = monotonicNow,
  sleep: pause = sleep,
  advance,
  onAdvance,
}: RunClockOptions) {
  let advancedMs = 0;
  /** Resolves when no advance is in progress. */
  let moved: Promise<unknown> = Promise.resolve();
  const localNow = (): number => Math.round(preciseNow());
  const now = (): number => localNow() + advancedMs;

  /** Runs advances sequentially: the reported time would otherwise include another advance. */
  const serialized = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = moved.then(work);
    moved = done.catch(() => undefined);
    return done;
  };
  const move = async (ms: number): Promise<number> => {
    if (advance === undefined) {
      throw new TargetError(
        'ASSAY_TARGET_CLOCK',
        'The clock of the target cannot be advanced: clock.control is not set.',
        'Set clock.control for a test target; live services do not have it.',
      );
    }
    const whole = Math.ceil(ms);
    const sentAt = now() + whole;
    const targetNow = await advance(whole);
    advancedMs += whole;
    onAdvance?.(targetNow, sentAt, now());
    return targetNow;
  };
  return {
    /** Local time for exchanges, epoch ms with microseconds: the judge tells from them which request was answered first. */
    preciseNow,
    /** Local time, epoch ms. */
    localNow,
    /** Local time plus all advances, epoch ms. */
    now,
    /** Waits in real time even if the clock is controlled, for pauses before retries. */
    pause,
    /** True when waiting advances the target's clock instead of taking time. */
    controlled: advance !== undefined,
    /** Total advance of the target's clock in this run, ms. */
    get advancedMs(): number {
      return advancedMs;
    },
    /** Waits by advancing the target's clock, or else in real time. */
    async wait(ms: number, signal?: AbortSignal): Promise<void> {
      if (advance === undefined) return pause(ms, signal);
      const until = now() + ms;
      await serialized(async () => {
        // Concurrent waits overlap, as in real time.
        const left = until - now();
        if (left > 0) await move(left);
      });
    },
    /** Advances the clock of a test target, and returns its time. @throws TargetError without one */
    advance: (ms: number): Promise<number> => serialized(() => move(ms)),
  };
}

/** Monotonic epoch ms, in steps of a microsecond. */
function monotonicNow(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000) / 1000;
}

/** Resolves after `ms`, or when the signal is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted === true) done();
    else signal?.addEventListener('abort', done);
  });

/** A function that calls the clock control of a test target, without keys and configured headers. */
export function clockControl(control: string, client: Client): AdvanceClock {
  const url = new URL(control);
  return async (advanceMs) => {
    const { response, error } = await client.send({
      method: 'POST',
      origin: url.origin,
      requestPath: `${url.pathname}${url.search}`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs }),
    });
    const told = response?.status === 200 ? parsedJson(response.body.toString('utf8')) : null;
    if (isObject(told) && typeof told['now'] === 'number') return told['now'];
    throw new TargetError(
      'ASSAY_TARGET_CLOCK',
      `clock.control did not advance the clock: ${error === null ? `status ${response?.status ?? 0} without {"now": epoch ms}` : `${error.kind}: ${error.message}`}`,
      'Check the URL, or remove clock.control so that waits take real time.',
    );
  };
}
