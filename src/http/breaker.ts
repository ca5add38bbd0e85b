import { ERRORS } from '../spec/error-codes.ts';
import type { Exchange, TransportError } from '../spec/exchange.ts';
import { clause } from '../text/text.ts';
import { SessionError } from './errors.ts';

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
/** The same for 5xx, which may pass. */
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

/** What to check when nothing readable comes back. */
const WAY =
  'host, port and proxy, and whether the service is running; `assay doctor` checks them one by one.';

interface BreakerOptions {
  readonly baseUrl: string;
  readonly keyHeader: string;
  readonly timeoutMs: number;
  /** Readable name of a valid key for its fingerprint. */
  readonly nameOf?: (fingerprint: string) => string;
}

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

const KEY_CODES = [
  [ERRORS.invalidKey, 'is unknown or disabled'],
  [ERRORS.expiredKey, 'has expired'],
] as const;

/** What a refusal says about the key; null if it does not name it. */
const saidOfKey = (text: string): string | null =>
  KEY_CODES.find(([{ code, twin }]) =>
    new RegExp(`"code"\\s*:\\s*"?(?:${code}|${twin})\\b`, 'u').test(text),
  )?.[1] ?? null;

/** The same refusal of everything, and its likely causes. */
const REFUSAL_CAUSES = {
  '403':
    'Most likely the keys have no access to these endpoints, or something in front of the service (firewall, bot protection, IP allowlist) blocks this client.',
  '404': 'Most likely the base URL is wrong: check the host and the base path, such as /v1.',
  redirect:
    'Most likely the base URL is not the final one: check scheme, host and path, and whether there is a login page. Redirects are not followed because they could leak keys.',
} as const;
type RefusalKind = keyof typeof REFUSAL_CAUSES | '5xx';

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
  /** What their codes say about the key. */
  readonly #said = new Set<string | null>();
  #served = false;

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

  #giveUp(code: SessionError['code'], message: string, hint: string): void {
    this.open(new SessionError(code, message, hint));
  }

  /** @throws SessionError when requests to an endpoint (or other path) keep timing out. */
  checkEndpoint(endpoint: string): void {
    const hangs = this.#byEndpoint.get(endpoint)?.hangs ?? 0;
    if (hangs < HANGS_OF_ENDPOINT) return;
    throw new SessionError(
      'ASSAY_ENDPOINT_GIVEN_UP',
      `${hangs} consecutive requests to ${endpoint} timed out, so it was not requested again.`,
      'Find out what blocks the endpoint; if it is only slow, raise http.timeoutMs.',
    );
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
    }
  }

  /** Records that the limiter rejected all requests with valid keys for `waits` windows. */
  observeThrottled(waits: number): void {
    this.#giveUp(
      'ASSAY_TARGET_THROTTLED',
      `${this.#options.baseUrl} keeps answering 429, even after Assay waited ${waits} times for the end of the window.`,
      'The monthly quota may be used up, someone else may be using the keys, or limits.windowMs may be too short for this target.',
    );
  }

  observeUnavailable(): void {
    this.#unavailable += 1;
    if (this.#unavailable < UNAVAILABLE_REQUESTS) return;
    this.#giveUp(
      'ASSAY_TARGET_UNAVAILABLE',
      `${this.#options.baseUrl} is unavailable: ${this.#unavailable} consecutive requests were answered with 503, even after retries.`,
      'Wait until the maintenance is over, or check the proxies in front of the service.',
    );
  }

  #observeFailure(endpoint: string, { error, sentAt, receivedAt }: Exchange): void {
    if (error === null) return;
    const { baseUrl, timeoutMs } = this.#options;
    // An answer with an unusable body is an answer, unless there are no others.
    if (error.kind === 'too-large' || error.kind === 'encoding') {
      this.#unread.add(endpoint);
      if (this.#answered || !this.#unread.reaches(UNREAD_AT_START)) return;
      this.#giveUp(
        'ASSAY_TARGET_UNREACHABLE',
        `${baseUrl} sends only unreadable responses: ${this.#unread.count} consecutive attempts failed, the last one with: ${clause(error.message)}.`,
        error.kind === 'encoding'
          ? 'Find out what compresses responses, in the service or in front of it: the Content-Encoding header does not match the bodies.'
          : `Check ${WAY}`,
      );
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
    if (lost) this.#lose(count, error);
    else if (this.#timeouts >= TIMEOUTS) {
      this.#giveUp(
        'ASSAY_TARGET_HANGS',
        `${this.#timeouts} requests to ${baseUrl} timed out, after ${Math.round(this.#timeoutsMs / 1000)} s in total.`,
        `Find out what blocks the service; if it is only slow, raise http.timeoutMs (now ${timeoutMs}).`,
      );
    }
  }

  #lose(failures: number, { kind, message }: TransportError): void {
    const { baseUrl } = this.#options;
    const does = this.#answered ? 'stopped responding' : 'does not respond';
    // A service that expects TLS closes plain HTTP connections immediately.
    const isTls = kind === 'reset' && !this.#answered && baseUrl.startsWith('http://');
    this.#giveUp(
      'ASSAY_TARGET_UNREACHABLE',
      `${baseUrl} ${does}: ${failures} consecutive attempts failed, the last one with: ${kind}: ${clause(message)}.`,
      `${isTls ? 'If the service expects TLS on this port, use https://. Otherwise check' : 'Check'} ${WAY}`,
    );
  }

  /** Detects a target with the same refusal for everything, or one that fails from the start. */
  #observeRefusal(endpoint: string, { status, text }: NonNullable<Exchange['response']>): void {
    if (status === 429) return;
    const kind = refusalOf(status);
    if (kind === null || kind !== this.#refusal) {
      this.#refusals.end();
      // Any other answer shows that not everything is refused.
      this.#served ||= kind === null || this.#refusal !== null;
    }
    this.#refusal = kind;
    if (kind === null) return;
    if (this.#refusals.count === 0) this.#said.clear();
    this.#said.add(saidOfKey(text));
    this.#refusals.add(endpoint);
    const all = this.#served
      ? kind === '403' && this.#refusals.reaches(REFUSALS_LATER, REFUSAL_ENDPOINTS_LATER)
      : this.#refusals.reaches(kind === '5xx' ? FAILS_AT_START : REFUSALS_AT_START);
    if (!all) return;
    const { count } = this.#refusals;
    const { baseUrl } = this.#options;
    if (kind === '5xx') {
      this.#giveUp(
        'ASSAY_TARGET_FAILS',
        `${baseUrl} fails every request: the first ${count} responses to requests with valid keys were all 5xx, and the last one was ${status}.`,
        'Check the logs of the service: the database may be unavailable, or a proxy may not be able to reach the service.',
      );
      return;
    }
    const how = this.#served
      ? `started to refuse every request: the last ${count} responses`
      : `refuses every request: the first ${count} responses`;
    this.#giveUp(
      'ASSAY_TARGET_REFUSES',
      `${baseUrl} ${how} to requests with valid keys were all ${kind === 'redirect' ? 'redirects' : kind}.`,
      this.#said.has(null)
        ? REFUSAL_CAUSES[kind]
        : `The codes say that the key ${[...this.#said].join(' or ')}: set the right one in keys.valid or ASSAY_API_KEY; \`assay doctor\` tries each key.`,
    );
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
    const { count } = this.#rejected;
    const needed = this.#rejected.endpoints.size > 1 ? REJECTIONS : REJECTIONS_ONE_ENDPOINT;
    // One bad key in a good pool requires several endpoints, because a single one may be defective.
    const isOver = this.#poolAccepted ? endpoints.size >= REJECTIONS : count >= needed;
    if (!isOver) return;
    const { keyHeader, nameOf = (print) => print } = this.#options;
    const keys = this.#poolAccepted ? [key] : [...this.#rejections.keys()];
    const which = keys.length === 1 ? `the key ${nameOf(keys[0] ?? '')}` : 'valid keys';
    this.#giveUp(
      'ASSAY_KEYS_REJECTED',
      `The first ${this.#poolAccepted ? endpoints.size : count} requests with ${which} were all answered with 401.`,
      `Check keys.valid or ASSAY_API_KEY, and check that the target expects keys in the header ${keyHeader} (auth.header); \`assay doctor\` tries each key.`,
    );
  }
}

function refusalOf(status: number): RefusalKind | null {
  if (status >= 500) return '5xx';
  if (status === 403 || status === 404) return status === 403 ? '403' : '404';
  return status >= 300 && status < 400 ? 'redirect' : null;
}
