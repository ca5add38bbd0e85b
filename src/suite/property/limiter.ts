import * as fc from 'fast-check';
import type { EndpointPath } from '../../contract/endpoints.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Finding } from '../../contract/finding.ts';
import { RATE_HEADERS, RESET_TOLERANCE_MS } from '../../contract/limits.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';
import type { Pin } from '../../http/pacer.ts';
import type { Context } from '../../rules/context.ts';
import { isRateRefusal, wholeNumber } from '../../../suites/8-limits/answers.ts';
import { isDateRight } from '../../../suites/8-limits/clock.ts';
import { trafficOf } from '../../../suites/8-limits/traffic.ts';
import { viewOf } from '../../rules/view.ts';
import { LimiterModel, type Counted, type Opinion } from './limiter-model.ts';
import type { PropertySession } from './session.ts';
import type { Trial } from './search.ts';
import type { Tokens } from './tokens.ts';

/** What the model of the limiter needs of the session of the run. */
export interface LimiterSession extends PropertySession {
  readonly http: PropertySession['http'] & {
    readonly clockControlled: boolean;
    readonly keyRing: { fingerprints(): Readonly<{ valid?: readonly string[] | undefined }> };
    pin(role: 'valid', keyIndex: number): Promise<Pin>;
    advanceClock(ms: number): Promise<void>;
  };
  readonly exchanges: readonly Exchange[];
  context(): Context;
}

/**
 * A step: `burst` sends some requests of a key at the same moment, `fill` more than its window admits, `wait` one as soon
 * as the window has room again, and `pass` lets a part of a window pass on targets whose clock can be moved.
 */
export type Step =
  | { readonly kind: 'burst'; readonly key: number; readonly size: number }
  | { readonly kind: 'fill'; readonly key: number }
  | { readonly kind: 'wait'; readonly key: number }
  | { readonly kind: 'pass'; readonly share: number };

/** Keys that the model follows at most. */
const MOST_KEYS = 3;
/** A list without parameters that is known to exist: only the limiter is asked about. */
const PATH: EndpointPath = '/analyses';

/** Any steps, after one window was filled: what is special happens there. */
export function steps(keys: number): fc.Arbitrary<readonly Step[]> {
  const key = fc.integer({ min: 0, max: Math.min(keys, MOST_KEYS) - 1 });
  const fill = key.map((one): Step => ({ kind: 'fill', key: one }));
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(key, fc.integer({ min: 1, max: 4 }))
        .map(([one, size]): Step => ({ kind: 'burst', key: one, size })),
    },
    { weight: 2, arbitrary: key.map((one): Step => ({ kind: 'wait', key: one })) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 1, max: 12 }).map((n): Step => ({ kind: 'pass', share: n / 8 })),
    },
    { weight: 1, arbitrary: fill },
  );
  return fc
    .tuple(fill, fc.array(step, { minLength: 2, maxLength: 6 }))
    .map(([first, others]) => [first, ...others]);
}

/** Sends the steps to the target and compares each answer with the model. */
export class LimiterTrials {
  readonly #session: LimiterSession;
  readonly #tokens: Tokens;
  readonly #pins: readonly Pin[];
  readonly #model: LimiterModel;
  readonly #fingerprints: readonly string[];

  private constructor(session: LimiterSession, tokens: Tokens, pins: readonly Pin[]) {
    const { requests, windowMs } = session.facts.limits;
    const exact = session.http.clockControlled;
    const views = session.exchanges.flatMap((exchange) => viewOf(exchange, session.facts) ?? []);
    const isShared = trafficOf(views, session.context()).some(({ shared }) => shared);
    this.#session = session;
    this.#tokens = tokens;
    this.#pins = pins;
    this.#model = new LimiterModel({
      requests,
      windowMs,
      // Announced times may be rounded; a clock that is moved tells its time, any other is known from whole seconds.
      toleranceMs: exact ? RESET_TOLERANCE_MS - 50 : RESET_TOLERANCE_MS + 1000,
      alone: exact && !isShared,
      shared: isShared,
      timed: exact || isDateRight(views, session.facts),
    });
    this.#fingerprints = session.http.keyRing.fingerprints().valid ?? [];
    for (const exchange of session.exchanges) {
      const counted = this.#counted(exchange);
      if (counted !== null) this.#model.add(counted);
    }
  }

  /** Takes keys out of the pool, so that every request of their windows is seen. Give them back with `release`. */
  static async open(session: LimiterSession, tokens: Tokens): Promise<LimiterTrials> {
    const keys = session.http.keyRing.fingerprints().valid?.length ?? 0;
    const pins: Pin[] = [];
    try {
      for (let index = 0; index < Math.min(keys, MOST_KEYS); index += 1) {
        pins.push(await session.http.pin('valid', index));
      }
    } catch (error) {
      for (const pin of pins) pin.release();
      throw error;
    }
    return new LimiterTrials(session, tokens, pins);
  }

  release(): void {
    for (const pin of this.#pins) pin.release();
  }

  /**
   * Does the steps in turn, up to the first answer that the model rules out, or as far as the tokens go. What was sent
   * counts, so a case that was broken off is judged as far as it went; undefined when nothing was sent.
   */
  async try(drawn: readonly Step[]): Promise<Trial | undefined> {
    const asked: Exchange[] = [];
    const judged = new Map<RequirementId, readonly Exchange[]>();
    const findings: Finding[] = [];
    for (const step of drawn) {
      const done = await this.#step(step);
      if (done === undefined) break;
      for (const { exchanges, opinion } of done) {
        asked.push(...exchanges);
        for (const id of opinion.judged) judged.set(id, [...(judged.get(id) ?? []), ...exchanges]);
        if (opinion.finding !== null) findings.push(opinion.finding);
      }
      if (findings.length > 0) break;
    }
    if (asked.length === 0) return undefined;
    return { asked, judged, findings };
  }

  async #step(step: Step): Promise<readonly Batch[] | undefined> {
    switch (step.kind) {
      case 'pass': {
        const { clockControlled } = this.#session.http;
        const ms = Math.round(step.share * this.#session.facts.limits.windowMs);
        if (clockControlled) await this.#session.http.advanceClock(ms);
        return [];
      }
      case 'fill':
        return this.#fill(step.key);
      case 'wait':
        return one(await this.#send(step.key, 1, false));
      default:
        return one(await this.#send(step.key, step.size, true));
    }
  }

  /** More than one window admits: until a refusal comes, or until it is clear that none will. */
  async #fill(key: number): Promise<readonly Batch[] | undefined> {
    const { requests } = this.#session.facts.limits;
    const batches: Batch[] = [];
    // At the same moment what the window should just not hold, then one after the other what two windows cannot hold.
    let size = Math.max(1, requests + 1 - this.#model.admittedInWindow(key));
    for (let sent = 0; sent <= 2 * requests; sent += size) {
      if (sent > 0) size = 1;
      const batch = await this.#send(key, size, true);
      if (batch === undefined) return batches.length === 0 ? undefined : batches;
      batches.push(batch);
      const refused = batch.exchanges.some(({ response }) => response?.status === 429);
      if (refused || batch.opinion.finding !== null) break;
    }
    return batches;
  }

  async #send(key: number, size: number, force: boolean): Promise<Batch | undefined> {
    const pin = this.#pins[key];
    if (pin === undefined || this.#session.http.budgetLeft('valid') < size) return undefined;
    if (!this.#tokens.take(size)) return undefined;
    const exchanges = await Promise.all(
      Array.from({ length: size }, () =>
        this.#session.send(PATH, { pin, force, fresh: true, repeat: false }),
      ),
    );
    const counted = exchanges.flatMap((exchange) => this.#counted(exchange) ?? []);
    return { exchanges, opinion: this.#model.judge(counted) };
  }

  /** The exchange as the model counts it; null when it is not about one of the valid keys, or a cache gave the answer. */
  #counted(exchange: Exchange): Counted | null {
    const { key: fingerprint, role, sentAt, receivedAt, skewMs, response } = exchange;
    const key = role === 'valid' ? this.#fingerprints.indexOf(fingerprint ?? '') : -1;
    if (key === -1) return null;
    const view = viewOf(exchange, this.#session.facts);
    if (view?.fromCache === true) return null;
    const figure = (name: string): number | null => wholeNumber(response?.headers[name]);
    const reset = figure(RATE_HEADERS.reset);
    const refused = view !== undefined && isRateRefusal(view, this.#session.context());
    return {
      key,
      from: sentAt + skewMs,
      to: receivedAt + skewMs,
      outcome: view?.ok === true ? 'admitted' : refused ? 'refused' : 'unclear',
      reset: reset !== null && reset > 1e12 && reset < 1e14 ? reset : null,
      remaining: figure(RATE_HEADERS.remaining),
      exchange,
    };
  }
}

interface Batch {
  readonly exchanges: readonly Exchange[];
  readonly opinion: Opinion;
}

const one = (batch: Batch | undefined): readonly Batch[] | undefined =>
  batch === undefined ? undefined : [batch];
