import { setMaxListeners } from 'node:events';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { fixturesOf } from '../target/discover.ts';
import type { Target } from '../target/target.ts';
import type { Purpose, SessionStats } from './budget.ts';
import { MissingKey, SessionError } from './errors.ts';
import type { KeyCapacity, Pin } from './pace/pacer.ts';
import { requestTarget } from './request-url.ts';
import { senderOf } from './sender.ts';
import type { RequestOptions, SessionOptions } from './session-options.ts';
import { partsOf } from './session-parts.ts';

/** A session with a target. */
export type Session = ReturnType<typeof openSession>;

/**
 * One run against one target: sends requests within the limits of the keys, never sends equal requests twice, and
 * records everything. Whatever the target does becomes an exchange; errors are thrown only when a request cannot be
 * sent. Resumes an earlier run by answering requests from its recorded exchanges.
 */
export function openSession(target: Target, options: SessionOptions) {
  const closing = new AbortController();
  const { signal: closed } = closing;
  const signal = options.signal === undefined ? closed : AbortSignal.any([options.signal, closed]);
  // One listener per pause before a retry, and many requests may pause at the same time.
  setMaxListeners(0, signal);
  const parts = partsOf(target, { ...options, signal });
  const { keyRing, recorder, budget, known, wire, time, underWay, breaker } = parts;
  const send = senderOf(parts);
  /** Exchanges of this run by request. Concurrent callers share one request. */
  const asked = new Map<string, Promise<Exchange>>();

  const mustHaveKey = (role: KeyRole, keyIndex: number | undefined): void => {
    if (role === 'none' || keyRing.keys(role)[keyIndex ?? 0] !== undefined) return;
    throw new MissingKey(role, keyIndex);
  };
  /** @throws TypeError when others may send requests: a bug in the check, which must ask alone */
  const mustBeAlone = (what: string): void => {
    if (options.alone?.() === false)
      throw new TypeError(`only a check that sends its requests alone may ${what}`);
  };
  /** In a recorded sequence, the last request counts as the one beyond the limit, after which checks look at the answers. */
  const capacityOf = (role: KeyRole, keyIndex: number): KeyCapacity => {
    const live = known.answersSequence ? undefined : wire?.pacer.capacity(role)[keyIndex];
    if (live !== undefined) return live;
    const full = known.left <= 1;
    return { keyIndex, available: full ? 0 : 1, full, allOurs: false, endsAt: null };
  };
  /**
   * The exchange for a request: `path` is a template of §4 or any other path below the base URL. Equal requests with
   * the same role are sent once per run unless `fresh`, `force` or `pin` is set. After retries, the last exchange is
   * returned; all are recorded.
   * @throws SessionError; the reason of the signal.
   */
  const get = async (path: string, request: RequestOptions = {}): Promise<Exchange> => {
    const { pathParameters, query, keyIndex, method = 'GET' } = request;
    const { headers = {}, headerCase, emptyKey } = request;
    const role = request.role ?? request.pin?.role ?? 'valid';
    const to = requestTarget(target.baseUrl, path, pathParameters, query);
    mustHaveKey(role, keyIndex);
    const plan = { target: to, method, role, options: request };
    if (request.fresh === true || request.force === true || request.pin !== undefined) {
      return send(plan);
    }
    const identity = [method, to.requestPath, role, keyIndex, headers, headerCase, emptyKey];
    const key = JSON.stringify(identity);
    const earlier = asked.get(key);
    if (earlier !== undefined) return earlier;
    const pending = send(plan);
    asked.set(key, pending);
    const forget = (): boolean => asked.delete(key);
    pending.then((exchange) => isLasting(exchange) || forget(), forget);
    return pending;
  };
  /** Advances the clock of a test target; no requests may be in flight. @throws TargetError without `clock.control`. */
  const advanceClock = async (ms: number): Promise<void> => {
    mustBeAlone('advance the clock');
    if (!known.takeAdvance()) await wire?.advance(ms, known.sequence);
    time.moved(Math.ceil(ms));
  };
  return {
    keyRing,
    fixtures: fixturesOf(target.fixtures, get, options.seed),
    get,
    /** The same, to see another time in a further request. @throws BudgetExhausted when none is left to see it with */
    async advanceClock(ms: number): Promise<void> {
      budget.reserve('valid', 'planned');
      budget.release('valid', 'planned');
      await advanceClock(ms);
    },

    /**
     * Uses one key alone, to see every request of its window. Release it in a `finally`. Until then, all requests are a
     * sequence, see `together`.
     */
    async pin(role: KeyRole, keyIndex: number): Promise<Pin> {
      mustHaveKey(role, keyIndex);
      mustBeAlone('reserve a key');
      known.enter();
      let held = true;
      return {
        role,
        keyIndex,
        capacity: () => capacityOf(role, keyIndex),
        release: () => {
          if (held) known.leave();
          held = false;
        },
      };
    },
    /**
     * Runs work whose requests are conclusive only together: either all of them are answered from an earlier run, or
     * none.
     */
    async together<Result>(work: () => Promise<Result>): Promise<Result> {
      mustBeAlone('send a sequence');
      known.enter();
      try {
        return await work();
      } finally {
        known.leave();
      }
    },
    get exchanges(): readonly Exchange[] {
      return recorder.exchanges;
    },
    /** Requests sent so far, including an earlier part of the run, and the time spent waiting for windows. */
    stats: (): SessionStats => budget.stats(wire?.waitedMs ?? options.known?.waitedMs ?? 0),
    /**
     * Requests left for the role; infinite without a limit. Those that the limiter may need again are not included, so
     * that a resumed run sends what it would have sent without the interruption.
     */
    budgetLeft(role: KeyRole, purpose?: Purpose): number {
      const again = role === 'valid' ? (options.bounds?.again ?? 0) : 0;
      return Math.max(0, budget.left(role, purpose) - again);
    },
    /** Time of the target at its last answer plus later advances, epoch ms. */
    targetNow: time.now,
    /** The same at the first answer of the run, which is constant, epoch ms. */
    targetAtStart: time.atStart,
    /** True when checks may advance the target's clock. */
    clockControlled: target.clock !== undefined && target.clock.forChecks !== false,
    /** Lets time pass on the target, by advancing its clock if possible; does not wait in recorded sequences. */
    async pass(ms: number): Promise<void> {
      mustBeAlone('let time pass');
      if (target.clock !== undefined) await advanceClock(Math.ceil(ms));
      else if (!known.answersSequence) await wire?.pause(ms);
    },
    /** Allows one more request in flight, up to the limit, after a good answer. */
    widen: underWay.widen,
    /** Stops sending: pending requests reject with the reason. */
    giveUp: (reason: SessionError): void => breaker.open(reason),
    /** Ends the session: cancels requests in flight and closes connections. */
    async close(): Promise<void> {
      closing.abort(
        new SessionError(
          'ASSAY_SESSION_CLOSED',
          'The session is closed.',
          'Send requests before closing it.',
        ),
      );
      await wire?.close();
    },
  };
}

/** False for what failed or was refused for the moment, so that a later check asks again. */
const isLasting = ({ response }: Exchange): boolean =>
  response !== null && response.status !== 429 && response.status < 500;
