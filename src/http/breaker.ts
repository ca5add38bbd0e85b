import { ERRORS } from '../spec/error-codes.ts';
import type { Exchange } from '../spec/exchange.ts';
import {
  endpointGivenUp,
  keysRejected,
  targetFails,
  targetHangs,
  targetRefuses,
  targetThrottled,
  targetUnavailable,
  targetUnreachable,
} from './errors.ts';
import type { RefusalKind, SessionError } from './errors.ts';

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

interface BreakerOptions {
  readonly baseUrl: string;
  readonly keyHeader: string;
  readonly timeoutMs: number;
  /** Readable name of a valid key for its fingerprint. */
  readonly nameOf?: (fingerprint: string) => string;
}

/** Consecutive answers of one kind, with their endpoints. */
class Streak {
  count = 0;
  readonly endpoints = new Set<string>();

  add(endpoint: string): void {
    this.count += 1;
    this.endpoints.add(endpoint);
  }

  end(): void {
    this.count = 0;
    this.endpoints.clear();
  }

  reaches(count: number, endpoints = ENDPOINTS): boolean {
    return this.count >= count && this.endpoints.size >= endpoints;
  }
}

const { invalidKey, expiredKey } = ERRORS;
const NAMES_KEY = new RegExp(
  `"code"\\s*:\\s*"?(?:${[invalidKey, expiredKey].flatMap(({ code, twin }) => [code, twin]).join('|')})\\b`,
  'u',
);

/**
 * Ends a run that cannot reach a verdict any more, for example because the target does not respond or rejects valid
 * keys. Continuing would only cost time and quota.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #open: SessionError | null = null;
  #answered = false;
  readonly #failures = new Streak();
  readonly #unread = new Streak();
  #refused = 0;
  #unavailable = 0;
  #timeouts = 0;
  #timeoutsMs = 0;
  /** Consecutive failures by endpoint, and how many of them were timeouts. */
  readonly #byEndpoint = new Map<string, { failures: number; hangs: number }>();
  /** Endpoints that rejected a valid key from its first use, by fingerprint; null after any other answer. */
  readonly #rejections = new Map<string, Set<string> | null>();
  readonly #rejected = new Streak();
  #poolAccepted = false;
  /** Consecutive answers to valid keys that were the same refusal. */
  #refusal: RefusalKind | null = null;
  readonly #refusals = new Streak();
  /** Whether all of them have the code of an unknown or expired key. */
  #namesKey = false;
  #served = false;
  /** First answers to valid keys, all 5xx; null after any other answer. */
  #failing: Streak | null = new Streak();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** @throws SessionError with the reason, once the run must end. */
  check(): void {
    if (this.#open !== null) throw this.#open;
  }

  /** Ends the run. The first reason counts. */
  open(reason: SessionError): void {
    this.#open ??= reason;
  }

  /** @throws SessionError when requests to an endpoint (or other path) keep timing out. */
  checkEndpoint(endpoint: string): void {
    const hangs = this.#byEndpoint.get(endpoint)?.hangs ?? 0;
    if (hangs >= HANGS_OF_ENDPOINT) throw endpointGivenUp(endpoint, hangs);
  }

  /** False for an endpoint that failed too often for retries. */
  worthRepeating(endpoint: string): boolean {
    return (this.#byEndpoint.get(endpoint)?.failures ?? 0) < FAILURES_OF_ENDPOINT;
  }

  observe(exchange: Exchange): void {
    if (this.#open !== null || exchange.error?.kind === 'aborted') return;
    const { response, role, key } = exchange;
    const endpoint = exchange.endpoint ?? exchange.request.path;
    if (response === null) {
      this.#observeFailure(endpoint, exchange);
      return;
    }
    this.#answered = true;
    if (response.status !== 503) this.#unavailable = 0;
    this.#failures.end();
    this.#refused = 0;
    this.#byEndpoint.delete(endpoint);
    if (role === 'valid' && key !== null) {
      this.#observeKey(key, endpoint, response.status);
      this.#observeRefusal(endpoint, response);
      this.#observeFailing(endpoint, response.status);
    }
  }

  /** Records that the limiter rejected all requests with valid keys for `waits` windows. */
  observeThrottled(waits: number): void {
    this.open(targetThrottled(this.#options.baseUrl, waits));
  }

  /** Records that a request still got 503 after retries. */
  observeUnavailable(): void {
    this.#unavailable += 1;
    if (this.#unavailable >= UNAVAILABLE_REQUESTS) {
      this.open(targetUnavailable(this.#options.baseUrl, this.#unavailable));
    }
  }

  #observeFailure(endpoint: string, { error, sentAt, receivedAt }: Exchange): void {
    if (error === null) return;
    const { baseUrl, timeoutMs } = this.#options;
    // An answer with an unusable body is an answer, unless there are no others.
    if (error.kind === 'too-large' || error.kind === 'encoding') {
      this.#unread.add(endpoint);
      if (this.#answered || !this.#unread.reaches(UNREAD_AT_START)) return;
      this.open(targetUnreachable(baseUrl, this.#unread.count, error, false));
      return;
    }
    this.#failures.add(endpoint);
    const known = this.#byEndpoint.get(endpoint) ?? { failures: 0, hangs: 0 };
    known.failures += 1;
    this.#byEndpoint.set(endpoint, known);
    this.#refused = error.kind === 'refused' || error.kind === 'dns' ? this.#refused + 1 : 0;
    if (error.kind === 'timeout') {
      known.hangs += 1;
      this.#timeouts += 1;
      this.#timeoutsMs += receivedAt - sentAt;
    }
    const { count } = this.#failures;
    const lost = this.#answered
      ? this.#refused >= FAILURES_LATER || this.#failures.reaches(FAILURES_ANY_KIND)
      : count >= FAILURES_AT_START;
    if (lost) this.open(targetUnreachable(baseUrl, count, error, this.#answered));
    else if (this.#timeouts >= TIMEOUTS) {
      this.open(targetHangs(baseUrl, this.#timeouts, this.#timeoutsMs, timeoutMs));
    }
  }

  /** Detects a target with the same refusal for everything, ignoring 429 and 5xx. */
  #observeRefusal(endpoint: string, { status, text }: NonNullable<Exchange['response']>): void {
    if (status === 429 || status >= 500) return;
    const kind = refusalOf(status);
    if (status < 300) this.#served = true;
    if (kind === null || kind !== this.#refusal) {
      this.#refusals.end();
      // Any other answer shows that not everything is refused.
      if (kind === null || this.#refusal !== null) this.#served = true;
    }
    this.#refusal = kind;
    if (kind === null) return;
    this.#namesKey = (this.#refusals.count === 0 || this.#namesKey) && NAMES_KEY.test(text);
    this.#refusals.add(endpoint);
    const all = this.#served
      ? kind === '403' && this.#refusals.reaches(REFUSALS_LATER, REFUSAL_ENDPOINTS_LATER)
      : this.#refusals.reaches(REFUSALS_AT_START);
    if (!all) return;
    const cause = this.#namesKey ? 'key' : kind;
    this.open(
      targetRefuses(this.#options.baseUrl, kind, this.#refusals.count, this.#served, cause),
    );
  }

  /** Detects a target that answers everything with 5xx from the start. */
  #observeFailing(endpoint: string, status: number): void {
    if (status < 500) this.#failing = null;
    this.#failing?.add(endpoint);
    if (this.#failing?.reaches(FAILS_AT_START) !== true) return;
    this.open(targetFails(this.#options.baseUrl, this.#failing.count, status));
  }

  #observeKey(key: string, endpoint: string, status: number): void {
    // A 5xx says nothing about the key.
    if (status === 429 || status >= 500) return;
    if (status !== 401) {
      this.#poolAccepted = true;
      this.#rejections.set(key, null);
      return;
    }
    this.#rejected.add(endpoint);
    const endpoints = this.#rejections.has(key) ? this.#rejections.get(key) : new Set<string>();
    if (endpoints === null || endpoints === undefined) return;
    this.#rejections.set(key, endpoints.add(endpoint));
    const { keyHeader, nameOf = (print) => print } = this.#options;
    const { count } = this.#rejected;
    const needed = this.#rejected.endpoints.size > 1 ? REJECTIONS : REJECTIONS_ONE_ENDPOINT;
    if (!this.#poolAccepted && count >= needed) {
      this.open(keysRejected([...this.#rejections.keys()].map(nameOf), keyHeader, count));
    } else if (this.#poolAccepted && endpoints.size >= REJECTIONS) {
      // One bad key in a good pool. Requires several endpoints, because a single one may be defective.
      this.open(keysRejected([nameOf(key)], keyHeader, endpoints.size));
    }
  }
}

function refusalOf(status: number): RefusalKind | null {
  if (status === 403 || status === 404) return status === 403 ? '403' : '404';
  return status >= 300 && status < 400 ? 'redirect' : null;
}
