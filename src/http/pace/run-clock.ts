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

/**
 * The run's clock: local time plus all advances of the target's clock. An advance does not change the skew to the
 * target, so waiting and skew need no special case.
 */
export class RunClock {
  /** True when waiting advances the target's clock instead of taking time. */
  readonly controlled: boolean;
  /** Local time for exchanges, epoch ms with microseconds: the judge tells from them which request was answered first. */
  readonly preciseNow: () => number;
  /** Waits in real time even if the clock is controlled, for pauses before retries. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #options: RunClockOptions;
  #advancedMs = 0;
  /** Resolves when no advance is in progress. */
  #moved: Promise<unknown> = Promise.resolve();

  constructor(options: RunClockOptions = {}) {
    this.#options = options;
    this.controlled = options.advance !== undefined;
    this.preciseNow = options.now ?? monotonicNow;
    this.pause = options.sleep ?? sleep;
  }

  /** Local time, epoch ms. */
  localNow(): number {
    return Math.round(this.preciseNow());
  }

  /** Local time plus all advances, epoch ms. */
  now(): number {
    return this.localNow() + this.#advancedMs;
  }

  /** Total advance of the target's clock in this run, ms. */
  get advancedMs(): number {
    return this.#advancedMs;
  }

  /** Waits by advancing the target's clock, or else in real time. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.controlled) return this.pause(ms, signal);
    const until = this.now() + ms;
    await this.#serialized(async () => {
      // Concurrent waits overlap, as in real time.
      const left = until - this.now();
      if (left > 0) await this.#move(left);
    });
  }

  /** Advances the clock of a test target, and returns its time. @throws TargetError without one */
  advance(ms: number): Promise<number> {
    return this.#serialized(() => this.#move(ms));
  }

  /** Runs advances sequentially: the reported time would otherwise include another advance. */
  #serialized<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#moved.then(work);
    this.#moved = done.catch(() => undefined);
    return done;
  }

  async #move(ms: number): Promise<number> {
    const { advance, onAdvance } = this.#options;
    if (advance === undefined) {
      throw new TargetError(
        'ASSAY_TARGET_CLOCK',
        'The clock of the target cannot be advanced: clock.control is not set.',
        'Set clock.control for a test target; live services do not have it.',
      );
    }
    const whole = Math.ceil(ms);
    const sentAt = this.now() + whole;
    const targetNow = await advance(whole);
    this.#advancedMs += whole;
    onAdvance?.(targetNow, sentAt, this.now());
    return targetNow;
  }
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
export function clockControl(control: string, client: Pick<Client, 'send'>): AdvanceClock {
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
