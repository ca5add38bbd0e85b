import type { Exchange } from '../contract/exchange.ts';
import { KeysRejected, TargetThrottled, TargetUnavailable, TargetUnreachable } from './errors.ts';
import type { SessionError } from './errors.ts';

/** Failed attempts in a row after which a target that never answered is given up. */
const FAILURES_AT_START = 3;
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
  #admitted = 0;
  #unavailable = 0;

  constructor(options: { readonly baseUrl: string; readonly keyHeader: string }) {
    this.#baseUrl = options.baseUrl;
    this.#keyHeader = options.keyHeader;
  }

  /** @throws TargetUnreachable or KeysRejected once the run cannot go on. */
  check(): void {
    if (this.#open !== null) throw this.#open;
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
    if (exchange.role === 'valid' && exchange.key !== null) {
      const place = exchange.endpoint ?? exchange.request.path;
      this.#observeKey(exchange.key, place, exchange.response.status);
    }
  }

  /** Counts the answers to valid keys that the limiter let through. */
  get admitted(): number {
    return this.#admitted;
  }

  /**
   * Takes note that a request with a valid key was given up after waiting for `waits` windows in vain. When nothing at
   * all was admitted since (`admittedBefore`), the limiter will not open for anything else either.
   */
  observeGivenUp(waits: number, admittedBefore: number): void {
    if (this.#admitted === admittedBefore) {
      this.#open ??= new TargetThrottled(this.#baseUrl, waits);
    }
  }

  /** Takes note that a request still got 503 after its repeats. */
  observeUnavailable(): void {
    this.#unavailable += 1;
    if (this.#unavailable >= UNAVAILABLE_REQUESTS) {
      this.#open ??= new TargetUnavailable(this.#baseUrl, this.#unavailable);
    }
  }

  #observeFailure({ error }: Exchange): void {
    // An answer that is too large is an answer.
    if (error === null || error.kind === 'too-large') return;
    this.#failures += 1;
    this.#refusals = error.kind === 'refused' || error.kind === 'dns' ? this.#refusals + 1 : 0;
    const lost = this.#answered
      ? this.#refusals >= FAILURES_LATER
      : this.#failures >= FAILURES_AT_START;
    if (!lost) return;
    this.#open = new TargetUnreachable(
      this.#baseUrl,
      this.#failures,
      `${error.kind}: ${error.message}`,
      this.#answered,
    );
  }

  #observeKey(key: string, place: string, status: number): void {
    if (status === 429) return;
    this.#admitted += 1;
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
        [...this.#rejections.keys()],
        this.#keyHeader,
        this.#poolAnswers,
      );
    } else if (this.#poolAccepted && places.size >= REJECTIONS) {
      // One bad key in a good pool. Different endpoints, for a single one may be what is defective.
      this.#open = new KeysRejected([key], this.#keyHeader, places.size);
    }
  }
}
