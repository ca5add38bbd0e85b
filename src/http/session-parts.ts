import type { Target } from '../target/target.ts';
import { breakerOf } from './breaker.ts';
import { budgetOf } from './budget.ts';
import { probeAfter } from './pace/limit-probe.ts';
import { requestsUnderWay } from './pace/under-way.ts';
import { knownAnswers } from './record/known-answers.ts';
import { recorderWith, type Recorder } from './record/recorder.ts';
import { ringOf } from './record/recorded-key-ring.ts';
import type { SessionOptions } from './session-options.ts';
import { openWire, type Wire } from './wire.ts';
import type { Exchange } from '../spec/exchange.ts';

/** What a session is made of. */
export type SessionParts = ReturnType<typeof partsOf>;

/** Makes the parts of a session, which know each other. */
export function partsOf(
  target: Target,
  options: SessionOptions & { readonly signal: AbortSignal },
) {
  const { onExchange, known, journal, signal } = options;
  const isReplay = known?.mode === 'replay';
  const keyRing = ringOf(target, options);
  const { valid = [] } = keyRing.fingerprints();
  const recorder = recorderWith(keyRing);
  const budget = budgetOf({ ...options, nearQuota: target.keys.nearQuota?.remaining });
  /** Null when the limit is not probed. */
  const limitProbe =
    options.probeLimit === true && !isReplay ? probeAfter(known, valid, options.probedKeys) : null;
  const underWay = requestsUnderWay({
    concurrency: options.concurrency,
    position: options.position,
    left: () => budget.left('valid'),
    ofOneKey: () => wire?.pacer.ofOneKey ?? 1,
    fillsWindow: () => limitProbe?.fillsWindow() === true,
  });
  const time = targetTime(recorder, known?.exchanges ?? [], () => wire?.targetNow());
  if (onExchange !== undefined) recorder.onExchange(onExchange);
  for (const { id } of known?.exchanges ?? []) recorder.startAfter(id);
  /** Null for replays. */
  const wire: Wire | null = isReplay
    ? null
    : openWire(target, {
        ...options,
        ring: keyRing,
        recorder,
        first: (role, index) => role === 'valid' && limitProbe?.isDue(index) === true,
        onSent: (role) => budget.sent(role),
        quiet: () => underWay.quiet(),
      });
  return {
    target,
    keyRing,
    recorder,
    budget,
    limitProbe,
    underWay,
    time,
    wire,
    journal,
    signal,
    breaker: breakerOf({
      baseUrl: target.baseUrl,
      keyHeader: target.auth.header,
      timeoutMs: target.http.timeoutMs,
      // As in the target file: users do not know fingerprints.
      nameOf: (print) => `valid[${valid.indexOf(print)}]`,
    }),
    known: knownAnswers(known, keyRing, target.auth.header, journal),
    /** All exchanges that tell whether the limiter admits anything. A replay has an order of its own. */
    exchanges: () => (isReplay ? known.exchanges : recorder.exchanges),
  };
}

/**
 * The time of the target from its answers, plus advances by checks. Derived from recorded exchanges, so that resumed
 * and replayed runs request the same times.
 * @param known exchanges of an earlier part of the run
 * @param estimate epoch ms, before the first answer
 */
function targetTime(
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
