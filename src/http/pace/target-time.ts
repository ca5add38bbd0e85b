import type { Exchange } from '../../spec/exchange.ts';
import type { Recorder } from '../record/recorder.ts';

/**
 * The time of the target as its answers tell it, and what checks moved its clock by. Taken from the record and not from a
 * clock, so that a run that is taken up or judged again asks for the same times.
 */
export class TargetTime {
  readonly #recorder: Recorder;
  readonly #known: readonly Exchange[];
  readonly #estimate: () => number | undefined;
  #sinceLastMs = 0;
  #inAllMs = 0;

  /**
   * @param known exchanges of an earlier part of the run
   * @param estimate epoch ms, before there was any answer
   */
  constructor(recorder: Recorder, known: readonly Exchange[], estimate: () => number | undefined) {
    this.#recorder = recorder;
    this.#known = known;
    this.#estimate = estimate;
    recorder.onExchange(() => {
      this.#sinceLastMs = 0;
    });
  }

  /** Checks moved the clock of the target. */
  moved(ms: number): void {
    this.#sinceLastMs += ms;
    this.#inAllMs += ms;
  }

  /** At its last answer, epoch ms, and what its clock was moved by since then. */
  now(): number {
    const { last } = this.#recorder;
    if (last !== null) return last.receivedAt + last.skewMs + this.#sinceLastMs;
    return this.#known[0]?.sentAt ?? this.#estimate() ?? 0;
  }

  /**
   * At the first answer of the run, epoch ms, and what checks moved its clock by since then. It does not go on by itself:
   * days that requests are made of stay the same when midnight passes while a run lasts.
   */
  atStart(): number {
    const first = this.#known[0] ?? this.#recorder.exchanges[0];
    if (first === undefined) return this.now();
    return first.receivedAt + first.skewMs + this.#inAllMs;
  }
}
