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
 * @returns a function that gives the last exchange for a plan; all are recorded. It throws SessionError, or the reason
 * of the signal
 */
export function senderOf(parts: SessionParts): (plan: Plan) => Promise<Exchange> {
  const { breaker, budget, keyRing, known, limitProbe, recorder, target, underWay, wire } = parts;
  /** False before the first request of a resumed run. */
  let goesOn = known.isEmpty;

  /** @throws SessionError or the reason of the signal, once the run must end */
  const mustGoOn = (): void => {
    parts.signal.throwIfAborted();
    breaker.check();
  };
  /** Opens the breaker if the limiter admits nothing at all. */
  const giveUp = ({ role }: Plan, waits: number, first: Exchange, last: Exchange): void => {
    if (role !== 'valid') return;
    const isOpen = parts
      .exchanges()
      .some(
        (one) =>
          one.role === 'valid' &&
          one.response !== null &&
          one.response.status !== 429 &&
          one.receivedAt >= first.sentAt &&
          one.receivedAt <= last.receivedAt,
      );
    if (!isOpen) breaker.observeThrottled(waits);
  };
  const beforeRepeat = async (
    { role, options }: Plan,
    { first, exchange }: { readonly first: Exchange; readonly exchange: Exchange },
    reason: 'failure' | 'limited',
    repeat: number,
  ): Promise<void> => {
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
  };
  /** Adds exchanges of an earlier run, which count as sent. */
  const keepAll = (exchanges: readonly Exchange[]): void => {
    for (const exchange of exchanges) {
      const { role, purpose } = exchange;
      if (purpose !== undefined) budget.keep(role, purpose === 'interrupted' ? null : 'limiter');
      budget.sent(role);
      recorder.keep(exchange);
      if (purpose !== 'interrupted') breaker.observe(exchange);
    }
  };
  /** The recorded answer of an earlier run; null when the request must be sent. */
  const recorded = (plan: Plan): Exchange | null => {
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
    keepAll([exchange]);
    limitProbe?.observe(plan.target, exchange);
    keepAll(known.passed());
    return exchange;
  };
  /** Probes the limit if the request being sent uses up a window. */
  const probeLimit = async (
    { role, options }: Plan,
    sending: Promise<Exchange> | null,
  ): Promise<void> => {
    if (limitProbe === null || wire === null || role !== 'valid') return;
    // Callers with a pin or forced requests test the limit themselves.
    if (options.pin !== undefined || options.force === true) return;
    const left = limitProbe.left();
    const send = (to: RequestTarget, keyIndex: number): Promise<Exchange> => {
      const forced = { keyIndex, force: true, repeat: false };
      const purpose = 'limit-probe';
      return attempted({ target: to, method: 'GET', role, options: forced, purpose }, 1);
    };
    let follows = true;
    // Further keys must not cost a planned request.
    const kept = (): number => (limitProbe.testsOthers() ? budget.left(role) : 0);
    while (follows && budget.left(role, 'limiter') > kept()) {
      follows = await limitProbe.run(() => wire.pacer.capacity(role), send, sending);
    }
    const now = limitProbe.left();
    if (now !== left) parts.journal?.write({ type: 'probes', left: now });
  };
  const sendOnce = async (
    plan: Plan,
    by: Wire,
    attempt: number,
    purpose: Purpose,
  ): Promise<Exchange> => {
    const { role, options } = plan;
    const { force, pin, keyIndex = pin?.keyIndex } = options;
    mustGoOn();
    budget.reserve(role, purpose);
    let lease: Lease | undefined;
    let release = noop;
    try {
      lease = await by.pacer.acquire({ role, keyIndex, force });
      release = await underWay.send();
      mustGoOn();
    } catch (error) {
      lease?.settle(null);
      release();
      budget.release(role, purpose);
      throw error;
    }
    const sending = by.send(plan, lease, { attempt, sequence: known.sequence });
    const probe = probeLimit(plan, sending);
    // If the request fails, nothing awaits the probe.
    probe.catch(noop);
    const exchange = await sending.finally(release);
    underWay.observe(exchange);
    breaker.observe(exchange);
    if (exchange.error !== null) mustGoOn();
    limitProbe?.observe(plan.target, exchange);
    await probe;
    return exchange;
  };
  const attempted = async (plan: Plan, attempt: number): Promise<Exchange> => {
    mustGoOn();
    const answer = recorded(plan);
    if (answer !== null) return answer;
    const purpose = purposeOf(plan, attempt);
    if (wire === null) {
      // The recorded run sent no more than its budget, either.
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
    if (!goesOn) {
      // Before the first request of a resumed run. A window that the earlier part has filled may still be probed.
      goesOn = true;
      keepAll(known.rest());
      await probeLimit(plan, null);
    }
    const isOrdered = plan.role === 'valid' && purpose !== 'limiter';
    const release = isOrdered ? await underWay.slot() : noop;
    try {
      return await sendOnce(plan, wire, attempt, purpose);
    } finally {
      release();
    }
  };
  return async (plan) => {
    const endpoint = plan.target.endpoint ?? plan.target.path;
    breaker.checkEndpoint(endpoint);
    const repeats = plan.options.repeat === false ? 0 : MAX_REPEATS;
    // After a 429, try the other keys immediately; wait only when all were rejected.
    const { role, options } = plan;
    const isPooled = isPaced(role) && options.keyIndex === undefined && options.pin === undefined;
    let others = isPooled ? keyRing.keys(role).length - 1 : 0;
    let exchange = await attempted(plan, 1);
    const first = exchange;
    for (let repeat = 1; repeat <= repeats;) {
      const reason = reasonOf(plan, exchange);
      if (reason === null) return exchange;
      if (budget.left(plan.role, 'repeat') < 1) {
        if (reason === 'limited') giveUp(plan, repeat, first, exchange);
        return exchange;
      }
      if (reason === 'failure' && !breaker.worthRepeating(endpoint)) return exchange;
      const answer = recorded(plan);
      if (answer === null) await beforeRepeat(plan, { first, exchange }, reason, repeat);
      if (reason === 'limited' && others > 0) others -= 1;
      else repeat += 1;
      exchange = answer ?? (await attempted(plan, exchange.attempt + 1));
    }
    if (repeats > 0 && reasonOf(plan, exchange) === 'limited') {
      giveUp(plan, repeats, first, exchange);
    }
    if (repeats > 0 && exchange.response?.status === 503) breaker.observeUnavailable();
    return exchange;
  };
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
