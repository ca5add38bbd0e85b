import { TargetError } from '../../target/errors.ts';

/** Sends `{"advanceMs": n}` to the clock control of a test target and returns the target's time then, epoch ms. */
export type AdvanceClock = (advanceMs: number) => Promise<number>;

export interface RunClockOptions {
  /** Local time, epoch ms; must not go backwards. */
  readonly now?: () => number;
  /** Waits in real time; resolves early when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Given when the target's clock can be moved: planned waits then cost no real time. */
  readonly advance?: AdvanceClock;
  /** Told after an advance: the target's time, and the run's time before and after the call, all epoch ms. */
  readonly onAdvance?: (targetNow: number, sentAt: number, receivedAt: number) => void;
  /** How far an earlier part of the run moved the clock already, ms. */
  readonly advancedMs?: number | undefined;
}

/**
 * Time as the run counts it: local time plus everything by which the clock of a test target was moved. The target's
 * clock minus this one does not jump when the clock is moved, so waiting and skew need no special case.
 */
export class RunClock {
  /** True when waiting moves the clock of the target instead of taking time. */
  readonly controlled: boolean;
  readonly #now: () => number;
  readonly #sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #advance: AdvanceClock | undefined;
  readonly #onAdvance: RunClockOptions['onAdvance'];
  #advancedMs: number;
  /** Resolves when nobody moves the clock any more. */
  #moved: Promise<unknown> = Promise.resolve();

  constructor(options: RunClockOptions = {}) {
    this.#now = options.now ?? monotonicNow;
    this.#sleep = options.sleep ?? sleep;
    this.#advance = options.advance;
    this.#onAdvance = options.onAdvance;
    this.#advancedMs = options.advancedMs ?? 0;
    this.controlled = options.advance !== undefined;
  }

  /** Local time, epoch ms. */
  localNow(): number {
    return this.#now();
  }

  /** Local time plus all advances, epoch ms. */
  now(): number {
    return this.#now() + this.#advancedMs;
  }

  /** How far the target's clock was moved in this run, ms. */
  get advancedMs(): number {
    return this.#advancedMs;
  }

  /** Waits in real time, also when the clock is controlled: for pauses before a repeat. */
  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#sleep(ms, signal);
  }

  /** Lets run time pass: by moving the target's clock where that is possible, else by sleeping. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#advance === undefined) {
      await this.#sleep(ms, signal);
      return;
    }
    const until = this.now() + ms;
    await this.#inTurn(async () => {
      // Those who wait at the same time wait together, as they would for a clock that nobody moves.
      const left = until - this.now();
      if (left > 0) await this.#move(left);
    });
  }

  /**
   * Moves the clock of a test target.
   *
   * @returns the target's time afterwards, epoch ms.
   * @throws TargetError when the target has no clock control.
   */
  advance(ms: number): Promise<number> {
    return this.#inTurn(() => this.#move(ms));
  }

  /** One after the other: what the target says its time is would count a step that is still under way. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#moved.then(work);
    this.#moved = done.catch(() => undefined);
    return done;
  }

  async #move(ms: number): Promise<number> {
    if (this.#advance === undefined) {
      throw new TargetError(
        'ASSAY_TARGET_CLOCK',
        'The clock of the target cannot be moved: clock.control is not set.',
        'Set clock.control on a test target; a live service has no such thing.',
      );
    }
    const whole = Math.ceil(ms);
    const sentAt = this.now() + whole;
    const targetNow = await this.#advance(whole);
    this.#advancedMs += whole;
    this.#onAdvance?.(targetNow, sentAt, this.now());
    return targetNow;
  }
}

/** Epoch ms that a step of the system clock does not disturb. */
function monotonicNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}

/** Resolves after `ms`, or as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
