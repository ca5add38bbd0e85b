import type { Exchange } from '../spec/exchange.ts';
import type { KeyRing } from '../target/keys.ts';
import type { Breaker } from './breaker.ts';
import type { Budget } from './budget.ts';
import { rateAnnouncement } from './pace/rate-headers.ts';
import { MAX_REPEATS, PAUSES_MS, repeatReason } from './repeat.ts';
import { isPaced } from './session-options.ts';
import type { Plan } from './session-options.ts';
import type { Wire } from './wire.ts';

export interface RepeaterOptions {
  readonly breaker: Breaker;
  readonly budget: Budget;
  readonly ring: KeyRing;
  /** Null when nothing may be sent. */
  readonly wire: Wire | null;
  readonly windowMs: number;
  /** The answer that an earlier run got; null when there is none. */
  readonly known: (plan: Plan) => Exchange | null;
  /** Whether the limiter let any request with a valid key through from the sending of one exchange to the end of another. */
  readonly isOpenBetween: (first: Exchange, last: Exchange) => boolean;
  /** Sends once, or answers from the record. */
  readonly attempt: (plan: Plan, attempt: number) => Promise<Exchange>;
}

/** Sends again what failed in passing, or was refused by a limiter that was believed to have room. */
export class Repeater {
  readonly #options: RepeaterOptions;

  constructor(options: RepeaterOptions) {
    this.#options = options;
  }

  /** The exchange for a plan; of several, the last one. All are recorded. */
  async send(plan: Plan): Promise<Exchange> {
    const { breaker, budget, known, attempt } = this.#options;
    const place = plan.target.endpoint ?? plan.target.path;
    breaker.checkEndpoint(place);
    const repeats = plan.options.repeat === false ? 0 : MAX_REPEATS;
    // A refused key leaves the others to be tried at once; only when all of them refused does a repeat mean a wait.
    let others = this.#otherKeys(plan);
    let exchange = await attempt(plan, 1);
    const first = exchange;
    for (let repeat = 1; repeat <= repeats;) {
      const reason = this.#repeatReason(plan, exchange);
      if (reason === null) return exchange;
      if (budget.left(plan.role, 'repeat') < 1) {
        // Refused by every key, and nothing is left to try again with: as shut as after the last try.
        if (reason === 'limited' && plan.role === 'valid') {
          this.#giveUp(repeat, first, exchange);
        }
        return exchange;
      }
      if (reason === 'failure' && !breaker.worthRepeating(place)) return exchange;
      const answer = known(plan);
      if (answer === null) await this.#beforeRepeat(plan, { first, exchange }, reason, repeat);
      if (reason === 'limited' && others > 0) others -= 1;
      else repeat += 1;
      exchange = answer ?? (await attempt(plan, exchange.attempt + 1));
    }
    if (repeats > 0 && plan.role === 'valid' && this.#repeatReason(plan, exchange) === 'limited') {
      this.#giveUp(repeats, first, exchange);
    }
    if (repeats > 0 && exchange.response?.status === 503) breaker.observeUnavailable();
    return exchange;
  }

  /** Where nothing at all is let through, nothing else will be either. */
  #giveUp(waits: number, first: Exchange, last: Exchange): void {
    const { breaker, isOpenBetween } = this.#options;
    if (!isOpenBetween(first, last)) breaker.observeThrottled(waits);
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
      // A reset that is not kept must not look like a target that is closed: the last try comes after a whole window.
      const passed = timeOf(exchange) - timeOf(first);
      if (first !== exchange && passed < windowMs) await wire?.wait(role, windowMs - passed);
    }
  }

  /** Keys of the role that may serve a request which the first one tried is refused for. */
  #otherKeys({ role, options }: Plan): number {
    if (!isPaced(role) || options.keyIndex !== undefined || options.pin !== undefined) return 0;
    return this.#options.ring.keys(role).length - 1;
  }

  #repeatReason({ role, options }: Plan, exchange: Exchange): 'failure' | 'limited' | null {
    const reason = repeatReason(exchange);
    // A forced request and a key at the end of its quota are expected to be refused.
    const expected = options.force === true || role === 'nearQuota';
    return reason === 'limited' && expected ? null : reason;
  }

  /** For a refused request whose key is not paced: until the announced reset, or one window. */
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

/** When an answer arrived, ms of the target's time. */
const timeOf = ({ receivedAt, skewMs }: Exchange): number => receivedAt + skewMs;
