import type { Exchange } from '../spec/exchange.ts';
import type { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import type { Breaker } from './breaker.ts';
import type { Budget, Purpose } from './budget.ts';
import { notRecorded } from './errors.ts';
import { inCase } from './key-header.ts';
import type { LimitProbe } from './pace/limit-probe.ts';
import type { Lease } from './pace/pacer.ts';
import type { UnderWay } from './pace/under-way.ts';
import type { KnownAnswers } from './record/known-answers.ts';
import type { Recorder } from './record/recorder.ts';
import type { Sequences } from './record/sequences.ts';
import type { RequestTarget } from './request-url.ts';
import type { Plan, SessionOptions } from './session-options.ts';
import type { Wire } from './wire.ts';

/** The parts of a session that one attempt needs. */
export interface AttemptsOptions extends Pick<SessionOptions, 'journal'> {
  readonly target: Target;
  readonly keyRing: KeyRing;
  readonly recorder: Recorder;
  readonly breaker: Breaker;
  readonly budget: Budget;
  readonly known: KnownAnswers | null;
  readonly sequences: Sequences;
  readonly underWay: UnderWay;
  /** Null for replays. */
  readonly wire: Wire | null;
  /** Null when the limit is not probed. */
  readonly limitProbe: LimitProbe | null;
  readonly signal: AbortSignal;
}

/** Answers single requests: from an earlier run, or by sending them once, as soon as everything permits. */
export class Attempts {
  readonly #options: AttemptsOptions;
  #goesOn = false;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** @throws SessionError; the reason of the signal */
  async attempt(plan: Plan, attempt: number): Promise<Exchange> {
    const { wire, sequences, underWay } = this.#options;
    this.#mustGoOn();
    const known = this.known(plan);
    if (known !== null) return known;
    if (wire === null) throw notRecorded(`${plan.method} ${plan.target.requestPath}`);
    sequences.giveUp();
    await wire.begin();
    await this.#goOn(plan);
    const purpose = purposeOf(plan, attempt);
    const isOrdered = plan.role === 'valid' && purpose !== 'limiter';
    const release = isOrdered ? await underWay.slot() : noop;
    try {
      return await this.#send(plan, wire, attempt, purpose);
    } finally {
      release();
    }
  }

  /** The recorded answer of an earlier run; null when the request must be sent. */
  known(plan: Plan): Exchange | null {
    const { known, target, keyRing, budget, limitProbe } = this.#options;
    const { method, role, options } = plan;
    if (known === null || plan.purpose !== undefined) return null;
    const { keyIndex = options.pin?.keyIndex } = options;
    const isKeyless = role === 'none' && options.emptyKey !== true;
    const exchange = known.take({
      method,
      target: plan.target,
      role,
      keyHeader: isKeyless ? null : inCase(target.auth.header, options.headerCase),
      key: keyIndex === undefined ? null : (keyRing.fingerprints()[role]?.[keyIndex] ?? ''),
    });
    if (exchange === null) return null;
    budget.keep(role, purposeOf(plan, exchange.attempt));
    this.#keepAll([exchange]);
    limitProbe?.observe(plan.target, exchange);
    this.#keepAll(known.passed());
    return exchange;
  }

  /** @throws SessionError or the reason of the signal, once the run must end */
  #mustGoOn(): void {
    this.#options.signal.throwIfAborted();
    this.#options.breaker.check();
  }

  async #send(plan: Plan, wire: Wire, attempt: number, purpose: Purpose): Promise<Exchange> {
    const { budget, breaker, underWay, sequences, limitProbe } = this.#options;
    const { role, options } = plan;
    const { force, pin, keyIndex = pin?.keyIndex } = options;
    this.#mustGoOn();
    budget.reserve(role, purpose);
    let lease: Lease | undefined;
    let release = noop;
    try {
      lease = await wire.pacer.acquire({ role, keyIndex, force });
      release = await underWay.send();
      this.#mustGoOn();
    } catch (error) {
      lease?.settle(null);
      release();
      budget.release(role, purpose);
      throw error;
    }
    const sending = wire.send(plan, lease, { attempt, sequence: sequences.number });
    const probe = this.#probeLimit(plan, sending);
    // If the request fails, nothing awaits the probe.
    probe.catch(noop);
    const exchange = await sending.finally(release);
    underWay.observe(exchange);
    breaker.observe(exchange);
    if (exchange.error !== null) this.#mustGoOn();
    limitProbe?.observe(plan.target, exchange);
    await probe;
    return exchange;
  }

  /**
   * Called before the first request of a resumed run. A window that the earlier part has filled may still be probed.
   */
  async #goOn(plan: Plan): Promise<void> {
    const { known } = this.#options;
    if (known === null || this.#goesOn) return;
    this.#goesOn = true;
    this.#keepAll(known.rest());
    await this.#probeLimit(plan, null);
  }

  /** Adds exchanges of an earlier run, which count as sent. */
  #keepAll(exchanges: readonly Exchange[]): void {
    const { budget, recorder, breaker } = this.#options;
    for (const exchange of exchanges) {
      const { role, purpose } = exchange;
      if (purpose !== undefined) budget.keep(role, purpose === 'interrupted' ? null : 'limiter');
      budget.sent(role);
      recorder.keep(exchange);
      if (purpose !== 'interrupted') breaker.observe(exchange);
    }
  }

  /** Probes the limit if the request being sent uses up a window. */
  async #probeLimit({ role, options }: Plan, sending: Promise<Exchange> | null): Promise<void> {
    const { limitProbe: probe, budget, wire, journal } = this.#options;
    if (probe === null || wire === null || role !== 'valid') return;
    // Callers with a pin or forced requests test the limit themselves.
    if (options.pin !== undefined || options.force === true) return;
    const { left } = probe;
    const send = (target: RequestTarget, keyIndex: number): Promise<Exchange> => {
      const forced = { keyIndex, force: true, repeat: false };
      const plan: Plan = { target, method: 'GET', role, options: forced, purpose: 'limit-probe' };
      return this.attempt(plan, 1);
    };
    let follows = true;
    // Further keys must not cost a planned request.
    const kept = (): number => (probe.testsOthers ? budget.left(role) : 0);
    while (follows && budget.left(role, 'limiter') > kept()) {
      follows = await probe.run(() => wire.pacer.capacity(role), send, sending);
    }
    if (probe.left !== left) journal?.write({ type: 'probes', left: probe.left });
  }
}

/** The purpose of a request for the budget. */
function purposeOf({ options, purpose }: Plan, attempt: number): Purpose {
  if (purpose !== undefined || options.force === true || options.pin !== undefined)
    return 'limiter';
  return attempt > 1 ? 'repeat' : 'planned';
}

const noop = (): void => undefined;
