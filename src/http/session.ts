import { setMaxListeners } from 'node:events';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { fixturesOf, type Fixtures } from '../target/discover.ts';
import type { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import type { Purpose, SessionStats } from './budget.ts';
import { MissingKey, SessionError } from './errors.ts';
import type { KeyCapacity, Pin } from './pace/pacer.ts';
import { requestTarget } from './request-url.ts';
import { Sender } from './sender.ts';
import type { RequestOptions, SessionOptions } from './session-options.ts';
import { partsOf, type SessionParts } from './session-parts.ts';

/**
 * One run against one target: sends requests within the limits of the keys, never sends equal requests twice, and
 * records everything. Whatever the target does becomes an exchange; errors are thrown only when a request cannot be
 * sent. Resumes an earlier run by answering requests from its recorded exchanges.
 */
export class Session {
  readonly keyRing: KeyRing;
  readonly fixtures: Fixtures;
  readonly #options: SessionOptions;
  readonly #closing = new AbortController();
  readonly #parts: SessionParts;
  readonly #sender: Sender;
  /** Exchanges of this run by request. Concurrent callers share one request. */
  readonly #asked = new Map<string, Promise<Exchange>>();

  constructor(target: Target, options: SessionOptions) {
    const { signal: closed } = this.#closing;
    const signal =
      options.signal === undefined ? closed : AbortSignal.any([options.signal, closed]);
    // One listener per pause before a retry, and many requests may pause at the same time.
    setMaxListeners(0, signal);
    this.#options = options;
    this.#parts = partsOf(target, { ...options, signal });
    this.#sender = new Sender(this.#parts);
    this.keyRing = this.#parts.keyRing;
    this.fixtures = fixturesOf(
      target.fixtures,
      (path, request) => this.get(path, request),
      options.seed,
    );
  }

  /**
   * The exchange for a request: `path` is a template of §4 or any other path below the base URL. Equal requests with
   * the same role are sent once per run unless `fresh`, `force` or `pin` is set. After retries, the last exchange is
   * returned; all are recorded.
   * @throws SessionError; the reason of the signal.
   */
  async get(path: string, options: RequestOptions = {}): Promise<Exchange> {
    const { pathParameters, query, keyIndex, method = 'GET' } = options;
    const { headers = {}, headerCase, emptyKey } = options;
    const role = options.role ?? options.pin?.role ?? 'valid';
    const target = requestTarget(this.#parts.target.baseUrl, path, pathParameters, query);
    this.#mustHaveKey(role, keyIndex);
    const plan = { target, method, role, options };
    if (options.fresh === true || options.force === true || options.pin !== undefined) {
      return this.#sender.send(plan);
    }
    const parts = [method, target.requestPath, role, keyIndex, headers, headerCase, emptyKey];
    const key = JSON.stringify(parts);
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const pending = this.#sender.send(plan);
    this.#asked.set(key, pending);
    const forget = (): boolean => this.#asked.delete(key);
    pending.then((exchange) => isLasting(exchange) || forget(), forget);
    return pending;
  }

  /**
   * Uses one key alone, to see every request of its window. Release it in a `finally`. Until then, all requests are a
   * sequence, see `together`.
   */
  async pin(role: KeyRole, keyIndex: number): Promise<Pin> {
    this.#mustHaveKey(role, keyIndex);
    this.#mustBeAlone('reserve a key');
    this.#parts.known.enter();
    let held = true;
    return {
      role,
      keyIndex,
      capacity: () => this.#capacityOf(role, keyIndex),
      release: () => {
        if (held) this.#parts.known.leave();
        held = false;
      },
    };
  }

  /**
   * Runs work whose requests are conclusive only together: either all of them are answered from an earlier run, or
   * none.
   */
  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#mustBeAlone('send a sequence');
    this.#parts.known.enter();
    try {
      return await work();
    } finally {
      this.#parts.known.leave();
    }
  }

  get exchanges(): readonly Exchange[] {
    return this.#parts.recorder.exchanges;
  }

  /** Requests sent so far, including an earlier part of the run, and the time spent waiting for windows. */
  stats(): SessionStats {
    return this.#parts.budget.stats(
      this.#parts.wire?.waitedMs ?? this.#options.known?.waitedMs ?? 0,
    );
  }

  /**
   * Requests left for the role; infinite without a limit. Those that the limiter may need again are not included, so that a
   * resumed run sends what it would have sent without the interruption.
   */
  budgetLeft(role: KeyRole, purpose?: Purpose): number {
    const again = role === 'valid' ? (this.#options.bounds?.again ?? 0) : 0;
    return Math.max(0, this.#parts.budget.left(role, purpose) - again);
  }

  /** Time of the target at its last answer, epoch ms; see {@link targetTime}. */
  targetNow(): number {
    return this.#parts.time.now();
  }

  /** Time of the target at the first answer of the run, epoch ms; see {@link targetTime}. */
  targetAtStart(): number {
    return this.#parts.time.atStart();
  }

  /** True when checks may advance the target's clock. */
  get clockControlled(): boolean {
    const { clock } = this.#parts.target;
    return clock !== undefined && clock.forChecks !== false;
  }

  /** Advances the clock of a test target; no requests may be in flight. @throws TargetError without `clock.control`. */
  async advanceClock(ms: number): Promise<void> {
    this.#mustBeAlone('advance the clock');
    const known = this.#parts.known.takeAdvance();
    if (!known) await this.#parts.wire?.advance(ms, this.#parts.known.sequence);
    this.#parts.time.moved(Math.ceil(ms));
  }

  /** Lets time pass on the target, by advancing its clock if possible; does not wait in recorded sequences. */
  async pass(ms: number): Promise<void> {
    this.#mustBeAlone('let time pass');
    if (this.#parts.target.clock !== undefined) await this.advanceClock(Math.ceil(ms));
    else if (!this.#parts.known.answersSequence) await this.#parts.wire?.pause(ms);
  }

  /** Allows one more request in flight, up to the limit, after a good answer. */
  widen(): void {
    this.#parts.underWay.widen();
  }

  /** Stops sending: pending requests reject with the reason. */
  giveUp(reason: SessionError): void {
    this.#parts.breaker.open(reason);
  }

  /** Ends the session: cancels requests in flight and closes connections. */
  async close(): Promise<void> {
    this.#closing.abort(
      new SessionError(
        'ASSAY_SESSION_CLOSED',
        'The session is closed.',
        'Send requests before closing it.',
      ),
    );
    await this.#parts.wire?.close();
  }

  /** In a recorded sequence, the last request counts as the one beyond the limit, after which checks look at the answers. */
  #capacityOf(role: KeyRole, keyIndex: number): KeyCapacity {
    const live = this.#parts.known.answersSequence
      ? undefined
      : this.#parts.wire?.pacer.capacity(role)[keyIndex];
    if (live !== undefined) return live;
    const full = this.#parts.known.left <= 1;
    return { keyIndex, available: full ? 0 : 1, full, allOurs: false, endsAt: null };
  }

  #mustHaveKey(role: KeyRole, keyIndex: number | undefined): void {
    if (role === 'none' || this.keyRing.keys(role)[keyIndex ?? 0] !== undefined) return;
    throw new MissingKey(role, keyIndex);
  }

  /** @throws TypeError when others may send requests: a bug in the check, which must ask alone */
  #mustBeAlone(what: string): void {
    if (this.#options.alone?.() === false)
      throw new TypeError(`only a check that sends its requests alone may ${what}`);
  }
}

/** False for what failed or was refused for the moment, so that a later check asks again. */
const isLasting = ({ response }: Exchange): boolean =>
  response !== null && response.status !== 429 && response.status < 500;
