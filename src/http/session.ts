import { setMaxListeners } from 'node:events';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { Fixtures } from '../target/discover.ts';
import type { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { Breaker } from './breaker.ts';
import { Budget, type Purpose, type SessionStats } from './budget.ts';
import { ExchangeCache } from './record/cache.ts';
import { MissingKey, notRecorded, sessionClosed, type SessionError } from './errors.ts';
import { inCase } from './key-header.ts';
import { KnownAnswers } from './record/known-answers.ts';
import { LimitProbe } from './pace/limit-probe.ts';
import type { KeyCapacity, Lease, Pin } from './pace/pacer.ts';
import { Recorder } from './record/recorder.ts';
import { Repeater } from './repeater.ts';
import { requestTarget, type RequestTarget } from './request-url.ts';
import { Sequences } from './record/sequences.ts';
import type { Plan, RequestOptions, SessionOptions } from './session-options.ts';
import { jsonBody, purposeOf, ringOf } from './session-parts.ts';
import { TargetTime } from './pace/target-time.ts';
import { UnderWay } from './pace/under-way.ts';
import { Wire } from './wire.ts';

export type { RequestOptions, SessionOptions } from './session-options.ts';

/**
 * One run against one target: sends requests within the limits of the keys, never sends equal requests twice, and
 * records everything. Whatever the target does becomes an exchange; errors are thrown only when a request cannot be
 * sent. Resumes an earlier run by answering requests from its recorded exchanges.
 */
export class Session {
  readonly keyRing: KeyRing;
  /** Identifiers that exist on the target. */
  readonly fixtures: Fixtures;
  readonly #target: Target;
  readonly #options: SessionOptions;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #recorder: Recorder;
  readonly #cache = new ExchangeCache();
  readonly #breaker: Breaker;
  readonly #budget: Budget;
  readonly #limitProbe: LimitProbe | null;
  readonly #known: KnownAnswers | null;
  readonly #sequences: Sequences;
  /** Null for replays. */
  readonly #wire: Wire | null;
  readonly #repeater: Repeater;
  readonly #underWay: UnderWay;
  #goesOn = false;
  readonly #time: TargetTime;

  constructor(target: Target, options: SessionOptions) {
    const { signal, onExchange, known, journal = null, seed } = options;
    this.#target = target;
    this.#options = options;
    this.#signal =
      signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    // One listener per pause before a retry, and many requests may pause at the same time.
    setMaxListeners(0, this.#signal);
    this.keyRing = ringOf(target, options);
    this.#recorder = new Recorder(this.keyRing);
    this.#time = new TargetTime(this.#recorder, known?.exchanges ?? [], () =>
      this.#wire?.targetNow(),
    );
    if (onExchange !== undefined) this.#recorder.onExchange(onExchange);
    this.#breaker = new Breaker({
      baseUrl: target.baseUrl,
      keyHeader: target.auth.header,
      timeoutMs: target.http.timeoutMs,
      // As in the target file: users do not know fingerprints.
      nameOf: (print) => `valid[${(this.keyRing.fingerprints().valid ?? []).indexOf(print)}]`,
    });
    this.#budget = new Budget({
      maxRequests: options.maxRequests,
      maxRestricted: options.maxRestricted,
      bounds: options.bounds,
      nearQuota: target.keys.nearQuota?.remaining,
    });
    this.#underWay = new UnderWay({
      concurrency: options.concurrency,
      position: options.position,
      left: () => this.#budget.left('valid'),
      ofOneKey: () => this.#wire?.ofOneKey ?? 1,
      fillsWindow: () => this.#limitProbe?.fillsWindow === true,
    });
    this.#limitProbe =
      options.probeLimit === true && known?.mode !== 'replay'
        ? LimitProbe.from(known, this.keyRing.fingerprints().valid ?? [], options.probedKeys)
        : null;
    this.#known =
      known === undefined ? null : new KnownAnswers(known, this.keyRing, target.auth.header);
    this.#sequences = new Sequences(this.#known, journal);
    for (const { id } of known?.exchanges ?? []) this.#recorder.startAfter(id);
    this.#wire =
      known?.mode === 'replay'
        ? null
        : new Wire(target, {
            ...options,
            ring: this.keyRing,
            recorder: this.#recorder,
            signal: this.#signal,
            first: (role, index) => role === 'valid' && this.#limitProbe?.isDue(index) === true,
            onSent: (role) => this.#budget.sent(role),
            quiet: () => this.#underWay.quiet(),
          });
    this.#repeater = new Repeater({
      breaker: this.#breaker,
      budget: this.#budget,
      ring: this.keyRing,
      wire: this.#wire,
      windowMs: target.limits.windowMs,
      known: (plan) => this.#answer(plan),
      // A replay has an order of its own.
      exchanges: () => (known?.mode === 'replay' ? known.exchanges : this.exchanges),
      attempt: (plan, attempt) => this.#attempt(plan, attempt),
    });
    this.fixtures = new Fixtures(
      target.fixtures,
      { get: (path, request) => this.get(path, request), json: jsonBody },
      { seed },
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
    const target = requestTarget(this.#target.baseUrl, path, pathParameters, query);
    this.#mustHaveKey(role, keyIndex);
    const plan = { target, method, role, options };
    if (options.fresh === true || options.force === true || options.pin !== undefined) {
      return this.#repeater.send(plan);
    }
    const parts = [method, target.requestPath, role, keyIndex, headers, headerCase, emptyKey];
    const key = JSON.stringify(parts);
    return this.#cache.get(key, () => this.#repeater.send(plan));
  }

  /**
   * Uses one key alone, to see every request of its window. Release it in a `finally`. Until then, all requests are a
   * sequence, see `together`.
   */
  async pin(role: KeyRole, keyIndex: number): Promise<Pin> {
    this.#mustHaveKey(role, keyIndex);
    this.#mustBeAlone('reserve a key');
    this.#sequences.enter();
    let held = true;
    return {
      role,
      keyIndex,
      capacity: () => this.#capacityOf(role, keyIndex),
      release: () => {
        if (held) this.#sequences.leave();
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
    this.#sequences.enter();
    try {
      return await work();
    } finally {
      this.#sequences.leave();
    }
  }

  /** All exchanges so far, in the order sent. */
  get exchanges(): readonly Exchange[] {
    return this.#recorder.exchanges;
  }

  /** Requests sent so far, including an earlier part of the run, and the time spent waiting for windows. */
  stats(): SessionStats {
    return this.#budget.stats(this.#wire?.waitedMs ?? this.#options.known?.waitedMs ?? 0);
  }

  /** Requests left for the role; infinite without a limit. */
  budgetLeft(role: KeyRole, purpose?: Purpose): number {
    return this.#budget.left(role, purpose);
  }

  /** Estimated capacity of the keys of a role. */
  capacity(role: KeyRole): KeyCapacity[] {
    return this.#wire?.capacity(role) ?? [];
  }

  /** Time of the target at its last answer, epoch ms; see {@link TargetTime}. */
  targetNow(): number {
    return this.#time.now();
  }

  /** Time of the target at the first answer of the run, epoch ms; see {@link TargetTime}. */
  targetAtStart(): number {
    return this.#time.atStart();
  }

  /** True when checks may advance the target's clock. */
  get clockControlled(): boolean {
    const { clock } = this.#target;
    return clock !== undefined && clock.forChecks !== false;
  }

  /** Advances the clock of a test target; no requests may be in flight. @throws TargetError without `clock.control`. */
  async advanceClock(ms: number): Promise<void> {
    this.#mustBeAlone('advance the clock');
    const known = this.#known?.takeAdvance() === true;
    if (!known) await this.#wire?.advance(ms, this.#sequences.number);
    this.#time.moved(Math.ceil(ms));
  }

  /** Lets time pass on the target, by advancing its clock if possible; does not wait in recorded sequences. */
  async pass(ms: number): Promise<void> {
    this.#mustBeAlone('let time pass');
    if (this.#target.clock !== undefined) await this.advanceClock(Math.ceil(ms));
    else if (!this.#sequences.answered) await this.#wire?.pause(ms);
  }

  /** Allows one more request in flight, up to the limit, after a good answer. */
  widen(): void {
    this.#underWay.widen();
  }

  /** Stops sending: pending requests reject with the reason. */
  giveUp(reason: SessionError): void {
    this.#breaker.open(reason);
  }

  /** Ends the session: cancels requests in flight and closes connections. */
  async close(): Promise<void> {
    this.#closing.abort(sessionClosed());
    await this.#wire?.close();
  }

  /** In a recorded sequence, the last request counts as the one beyond the limit, after which checks look at the answers. */
  #capacityOf(role: KeyRole, keyIndex: number): KeyCapacity {
    const live = this.#sequences.answered ? undefined : this.capacity(role)[keyIndex];
    if (live !== undefined) return live;
    const full = (this.#known?.left ?? 0) <= 1;
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

  async #attempt(plan: Plan, attempt: number): Promise<Exchange> {
    this.#signal.throwIfAborted();
    this.#breaker.check();
    const known = this.#answer(plan);
    if (known !== null) return known;
    const wire = this.#wire;
    if (wire === null) throw notRecorded(`${plan.method} ${plan.target.requestPath}`);
    this.#sequences.giveUp();
    await wire.begin();
    await this.#goOn(plan);
    const purpose = purposeOf(plan, attempt);
    const isOrdered = plan.role === 'valid' && purpose !== 'limiter';
    const release = isOrdered ? await this.#underWay.slot() : noop;
    try {
      return await this.#send(plan, wire, attempt);
    } finally {
      release();
    }
  }

  /** Sends once, as soon as budget, window and concurrency permit. */
  async #send(plan: Plan, wire: Wire, attempt: number): Promise<Exchange> {
    const { role, options } = plan;
    const purpose = purposeOf(plan, attempt);
    this.#signal.throwIfAborted();
    this.#breaker.check();
    this.#budget.reserve(role, purpose);
    let lease: Lease;
    try {
      const { force, pin, keyIndex = pin?.keyIndex } = options;
      lease = await wire.acquire({ role, keyIndex, force });
    } catch (error) {
      this.#budget.release(role, purpose);
      throw error;
    }
    const release = await this.#underWay.send();
    let exchange: Exchange;
    let probe: Promise<void> | undefined;
    try {
      try {
        this.#signal.throwIfAborted();
        this.#breaker.check();
      } catch (error) {
        lease.settle(null);
        this.#budget.release(role, purpose);
        throw error;
      }
      const sending = wire.send(plan, {
        keyIndex: lease.keyIndex,
        attempt,
        sequence: this.#sequences.number,
        settle: (settlement) => lease.settle(settlement),
      });
      probe = this.#probeLimit(plan, sending);
      // If the request fails, nothing awaits the probe.
      probe.catch(noop);
      exchange = await sending;
    } finally {
      release();
    }
    this.#underWay.observe(exchange);
    this.#breaker.observe(exchange);
    if (exchange.error !== null) {
      this.#signal.throwIfAborted();
      this.#breaker.check();
    }
    this.#limitProbe?.observe(plan.target, exchange);
    await probe;
    return exchange;
  }

  /**
   * Called before the first request of a resumed run. A window that the earlier part has filled may still be probed.
   */
  async #goOn(plan: Plan): Promise<void> {
    if (this.#known === null || this.#goesOn) return;
    this.#goesOn = true;
    this.#keepAll(this.#known.rest());
    await this.#probeLimit(plan, null);
  }

  /** The recorded answer of an earlier run; null when the request must be sent. */
  #answer({ target, method, role, options, purpose }: Plan): Exchange | null {
    if (this.#known === null || purpose !== undefined) return null;
    const { keyIndex = options.pin?.keyIndex } = options;
    const exchange = this.#known.take({
      method,
      target,
      role,
      keyHeader:
        role === 'none' && options.emptyKey !== true
          ? null
          : inCase(this.#target.auth.header, options.headerCase),
      key: keyIndex === undefined ? null : (this.keyRing.fingerprints()[role]?.[keyIndex] ?? ''),
    });
    if (exchange === null) return null;
    const plan = { target, method, role, options };
    this.#budget.keep(role, purposeOf(plan, exchange.attempt));
    this.#keepAll([exchange]);
    this.#limitProbe?.observe(target, exchange);
    this.#keepAll(this.#known.passed());
    return exchange;
  }

  /** Adds exchanges of an earlier run, which count as sent. */
  #keepAll(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      const { role, purpose } = exchange;
      if (purpose !== undefined)
        this.#budget.keep(role, purpose === 'interrupted' ? null : 'limiter');
      this.#budget.sent(role);
      this.#recorder.keep(exchange);
      if (purpose !== 'interrupted') this.#breaker.observe(exchange);
    }
  }

  /** Probes the limit if the request being sent uses up a window. */
  async #probeLimit({ role, options }: Plan, sending: Promise<Exchange> | null): Promise<void> {
    if (this.#limitProbe === null || role !== 'valid') return;
    // Callers with a pin or forced requests test the limit themselves.
    if (options.pin !== undefined || options.force === true) return;
    const probe = this.#limitProbe;
    const { left } = probe;
    const send = (target: RequestTarget, keyIndex: number): Promise<Exchange> => {
      const forced = { keyIndex, force: true, repeat: false };
      const plan: Plan = { target, method: 'GET', role, options: forced, purpose: 'limit-probe' };
      return this.#attempt(plan, 1);
    };
    let follows = true;
    // Further keys must not cost a planned request.
    const kept = (): number => (probe.testsOthers ? this.#budget.left(role) : 0);
    while (follows && this.#budget.left(role, 'limiter') > kept()) {
      follows = await probe.run(() => this.capacity(role), send, sending);
    }
    if (probe.left !== left) this.#options.journal?.write({ type: 'probes', left: probe.left });
  }
}

const noop = (): void => undefined;

/** Creates a session, without sending anything. @throws TargetError for invalid `http` settings. */
export function createSession(target: Target, options: SessionOptions): Session {
  return new Session(target, options);
}
