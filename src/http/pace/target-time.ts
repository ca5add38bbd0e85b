import type { Exchange } from '../../spec/exchange.ts';
import type { Recorder } from '../record/recorder.ts';

/**
 * The time of the target from its answers, plus advances by checks. Derived from recorded exchanges, so that resumed
 * and replayed runs request the same times.
 * @param known exchanges of an earlier part of the run
 * @param estimate epoch ms, before the first answer
 */
export function targetTime(
  recorder: Recorder,
  known: readonly Exchange[],
  estimate: () => number | undefined,
) {
  let sinceLastMs = 0;
  let inAllMs = 0;
  recorder.onExchange(() => (sinceLastMs = 0));
  /** Time of the last answer plus later advances, epoch ms. */
  const now = (): number => {
    const { last } = recorder;
    if (last !== null) return Math.round(last.receivedAt) + last.skewMs + sinceLastMs;
    return Math.round(known[0]?.sentAt ?? estimate() ?? 0);
  };
  return {
    now,
    moved(ms: number): void {
      sinceLastMs += ms;
      inAllMs += ms;
    },
    /**
     * Time of the first answer of the run plus advances, epoch ms. It is constant otherwise, so that dates in requests do
     * not change at midnight during a run.
     */
    atStart(): number {
      const first = known[0] ?? recorder.exchanges[0];
      return first === undefined ? now() : Math.round(first.receivedAt) + first.skewMs + inAllMs;
    },
  };
}
