import type { Exchange } from '../spec/exchange.ts';
import {
  EndpointGivenUp,
  KeysRejected,
  TargetFails,
  TargetHangs,
  TargetRefuses,
  TargetThrottled,
  TargetUnavailable,
  TargetUnreachable,
} from './errors.ts';
import type { SessionError } from './errors.ts';

/** Consecutive failed attempts before giving up a target that has never answered. */
const FAILURES_AT_START = 3;
/** Consecutive failures of any kind, on several endpoints, before giving up a target that has answered. */
const FAILURES_ANY_KIND = 12;
/** Minimum number of affected endpoints for a defect of the whole target. */
const ENDPOINTS = 3;
/** Total number of timeouts that end a run. */
const TIMEOUTS = 18;
/** Number of first answers, all too large or undecodable, before giving up. */
const UNREAD_AT_START = 8;
/** Consecutive timeouts on one endpoint before it is no longer requested. */
const HANGS_OF_ENDPOINT = 4;
/** Consecutive failures on one endpoint before its requests are no longer retried. */
const FAILURES_OF_ENDPOINT = 6;
/** Number of first answers to valid keys, all the same 403, 404 or redirect, before giving up. */
const REFUSALS_AT_START = 6;
/** Number of first answers to valid keys, all 5xx, before giving up. */
const FAILS_AT_START = 12;
/** Consecutive 403s for valid keys after successes, before giving up: a firewall blocks us. */
const REFUSALS_LATER = 16;
const REFUSAL_ENDPOINTS_LATER = 6;
/** Consecutive refused connections before giving up a target that has answered. */
const FAILURES_LATER = 9;
/** Number of first answers to valid keys, all 401, before the keys are considered rejected. */
const REJECTIONS = 3;
/** The same for a single endpoint, which may itself be defective. */
const REJECTIONS_ONE_ENDPOINT = 6;

/** Consecutive requests with 503 after retries before giving up. */
const UNAVAILABLE_REQUESTS = 4;

/**
 * Ends a run that cannot reach a verdict any more, for example because the target does not respond or rejects valid
 * keys. Continuing would only cost time and quota.
 */
export class Breaker {
  readonly #baseUrl: string;
  readonly #keyHeader: string;
  #open: SessionError | null = null;
  #answered = false;
  #failures = 0;
  #refusals = 0;
  /**
   * Endpoints that rejected a valid key from its first use, by fingerprint; null after the first answer that is not a
   * 401.
   */
  readonly #rejections = new Map<string, Set<string> | null>();
  readonly #rejectedEndpoints = new Set<string>();
  #poolAnswers = 0;
  #poolAccepted = false;
  #unavailable = 0;
  readonly #timeoutMs: number;
  readonly #nameOf: (fingerprint: string) => string;
  readonly #failedEndpoints = new Set<string>();
  #unread = 0;
  /** Consecutive failures by endpoint, and how many of them were timeouts. */
  readonly #byEndpoint = new Map<string, { failures: number; hangs: number }>();
  #timeouts = 0;
  #timeoutsMs = 0;
  /** Consecutive answers to valid keys that were the same refusal. */
  #refusal: '403' | '404' | 'redirect' | null = null;
  #refusalAnswers = 0;
  readonly #refusalEndpoints = new Set<string>();
  #served = false;
  /** First answers to valid keys, all 5xx, with their endpoints; null after any other answer. */
  #failing: { answers: number; readonly places: Set<string> } | null = {
    answers: 0,
    places: new Set(),
  };

  constructor(options: {
    readonly baseUrl: string;
    readonly keyHeader: string;
    readonly timeoutMs: number;
    /** Readable name of a valid key for its fingerprint. */
    readonly nameOf?: (fingerprint: string) => string;
  }) {
    this.#nameOf = options.nameOf ?? ((fingerprint) => fingerprint);
    this.#baseUrl = options.baseUrl;
    this.#keyHeader = options.keyHeader;
    this.#timeoutMs = options.timeoutMs;
  }

  /** @throws SessionError with the reason, once the run must end. */
  check(): void {
    if (this.#open !== null) throw this.#open;
  }

  /** Ends the run for an external reason. The first reason counts. */
  open(reason: SessionError): void {
    this.#open ??= reason;
  }

  /** @throws EndpointGivenUp when requests to an endpoint (or other path) keep timing out. */
  checkEndpoint(place: string): void {
    const hangs = this.#byEndpoint.get(place)?.hangs ?? 0;
    if (hangs >= HANGS_OF_ENDPOINT) throw new EndpointGivenUp(place, hangs);
  }

  /** False for an endpoint that failed too often for retries. */
  worthRepeating(place: string): boolean {
    return (this.#byEndpoint.get(place)?.failures ?? 0) < FAILURES_OF_ENDPOINT;
  }

  observe(exchange: Exchange): void {
    if (this.#open !== null || exchange.error?.kind === 'aborted') return;
    if (exchange.response === null) {
      this.#observeFailure(exchange);
      return;
    }
    this.#answered = true;
    if (exchange.response.status !== 503) this.#unavailable = 0;
    this.#failures = 0;
    this.#refusals = 0;
    this.#failedEndpoints.clear();
    this.#byEndpoint.delete(exchange.endpoint ?? exchange.request.path);
    if (exchange.role === 'valid' && exchange.key !== null) {
      const place = exchange.endpoint ?? exchange.request.path;
      this.#observeKey(exchange.key, place, exchange.response.status);
      this.#observeRefusal(place, exchange.response.status);
      this.#observeFailing(place, exchange.response.status);
    }
  }

  /** Records that the limiter rejected all requests with valid keys for `waits` windows. */
  observeThrottled(waits: number): void {
    this.#open ??= new TargetThrottled(this.#baseUrl, waits);
  }

  /** Records that a request still got 503 after retries. */
  observeUnavailable(): void {
    this.#unavailable += 1;
    if (this.#unavailable >= UNAVAILABLE_REQUESTS) {
      this.#open ??= new TargetUnavailable(this.#baseUrl, this.#unavailable);
    }
  }

  #observeFailure({ error, endpoint, request, sentAt, receivedAt }: Exchange): void {
    if (error === null) return;
    const place = endpoint ?? request.path;
    // An answer with an unusable body is an answer, unless there are no others.
    if (error.kind === 'too-large' || error.kind === 'encoding') {
      this.#unread += 1;
      this.#failedEndpoints.add(place);
      if (this.#answered || this.#unread < UNREAD_AT_START) return;
      if (this.#failedEndpoints.size < ENDPOINTS) return;
      this.#open = new TargetUnreachable(this.#baseUrl, this.#unread, error, false);
      return;
    }
    this.#failures += 1;
    this.#failedEndpoints.add(place);
    const known = this.#byEndpoint.get(place) ?? { failures: 0, hangs: 0 };
    known.failures += 1;
    if (error.kind === 'timeout') known.hangs += 1;
    this.#byEndpoint.set(place, known);
    this.#refusals = error.kind === 'refused' || error.kind === 'dns' ? this.#refusals + 1 : 0;
    if (error.kind === 'timeout') {
      this.#timeouts += 1;
      this.#timeoutsMs += receivedAt - sentAt;
    }
    const failing = this.#failures >= FAILURES_ANY_KIND && this.#failedEndpoints.size >= ENDPOINTS;
    const lost = this.#answered
      ? this.#refusals >= FAILURES_LATER || failing
      : this.#failures >= FAILURES_AT_START;
    if (!lost) {
      if (this.#timeouts < TIMEOUTS) return;
      this.#open = new TargetHangs(
        this.#baseUrl,
        this.#timeouts,
        this.#timeoutsMs,
        this.#timeoutMs,
      );
      return;
    }
    this.#open = new TargetUnreachable(this.#baseUrl, this.#failures, error, this.#answered);
  }

  /** Detects a target with the same refusal for everything, ignoring 429 and 5xx. */
  #observeRefusal(place: string, status: number): void {
    if (status === 429 || status >= 500) return;
    const kind =
      status === 403
        ? '403'
        : status === 404
          ? '404'
          : status >= 300 && status < 400
            ? 'redirect'
            : null;
    if (status < 300) this.#served = true;
    if (kind === null || kind !== this.#refusal) {
      this.#refusalEndpoints.clear();
      this.#refusalAnswers = 0;
      // Any other answer shows that not everything is refused.
      if (kind === null || this.#refusal !== null) this.#served = true;
    }
    this.#refusal = kind;
    if (kind === null) return;
    this.#refusalAnswers += 1;
    this.#refusalEndpoints.add(place);
    const all = this.#served
      ? kind === '403' &&
        this.#refusalAnswers >= REFUSALS_LATER &&
        this.#refusalEndpoints.size >= REFUSAL_ENDPOINTS_LATER
      : this.#refusalAnswers >= REFUSALS_AT_START && this.#refusalEndpoints.size >= ENDPOINTS;
    if (!all) return;
    this.#open ??= new TargetRefuses(this.#baseUrl, kind, this.#refusalAnswers, this.#served);
  }

  /** Detects a target that answers everything with 5xx from the start. */
  #observeFailing(place: string, status: number): void {
    if (status < 500) this.#failing = null;
    if (this.#failing === null) return;
    this.#failing.answers += 1;
    this.#failing.places.add(place);
    const { answers, places } = this.#failing;
    if (answers < FAILS_AT_START || places.size < ENDPOINTS) return;
    this.#open ??= new TargetFails(this.#baseUrl, answers, status);
  }

  #observeKey(key: string, place: string, status: number): void {
    if (status === 429) return;
    // A 5xx says nothing about the key.
    if (status >= 500) return;
    if (status !== 401) {
      this.#poolAccepted = true;
      this.#rejections.set(key, null);
      return;
    }
    this.#poolAnswers += 1;
    this.#rejectedEndpoints.add(place);
    const places = this.#rejections.has(key) ? this.#rejections.get(key) : new Set<string>();
    if (places === null || places === undefined) return;
    places.add(place);
    this.#rejections.set(key, places);
    const needed = this.#rejectedEndpoints.size > 1 ? REJECTIONS : REJECTIONS_ONE_ENDPOINT;
    if (!this.#poolAccepted && this.#poolAnswers >= needed) {
      this.#open = new KeysRejected(
        [...this.#rejections.keys()].map(this.#nameOf),
        this.#keyHeader,
        this.#poolAnswers,
      );
    } else if (this.#poolAccepted && places.size >= REJECTIONS) {
      // One bad key in a good pool. Requires several endpoints, because a single one may be defective.
      this.#open = new KeysRejected([this.#nameOf(key)], this.#keyHeader, places.size);
    }
  }
}
