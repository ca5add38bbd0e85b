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

/** Failed attempts in a row after which a target that never answered is given up. */
const FAILURES_AT_START = 3;
/** Failures of any kind in a row, on several endpoints, after which a target that did answer is given up. */
const FAILURES_ANY_KIND = 12;
/** Endpoints that must be concerned before a defect is taken for one of the whole target. */
const ENDPOINTS = 3;
/** Timeouts of a run, in a row or not, whose time together ends it. */
const TIMEOUTS = 18;
/** First answers that must all go beyond a bound, or be packed beyond recognition, before the target is given up. */
const UNREAD_AT_START = 8;
/** Attempts in a row on one endpoint that hung: it is not asked again. */
const HANGS_OF_ENDPOINT = 4;
/** Attempts in a row on one endpoint that failed: it is asked again, but no longer repeatedly. */
const FAILURES_OF_ENDPOINT = 6;
/** First answers with valid keys that must all be the same refusal (403, 404, a redirect). */
const REFUSALS_AT_START = 6;
/** First answers with valid keys that must all be failures of the server (5xx). */
const FAILS_AT_START = 12;
/** Answers in a row with valid keys that must all be 403 after others were served: a firewall took notice. */
const REFUSALS_LATER = 16;
const REFUSAL_ENDPOINTS_LATER = 6;
/** Refused connections in a row after which a target that did answer is given up. */
const FAILURES_LATER = 9;
/** First answers with valid keys that must all be 401 before the keys are taken as rejected. */
const REJECTIONS = 3;
/** The same when only one endpoint was asked: it may be the endpoint that is defective. */
const REJECTIONS_ONE_ENDPOINT = 6;

/** Requests in a row that were all answered with 503 after repeats before the target is given up. */
const UNAVAILABLE_REQUESTS = 4;

/**
 * Ends a run that can no longer reach a verdict: nobody answers, or the valid keys are refused. Going on would only
 * cost time and the quota of the keys.
 */
export class Breaker {
  readonly #baseUrl: string;
  readonly #keyHeader: string;
  #open: SessionError | null = null;
  #answered = false;
  #failures = 0;
  #refusals = 0;
  /** Endpoints that refused a valid key from its first use on, by fingerprint; null once one of them was not a 401. */
  readonly #rejections = new Map<string, Set<string> | null>();
  readonly #rejectedEndpoints = new Set<string>();
  #poolAnswers = 0;
  #poolAccepted = false;
  #unavailable = 0;
  readonly #timeoutMs: number;
  readonly #nameOf: (fingerprint: string) => string;
  readonly #failedEndpoints = new Set<string>();
  #unread = 0;
  /** Failures in a row by endpoint, and how many of them hung. */
  readonly #byEndpoint = new Map<string, { failures: number; hangs: number }>();
  #timeouts = 0;
  #timeoutsMs = 0;
  /** Answers in a row to valid keys that were the same refusal. */
  #refusal: '403' | '404' | 'redirect' | null = null;
  #refusalAnswers = 0;
  readonly #refusalEndpoints = new Set<string>();
  #served = false;
  /** First answers to valid keys that were all 5xx, and where they came from; null once another one came. */
  #failing: { answers: number; readonly places: Set<string> } | null = {
    answers: 0,
    places: new Set(),
  };

  constructor(options: {
    readonly baseUrl: string;
    readonly keyHeader: string;
    readonly timeoutMs: number;
    /** What people know a valid key by, from its fingerprint. */
    readonly nameOf?: (fingerprint: string) => string;
  }) {
    this.#nameOf = options.nameOf ?? ((fingerprint) => fingerprint);
    this.#baseUrl = options.baseUrl;
    this.#keyHeader = options.keyHeader;
    this.#timeoutMs = options.timeoutMs;
  }

  /** @throws SessionError that says why, once the run cannot go on. */
  check(): void {
    if (this.#open !== null) throw this.#open;
  }

  /** Ends the run for a reason that others have found. The first reason counts. */
  open(reason: SessionError): void {
    this.#open ??= reason;
  }

  /** @throws EndpointGivenUp when an endpoint (or other path) let request after request hang. */
  checkEndpoint(place: string): void {
    const hangs = this.#byEndpoint.get(place)?.hangs ?? 0;
    if (hangs >= HANGS_OF_ENDPOINT) throw new EndpointGivenUp(place, hangs);
  }

  /** False for an endpoint that failed so often that a repeat would only cost time. */
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

  /** Takes note that `waits` windows passed in which the limiter let no request with a valid key through. */
  observeThrottled(waits: number): void {
    this.#open ??= new TargetThrottled(this.#baseUrl, waits);
  }

  /** Takes note that a request still got 503 after its repeats. */
  observeUnavailable(): void {
    this.#unavailable += 1;
    if (this.#unavailable >= UNAVAILABLE_REQUESTS) {
      this.#open ??= new TargetUnavailable(this.#baseUrl, this.#unavailable);
    }
  }

  #observeFailure({ error, endpoint, request, sentAt, receivedAt }: Exchange): void {
    if (error === null) return;
    const place = endpoint ?? request.path;
    // An answer whose body cannot be used is an answer, unless there is no other.
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

  /** Looks for a target that has the same refusal for everything; the limiter and failures say nothing about that. */
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
      // Any other answer at the start shows that not everything is refused.
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

  /** Looks for a target that fails on everything; another answer at the start shows that not everything does. */
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
    // A failure of the server says nothing about the key.
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
      // One bad key in a good pool. Different endpoints, for a single one may be what is defective.
      this.#open = new KeysRejected([this.#nameOf(key)], this.#keyHeader, places.size);
    }
  }
}
