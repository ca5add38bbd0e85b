import type { Exchange, TransportError } from '../spec/exchange.ts';
import type { KeyRing } from '../target/keys.ts';
import type { Attempts } from './attempts.ts';
import type { Breaker } from './breaker.ts';
import type { Budget } from './budget.ts';
import { rateAnnouncement } from './pace/rate-headers.ts';
import { isPaced } from './session-options.ts';
import type { Plan } from './session-options.ts';
import type { Wire } from './wire.ts';

/** Maximum number of retries. */
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

export interface RepeaterOptions {
  readonly breaker: Breaker;
  readonly budget: Budget;
  readonly ring: KeyRing;
  /** Null for replays. */
  readonly wire: Wire | null;
  readonly windowMs: number;
  readonly attempts: Attempts;
  readonly exchanges: () => readonly Exchange[];
}

/** Retries transient failures and unexpected 429s. */
export class Repeater {
  readonly #options: RepeaterOptions;

  constructor(options: RepeaterOptions) {
    this.#options = options;
  }

  /** The last exchange for a plan. All are recorded. */
  async send(plan: Plan): Promise<Exchange> {
    const { breaker, budget, attempts } = this.#options;
    const endpoint = plan.target.endpoint ?? plan.target.path;
    breaker.checkEndpoint(endpoint);
    const repeats = plan.options.repeat === false ? 0 : MAX_REPEATS;
    // After a 429, try the other keys immediately; wait only when all were rejected.
    let others = this.#otherKeys(plan);
    let exchange = await attempts.attempt(plan, 1);
    const first = exchange;
    for (let repeat = 1; repeat <= repeats;) {
      const reason = this.#repeatReason(plan, exchange);
      if (reason === null) return exchange;
      if (budget.left(plan.role, 'repeat') < 1) {
        // All keys were rejected and no retries are left.
        if (reason === 'limited' && plan.role === 'valid') {
          this.#giveUp(repeat, first, exchange);
        }
        return exchange;
      }
      if (reason === 'failure' && !breaker.worthRepeating(endpoint)) return exchange;
      const answer = attempts.known(plan);
      if (answer === null) await this.#beforeRepeat(plan, { first, exchange }, reason, repeat);
      if (reason === 'limited' && others > 0) others -= 1;
      else repeat += 1;
      exchange = answer ?? (await attempts.attempt(plan, exchange.attempt + 1));
    }
    if (repeats > 0 && plan.role === 'valid' && this.#repeatReason(plan, exchange) === 'limited') {
      this.#giveUp(repeats, first, exchange);
    }
    if (repeats > 0 && exchange.response?.status === 503) breaker.observeUnavailable();
    return exchange;
  }

  /** Opens the breaker if the limiter admits nothing at all. */
  #giveUp(waits: number, first: Exchange, last: Exchange): void {
    const { breaker, exchanges } = this.#options;
    const isOpen = exchanges().some(
      ({ role, response, receivedAt }) =>
        role === 'valid' &&
        response !== null &&
        response.status !== 429 &&
        receivedAt >= first.sentAt &&
        receivedAt <= last.receivedAt,
    );
    if (!isOpen) breaker.observeThrottled(waits);
  }

  async #beforeRepeat(
    { role, options }: Plan,
    { first, exchange }: { readonly first: Exchange; readonly exchange: Exchange },
    reason: 'failure' | 'limited',
    repeat: number,
  ): Promise<void> {
    const { wire, windowMs } = this.#options;
    if (reason === 'failure') await wire?.pause(PAUSES_MS[repeat - 1] ?? 0);
    else if (!isPaced(role)) await this.#waitForReset(exchange);
    else if (repeat === MAX_REPEATS && options.pin === undefined) {
      // The last retry comes after a whole window, so that a wrong reset does not look like a closed target.
      const passed = timeOf(exchange) - timeOf(first);
      if (first !== exchange && passed < windowMs) await wire?.wait(role, windowMs - passed);
    }
  }

  /** Number of other keys to try after a 429. */
  #otherKeys({ role, options }: Plan): number {
    if (!isPaced(role) || options.keyIndex !== undefined || options.pin !== undefined) return 0;
    return this.#options.ring.keys(role).length - 1;
  }

  #repeatReason({ role, options }: Plan, exchange: Exchange): 'failure' | 'limited' | null {
    const reason = repeatReason(exchange);
    // A 429 is expected for forced requests and for the near-quota key.
    const expected = options.force === true || role === 'nearQuota';
    return reason === 'limited' && expected ? null : reason;
  }

  /** Waits until the announced reset or for one window, for keys that are not paced. */
  async #waitForReset(exchange: Exchange): Promise<void> {
    const { windowMs } = this.#options;
    const announced = rateAnnouncement(exchange.response?.headers ?? {});
    const ms =
      announced === null || this.#options.wire === null
        ? windowMs
        : announced.resetAt - this.#options.wire.targetNow();
    await this.#options.wire?.wait(exchange.role, ms > 0 && ms <= 2 * windowMs ? ms : windowMs);
  }
}

/** Arrival time of an answer, ms of the target's time. */
const timeOf = ({ receivedAt, skewMs }: Exchange): number => receivedAt + skewMs;
