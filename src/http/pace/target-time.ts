import type { Exchange } from '../../spec/exchange.ts';
import type { Recorder } from '../record/recorder.ts';

/**
 * The time of the target from its answers, plus advances by checks. Derived from recorded exchanges, so that resumed
 * and replayed runs request the same times.
 */
export class TargetTime {
  readonly #recorder: Recorder;
  readonly #known: readonly Exchange[];
  readonly #estimate: () => number | undefined;
  #sinceLastMs = 0;
  #inAllMs = 0;

  /**
   * @param known exchanges of an earlier part of the run
   * @param estimate epoch ms, before the first answer
   */
  constructor(recorder: Recorder, known: readonly Exchange[], estimate: () => number | undefined) {
    this.#recorder = recorder;
    this.#known = known;
    this.#estimate = estimate;
    recorder.onExchange(() => {
      this.#sinceLastMs = 0;
    });
  }

  /** Adds an advance of the target's clock by a check. */
  moved(ms: number): void {
    this.#sinceLastMs += ms;
    this.#inAllMs += ms;
  }

  /** Time of the last answer plus later advances, epoch ms. */
  now(): number {
    const { last } = this.#recorder;
    if (last !== null) return Math.round(last.receivedAt) + last.skewMs + this.#sinceLastMs;
    return Math.round(this.#known[0]?.sentAt ?? this.#estimate() ?? 0);
  }

  /**
   * Time of the first answer of the run plus advances, epoch ms. It is constant otherwise, so that dates in requests do
   * not change at midnight during a run.
   */
  atStart(): number {
    const first = this.#known[0] ?? this.#recorder.exchanges[0];
    if (first === undefined) return this.now();
    return Math.round(first.receivedAt) + first.skewMs + this.#inAllMs;
  }
}
