import type { Exchange, TransportError } from '../spec/exchange.ts';
import type { Purpose } from './budget.ts';
import { SessionError } from './errors.ts';
import { inCase } from './key-header.ts';
import type { Lease } from './pace/pacer.ts';
import { rateAnnouncement } from './pace/key-window.ts';
import type { RequestTarget } from './request-url.ts';
import { isPaced, type Plan } from './session-options.ts';
import type { SessionParts } from './session-parts.ts';
import type { Wire } from './wire.ts';

const MAX_REPEATS = 2;
/** Pause before each retry after a failure, ms. */
const PAUSES_MS: readonly number[] = [100, 400];

const PASSING: ReadonlySet<TransportError['kind']> = new Set([
  'refused',
  'dns',
  'reset',
  'timeout',
  'other',
]);

/** Why to retry: a transient failure of network or service, or an unexpected 429; `null` for no retry. */
export function repeatReason(exchange: Exchange): 'failure' | 'limited' | null {
  // For any method: the service is read-only (§3), and requests have no bodies.
  if (exchange.error !== null) return PASSING.has(exchange.error.kind) ? 'failure' : null;
  if (exchange.request.method !== 'GET') return null;
  if (exchange.response?.status === 503) return 'failure';
  return exchange.response?.status === 429 ? 'limited' : null;
}

/**
 * Answers requests: from an earlier run, or by sending them as soon as everything permits. Retries transient failures
 * and unexpected 429s.
 */
export class Sender {
  readonly #parts: SessionParts;
  /** False before the first request of a resumed run. */
  #goesOn: boolean;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#goesOn = parts.known.isEmpty;
  }

  /**
   * The last exchange for a plan. All are recorded.
   * @throws SessionError; the reason of the signal
   */
  async send(plan: Plan): Promise<Exchange> {
    const { breaker, budget, keyRing } = this.#parts;
    const endpoint = plan.target.endpoint ?? plan.target.path;
    breaker.checkEndpoint(endpoint);
    const repeats = plan.options.repeat === false ? 0 : MAX_REPEATS;
    // After a 429, try the other keys immediately; wait only when all were rejected.
    const { role, options } = plan;
    const isPooled = isPaced(role) && options.keyIndex === undefined && options.pin === undefined;
    let others = isPooled ? keyRing.keys(role).length - 1 : 0;
    let exchange = await this.#attempt(plan, 1);
    const first = exchange;
    for (let repeat = 1; repeat <= repeats;) {
      const reason = reasonOf(plan, exchange);
      if (reason === null) return exchange;
      if (budget.left(plan.role, 'repeat') < 1) {
        if (reason === 'limited') this.#giveUp(plan, repeat, first, exchange);
        return exchange;
      }
      if (reason === 'failure' && !breaker.worthRepeating(endpoint)) return exchange;
      const answer = this.#known(plan);
      if (answer === null) await this.#beforeRepeat(plan, { first, exchange }, reason, repeat);
      if (reason === 'limited' && others > 0) others -= 1;
      else repeat += 1;
      exchange = answer ?? (await this.#attempt(plan, exchange.attempt + 1));
    }
    if (repeats > 0 && reasonOf(plan, exchange) === 'limited') {
      this.#giveUp(plan, repeats, first, exchange);
    }
    if (repeats > 0 && exchange.response?.status === 503) breaker.observeUnavailable();
    return exchange;
  }

  /** Opens the breaker if the limiter admits nothing at all. */
  #giveUp({ role }: Plan, waits: number, first: Exchange, last: Exchange): void {
    const { breaker, exchanges } = this.#parts;
    if (role !== 'valid') return;
    const isOpen = exchanges().some(
      (one) =>
        one.role === 'valid' &&
        one.response !== null &&
        one.response.status !== 429 &&
        one.receivedAt >= first.sentAt &&
        one.receivedAt <= last.receivedAt,
    );
    if (!isOpen) breaker.observeThrottled(waits);
  }

  async #beforeRepeat(
    { role, options }: Plan,
    { first, exchange }: { readonly first: Exchange; readonly exchange: Exchange },
    reason: 'failure' | 'limited',
    repeat: number,
  ): Promise<void> {
    const { wire, target } = this.#parts;
    const { windowMs } = target.limits;
    if (wire === null) return;
    if (reason === 'failure') await wire.pause(PAUSES_MS[repeat - 1] ?? 0);
    else if (!isPaced(role)) {
      // Keys that are not paced wait until the announced reset, or for one window.
      const announced = rateAnnouncement(exchange.response?.headers ?? {});
      const ms = announced === null ? windowMs : announced.resetAt - wire.targetNow();
      await wire.wait(role, ms > 0 && ms <= 2 * windowMs ? ms : windowMs);
    } else if (repeat === MAX_REPEATS && options.pin === undefined) {
      // The last retry comes after a whole window, so that a wrong reset does not look like a closed target.
      const passed = timeOf(exchange) - timeOf(first);
      if (first !== exchange && passed < windowMs) await wire.wait(role, windowMs - passed);
    }
  }

  async #attempt(plan: Plan, attempt: number): Promise<Exchange> {
    const { wire, known, underWay } = this.#parts;
    this.#mustGoOn();
    const answer = this.#known(plan);
    if (answer !== null) return answer;
    if (wire === null) {
      // The recorded run sent no more than its budget, either.
      const { budget } = this.#parts;
      const purpose = purposeOf(plan, attempt);
      budget.reserve(plan.role, purpose);
      budget.release(plan.role, purpose);
      throw new SessionError(
        'ASSAY_NOT_RECORDED',
        `not in the recording: ${plan.method} ${plan.target.requestPath}.`,
        'Run against the service.',
      );
    }
    known.giveUp();
    await wire.begin();
    await this.#goOn(plan);
    const purpose = purposeOf(plan, attempt);
    const isOrdered = plan.role === 'valid' && purpose !== 'limiter';
    const release = isOrdered ? await underWay.slot() : noop;
    try {
      return await this.#sendOnce(plan, wire, attempt, purpose);
    } finally {
      release();
    }
  }

  /** The recorded answer of an earlier run; null when the request must be sent. */
  #known(plan: Plan): Exchange | null {
    const { known, target, keyRing, budget, limitProbe } = this.#parts;
    const { method, role, options } = plan;
    if (plan.purpose !== undefined) return null;
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
    this.#parts.signal.throwIfAborted();
    this.#parts.breaker.check();
  }

  async #sendOnce(plan: Plan, wire: Wire, attempt: number, purpose: Purpose): Promise<Exchange> {
    const { budget, breaker, underWay, known, limitProbe } = this.#parts;
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
    const sending = wire.send(plan, lease, { attempt, sequence: known.sequence });
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
    if (this.#goesOn) return;
    this.#goesOn = true;
    this.#keepAll(this.#parts.known.rest());
    await this.#probeLimit(plan, null);
  }

  /** Adds exchanges of an earlier run, which count as sent. */
  #keepAll(exchanges: readonly Exchange[]): void {
    const { budget, recorder, breaker } = this.#parts;
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
    const { limitProbe: probe, budget, wire, journal } = this.#parts;
    if (probe === null || wire === null || role !== 'valid') return;
    // Callers with a pin or forced requests test the limit themselves.
    if (options.pin !== undefined || options.force === true) return;
    const { left } = probe;
    const send = (target: RequestTarget, keyIndex: number): Promise<Exchange> => {
      const forced = { keyIndex, force: true, repeat: false };
      const plan: Plan = { target, method: 'GET', role, options: forced, purpose: 'limit-probe' };
      return this.#attempt(plan, 1);
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

/** Why to retry a request, whose 429 may be expected: with forced requests and the near-quota key. */
function reasonOf({ role, options }: Plan, exchange: Exchange): 'failure' | 'limited' | null {
  const reason = repeatReason(exchange);
  const expected = options.force === true || role === 'nearQuota';
  return reason === 'limited' && expected ? null : reason;
}

function purposeOf({ options, purpose }: Plan, attempt: number): Purpose {
  if (purpose !== undefined || options.force === true || options.pin !== undefined)
    return 'limiter';
  return attempt > 1 ? 'repeat' : 'planned';
}

/** Arrival time of an answer, ms of the target's time. */
const timeOf = ({ receivedAt, skewMs }: Exchange): number => receivedAt + skewMs;

const noop = (): void => undefined;
