import type { Exchange, KeyRole } from '../contract/exchange.ts';
import { Fixtures } from '../target/discover.ts';
import { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { Breaker } from './breaker.ts';
import { Budget } from './budget.ts';
import type { SessionStats } from './budget.ts';
import { ExchangeCache } from './cache.ts';
import { Client } from './client.ts';
import { clockControl } from './clock-control.ts';
import { MissingKey, SessionClosed } from './errors.ts';
import { LimitProbe } from './limit-probe.ts';
import { Pacer } from './pacer.ts';
import type { KeyCapacity, Lease, Pin, PlannedWait } from './pacer.ts';
import { rateAnnouncement } from './rate-headers.ts';
import { Recorder } from './recorder.ts';
import { MAX_REPEATS, PAUSES_MS, repeatReason } from './repeat.ts';
import { configuredSecrets, requestHeaders } from './request-headers.ts';
import { requestTarget } from './request-url.ts';
import type { Query, RequestTarget } from './request-url.ts';
import { RunClock } from './run-clock.ts';
import { SkewEstimate } from './skew.ts';

export interface SessionOptions {
  /** Fixes the never-issued key and derived identifiers. */
  readonly seed: number;
  /** Most requests with valid keys, repeats included. Unbounded by default. */
  readonly maxRequests?: number | undefined;
  /** Told before every planned wait. */
  readonly onWait?: ((wait: PlannedWait) => void) | undefined;
  /** Told of every exchange when it is recorded. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Interrupts the run: what waits or is under way rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends one request more than the limit once a window of the first valid key is used up, so that the refusal of §8 is
   * seen at the cost of one request. That key is then used up before the others.
   */
  readonly probeLimit?: boolean | undefined;
  /** Salt of key fingerprints; random by default. */
  readonly salt?: string;
  readonly userAgent?: string;
  readonly maxBodyBytes?: number;
  /** Replaces time, for tests. */
  readonly time?: {
    readonly now: () => number;
    readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  };
}

export interface RequestOptions {
  /** Fill the parameters of a path template. */
  readonly pathParameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  /** Which kind of key to send. Default `valid`. */
  readonly role?: KeyRole | undefined;
  /** A certain key of the role. */
  readonly keyIndex?: number | undefined;
  /** Send it, even if the same was asked before. */
  readonly fresh?: boolean | undefined;
  /** Default GET. Other methods are never repeated. */
  readonly method?: string | undefined;
  /** Send at once although the window is believed to be full; a 429 is then expected and not repeated. */
  readonly force?: boolean | undefined;
  /** The pin that holds the key to send with. */
  readonly pin?: Pin | undefined;
  /** False to take the first answer as it is. By default passing failures and unexpected 429s are repeated twice. */
  readonly repeat?: boolean | undefined;
  /**
   * Sends the name of the key header in lower case, or with a capital at the start of each word: names of headers have
   * no letter case.
   */
  readonly headerCase?: 'lower' | 'mixed' | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

interface Plan {
  readonly target: RequestTarget;
  readonly method: string;
  readonly role: KeyRole;
  readonly options: RequestOptions;
}

/** Roles whose keys the limiter counts (§8). The others are refused before it. */
const PACED_ROLES = ['valid', 'restricted', 'nearQuota'] as const satisfies KeyRole[];

/**
 * One run against one target: sends requests within the limits of the keys, asks nothing twice, and records
 * everything. What the target does becomes an exchange; errors are thrown only for what keeps a request from being sent.
 */
export class Session {
  readonly keyRing: KeyRing;
  /** Identifiers that exist on the target. */
  readonly fixtures: Fixtures;
  readonly #target: Target;
  readonly #options: SessionOptions;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #skew = new SkewEstimate();
  readonly #client: Client;
  readonly #clock: RunClock;
  readonly #pacer: Pacer;
  readonly #recorder: Recorder;
  readonly #cache = new ExchangeCache();
  readonly #breaker: Breaker;
  readonly #budget: Budget;
  readonly #limitProbe: LimitProbe | null;

  constructor(target: Target, options: SessionOptions) {
    const { signal, onExchange, onWait, maxRequests, maxBodyBytes, time, salt, seed } = options;
    this.#target = target;
    this.#options = options;
    this.#signal =
      signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    this.keyRing = new KeyRing(target.keys, {
      seed,
      secrets: configuredSecrets(target.http),
      ...(salt === undefined ? {} : { salt }),
    });
    this.#client = new Client({
      http: target.http,
      now: () => this.#clock.localNow(),
      ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
    });
    this.#clock = new RunClock({
      ...time,
      ...(target.clock && { advance: clockControl(target.clock.control, this.#client) }),
      onAdvance: (now, sentAt, receivedAt) => this.#skew.observeExact(now, sentAt, receivedAt),
    });
    this.#limitProbe = options.probeLimit === true ? new LimitProbe() : null;
    this.#pacer = new Pacer({
      requests: target.limits.requests,
      windowMs: target.limits.windowMs,
      keys: Object.fromEntries(PACED_ROLES.map((role) => [role, this.keyRing.keys(role).length])),
      clock: this.#clock,
      skew: () => this.#skew,
      onWait,
      preferred: (role) => this.#limitProbe?.preferred(role) ?? null,
      signal: this.#signal,
    });
    this.#recorder = new Recorder(this.keyRing);
    if (onExchange !== undefined) this.#recorder.onExchange(onExchange);
    this.#breaker = new Breaker({ baseUrl: target.baseUrl, keyHeader: target.auth.header });
    this.#budget = new Budget(maxRequests, target.keys.nearQuota?.remaining);
    this.fixtures = new Fixtures(
      target.fixtures,
      { get: (path, request) => this.get(path, request), json },
      { seed },
    );
  }

  /**
   * The exchange for a request: `path` is a template of §4 or any other path below the base URL. The same request with
   * the same role is sent once a run unless `fresh`, `force` or `pin` is given. After repeats, the last one is returned;
   * all are recorded.
   *
   * @throws MissingKey, BudgetExhausted, TargetUnreachable, KeysRejected, TargetThrottled; the reason of the signal.
   */
  async get(path: string, options: RequestOptions = {}): Promise<Exchange> {
    const { pathParameters, query, keyIndex, method = 'GET', headers = {}, headerCase } = options;
    const role = options.role ?? options.pin?.role ?? 'valid';
    const target = requestTarget(this.#target.baseUrl, path, pathParameters, query);
    if (role !== 'none' && this.keyRing.keys(role)[keyIndex ?? 0] === undefined) {
      throw new MissingKey(role, keyIndex);
    }
    const plan = { target, method, role, options };
    if (options.fresh === true || options.force === true || options.pin !== undefined) {
      return this.#send(plan);
    }
    const { requestPath } = target;
    const key = JSON.stringify([method, requestPath, role, keyIndex, headers, headerCase]);
    return this.#cache.get(key, () => this.#send(plan));
  }

  /** Takes a key for oneself, to see every request of its window. Release it in a `finally`. */
  async pin(role: KeyRole = 'valid', keyIndex?: number): Promise<Pin> {
    if (this.keyRing.keys(role)[keyIndex ?? 0] === undefined) throw new MissingKey(role, keyIndex);
    return this.#pacer.pin(role, keyIndex);
  }

  /** All exchanges so far, in the order sent. */
  get exchanges(): readonly Exchange[] {
    return this.#recorder.exchanges;
  }

  /** Requests sent so far, and the time spent waiting for windows. */
  stats(): SessionStats {
    return this.#budget.stats(this.#pacer.waitedMs);
  }

  /** Requests that may still be sent with keys of the role; infinite when unbounded. */
  budgetLeft(role: KeyRole): number {
    return this.#budget.left(role);
  }

  /** What is believed about the windows of the keys of a role. */
  capacity(role: KeyRole): KeyCapacity[] {
    return this.#pacer.capacity(role);
  }

  /** Time of the target as far as known, epoch ms. */
  targetNow(): number {
    return Math.round(this.#clock.now() + this.#skew.ms);
  }

  /** True when the clock of the target can be moved. */
  get clockControlled(): boolean {
    return this.#clock.controlled;
  }

  /** Moves the clock of a test target; no request may be under way. @throws TargetError without `clock.control`. */
  async advanceClock(ms: number): Promise<void> {
    await this.#clock.advance(ms);
  }

  /** Ends the session: what is under way is given up, connections are closed. */
  async close(): Promise<void> {
    this.#closing.abort(new SessionClosed());
    await this.#client.close();
  }

  async #send(plan: Plan): Promise<Exchange> {
    const repeats = plan.options.repeat === false ? 0 : MAX_REPEATS;
    const admittedBefore = this.#breaker.admitted;
    // A refused key leaves the others to be tried at once; only when all of them refused does a repeat mean a wait.
    let others = this.#otherKeys(plan);
    let exchange = await this.#attempt(plan, 1);
    for (let repeat = 1; repeat <= repeats;) {
      const reason = this.#repeatReason(plan, exchange);
      if (reason === null || this.#budget.left(plan.role) < 1) return exchange;
      if (reason === 'failure') await this.#clock.pause(PAUSES_MS[repeat - 1] ?? 0, this.#signal);
      else if (!isPaced(plan.role)) await this.#waitForReset(exchange);
      if (reason === 'limited' && others > 0) others -= 1;
      else repeat += 1;
      exchange = await this.#attempt(plan, exchange.attempt + 1);
    }
    if (repeats > 0 && plan.role === 'valid' && this.#repeatReason(plan, exchange) === 'limited') {
      this.#breaker.observeGivenUp(repeats, admittedBefore);
    }
    if (repeats > 0 && exchange.response?.status === 503) this.#breaker.observeUnavailable();
    return exchange;
  }

  /** Keys of the role that may serve a request which the first one tried is refused for. */
  #otherKeys({ role, options }: Plan): number {
    if (!isPaced(role) || options.keyIndex !== undefined || options.pin !== undefined) return 0;
    return this.keyRing.keys(role).length - 1;
  }

  #repeatReason({ role, options }: Plan, exchange: Exchange): 'failure' | 'limited' | null {
    const reason = repeatReason(exchange);
    // A forced request and a key at the end of its quota are expected to be refused.
    const expected = options.force === true || role === 'nearQuota';
    return reason === 'limited' && expected ? null : reason;
  }

  async #attempt(plan: Plan, attempt: number): Promise<Exchange> {
    const { role, options } = plan;
    this.#signal.throwIfAborted();
    this.#breaker.check();
    this.#budget.reserve(role);
    let lease: Lease;
    try {
      lease = await this.#pacer.acquire({ ...options, role });
    } catch (error) {
      this.#budget.release(role);
      throw error;
    }
    try {
      this.#signal.throwIfAborted();
      this.#breaker.check();
    } catch (error) {
      lease.settle(null);
      this.#budget.release(role);
      throw error;
    }
    const exchange = await this.#exchange(plan, lease, attempt);
    this.#breaker.observe(exchange);
    if (exchange.error !== null) {
      this.#signal.throwIfAborted();
      this.#breaker.check();
    }
    await this.#probeLimit(plan, exchange);
    return exchange;
  }

  /** Looks whether the request that was just answered used up a window, and if so probes its limit. */
  async #probeLimit({ target, role, options }: Plan, exchange: Exchange): Promise<void> {
    if (this.#limitProbe === null || role !== 'valid') return;
    this.#limitProbe.observe(target, exchange);
    // Whoever holds a key or sends beyond the limit on purpose sees to it alone.
    if (options.pin !== undefined || options.force === true) return;
    if (this.#budget.left(role) < 1) return;
    await this.#limitProbe.run(this.#pacer.capacity(role), (known, keyIndex) =>
      this.#attempt(
        { target: known, method: 'GET', role, options: { keyIndex, force: true, repeat: false } },
        1,
      ),
    );
  }

  /** Sends one request and records it. */
  async #exchange({ target, method, role, options }: Plan, lease: Lease, attempt: number) {
    const { http, auth } = this.#target;
    const key = this.keyRing.keys(role)[lease.keyIndex] ?? null;
    const headers = requestHeaders({
      host: new URL(target.origin).host,
      userAgent: this.#options.userAgent ?? 'assay',
      configured: http.headers,
      keyHeader: inCase(auth.header, options.headerCase),
      key,
      extra: options.headers ?? {},
    });
    const id = this.#recorder.nextId();
    this.#budget.sent(role);
    const sentAt = this.#clock.now();
    const { origin, requestPath } = target;
    const signal = this.#signal;
    const answer = await this.#client.send({ method, origin, requestPath, headers, signal });
    const { response } = answer;
    if (response !== null) {
      this.#skew.observe(response.headers['date'], sentAt, this.#clock.now());
    }
    lease.settle(
      response && { status: response.status, announced: rateAnnouncement(response.headers) },
    );
    const skewMs = this.#skew.ms + this.#clock.advancedMs;
    return this.#recorder.record({
      id,
      target,
      method,
      headers,
      role,
      key,
      answer,
      skewMs,
      attempt,
    });
  }

  /** For a refused request whose key is not paced: until the announced reset, or one window. */
  async #waitForReset(exchange: Exchange): Promise<void> {
    const { windowMs } = this.#target.limits;
    const announced = rateAnnouncement(exchange.response?.headers ?? {});
    const ms = announced === null ? windowMs : announced.resetAt - this.targetNow();
    const bounded = ms > 0 && ms <= 2 * windowMs ? ms : windowMs;
    const untilMs = this.#clock.localNow() + bounded;
    this.#options.onWait?.({ role: exchange.role, untilMs, ms: bounded });
    await this.#clock.wait(bounded, this.#signal);
  }
}

/** Opens a session; nothing is sent before the first request. @throws TargetError when `http` settings cannot be used. */
export function createSession(target: Target, options: SessionOptions): Session {
  return new Session(target, options);
}

/** A header name in another letter case; as it is without one. */
function inCase(name: string, letterCase: RequestOptions['headerCase']): string {
  if (letterCase === undefined) return name;
  const lower = name.toLowerCase();
  return letterCase === 'lower'
    ? lower
    : lower.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function isPaced(role: KeyRole): boolean {
  return PACED_ROLES.some((paced) => paced === role);
}

/** The body as JSON; `undefined` when there is no response or no JSON in it. */
function json({ response }: Exchange): unknown {
  if (response === null) return undefined;
  try {
    return JSON.parse(response.text) as unknown;
  } catch {
    return undefined;
  }
}
