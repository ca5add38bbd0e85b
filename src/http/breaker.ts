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

/** Consecutive answers of one kind, with their endpoints. */
function streak() {
  const endpoints = new Set<string>();
  let count = 0;
  return {
    endpoints,
    count: (): number => count,
    add(endpoint: string): void {
      count += 1;
      endpoints.add(endpoint);
    },
    end(): void {
      count = 0;
      endpoints.clear();
    },
    reaches: (most: number, least = ENDPOINTS): boolean => count >= most && endpoints.size >= least,
  };
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
export function breakerOf({
  baseUrl,
  keyHeader,
  timeoutMs,
  nameOf = (print) => print,
}: BreakerOptions) {
  let isOver: SessionError | null = null;
  let hasAnswered = false;
  const [failures, unread, rejected, refusals] = [streak(), streak(), streak(), streak()];
  let [refused, unavailable, timeouts, timeoutsMs] = [0, 0, 0, 0];
  /** Consecutive failures by endpoint, and how many of them were timeouts. */
  const byEndpoint = new Map<string, { failures: number; hangs: number }>();
  /** Endpoints that rejected a valid key from its first use, by fingerprint; null after any other answer. */
  const rejections = new Map<string, Set<string> | null>();
  let poolAccepted = false;
  /** Consecutive answers to valid keys that were the same refusal, and what their codes say about the key. */
  let refusal: RefusalKind | null = null;
  const said = new Set<string | null>();
  let served = false;

  /** Ends the run. The first reason counts. */
  const open = (reason: SessionError): void => void (isOver ??= reason);
  const giveUp = (code: SessionError['code'], message: string, hint: string): void =>
    open(new SessionError(code, message, hint));

  const lose = (count: number, { kind, message }: TransportError): void => {
    const does = hasAnswered ? 'stopped responding' : 'does not respond';
    // A service that expects TLS closes plain HTTP connections immediately.
    const isTls = kind === 'reset' && !hasAnswered && baseUrl.startsWith('http://');
    giveUp(
      'ASSAY_TARGET_UNREACHABLE',
      `${baseUrl} ${does}: ${count} consecutive attempts failed, the last one with: ${kind}: ${clause(message)}.`,
      `${isTls ? 'If the service expects TLS on this port, use https://. Otherwise check' : 'Check'} ${WAY}`,
    );
  };
  const observeFailure = (endpoint: string, { error, sentAt, receivedAt }: Exchange): void => {
    if (error === null) return;
    // An answer with an unusable body is an answer, unless there are no others.
    if (error.kind === 'too-large' || error.kind === 'encoding') {
      unread.add(endpoint);
      if (hasAnswered || !unread.reaches(UNREAD_AT_START)) return;
      giveUp(
        'ASSAY_TARGET_UNREACHABLE',
        `${baseUrl} sends only unreadable responses: ${unread.count()} consecutive attempts failed, the last one with: ${clause(error.message)}.`,
        error.kind === 'encoding'
          ? 'Find out what compresses responses, in the service or in front of it: the Content-Encoding header does not match the bodies.'
          : `Check ${WAY}`,
      );
      return;
    }
    failures.add(endpoint);
    const known = byEndpoint.get(endpoint) ?? { failures: 0, hangs: 0 };
    known.failures += 1;
    byEndpoint.set(endpoint, known);
    refused = error.kind === 'refused' || error.kind === 'dns' ? refused + 1 : 0;
    if (error.kind === 'timeout') {
      known.hangs += 1;
      timeouts += 1;
      timeoutsMs += receivedAt - sentAt;
    }
    const isLost = hasAnswered
      ? refused >= FAILURES_LATER || failures.reaches(FAILURES_ANY_KIND)
      : failures.count() >= FAILURES_AT_START;
    if (isLost) lose(failures.count(), error);
    else if (timeouts >= TIMEOUTS) {
      giveUp(
        'ASSAY_TARGET_HANGS',
        `${timeouts} requests to ${baseUrl} timed out, after ${Math.round(timeoutsMs / 1000)} s in total.`,
        `Find out what blocks the service; if it is only slow, raise http.timeoutMs (now ${timeoutMs}).`,
      );
    }
  };
  /** Detects a target with the same refusal for everything, or one that fails from the start. */
  const observeRefusal = (endpoint: string, status: number, text: string): void => {
    if (status === 429) return;
    const kind = refusalOf(status);
    if (kind === null || kind !== refusal) {
      refusals.end();
      // Any other answer shows that not everything is refused.
      served ||= kind === null || refusal !== null;
    }
    refusal = kind;
    if (kind === null) return;
    if (refusals.count() === 0) said.clear();
    said.add(saidOfKey(text));
    refusals.add(endpoint);
    const all = served
      ? kind === '403' && refusals.reaches(REFUSALS_LATER, REFUSAL_ENDPOINTS_LATER)
      : refusals.reaches(kind === '5xx' ? FAILS_AT_START : REFUSALS_AT_START);
    if (!all) return;
    const count = refusals.count();
    if (kind === '5xx') {
      giveUp(
        'ASSAY_TARGET_FAILS',
        `${baseUrl} fails every request: the first ${count} responses to requests with valid keys were all 5xx, and the last one was ${status}.`,
        'Check the logs of the service: the database may be unavailable, or a proxy may not be able to reach the service.',
      );
      return;
    }
    const how = served
      ? `started to refuse every request: the last ${count} responses`
      : `refuses every request: the first ${count} responses`;
    giveUp(
      'ASSAY_TARGET_REFUSES',
      `${baseUrl} ${how} to requests with valid keys were all ${kind === 'redirect' ? 'redirects' : kind}.`,
      said.has(null)
        ? REFUSAL_CAUSES[kind]
        : `The codes say that the key ${[...said].join(' or ')}: set the right one in keys.valid or ASSAY_API_KEY; \`assay doctor\` tries each key.`,
    );
  };
  const observeKey = (key: string, endpoint: string, status: number): void => {
    // A 5xx says nothing about the key.
    if (status === 429 || status >= 500) return;
    if (status !== 401) {
      poolAccepted = true;
      rejections.set(key, null);
      return;
    }
    rejected.add(endpoint);
    const endpoints = rejections.has(key) ? rejections.get(key) : new Set<string>();
    if (endpoints === null || endpoints === undefined) return;
    rejections.set(key, endpoints.add(endpoint));
    const count = rejected.count();
    const needed = rejected.endpoints.size > 1 ? REJECTIONS : REJECTIONS_ONE_ENDPOINT;
    // One bad key in a good pool requires several endpoints, because a single one may be defective.
    if (poolAccepted ? endpoints.size < REJECTIONS : count < needed) return;
    const keys = poolAccepted ? [key] : [...rejections.keys()];
    const which = keys.length === 1 ? `the key ${nameOf(keys[0] ?? '')}` : 'valid keys';
    giveUp(
      'ASSAY_KEYS_REJECTED',
      `The first ${poolAccepted ? endpoints.size : count} requests with ${which} were all answered with 401.`,
      `Check keys.valid or ASSAY_API_KEY, and check that the target expects keys in the header ${keyHeader} (auth.header); \`assay doctor\` tries each key.`,
    );
  };
  return {
    open,
    /** @throws SessionError with the reason, once the run must end. */
    check(): void {
      if (isOver !== null) throw isOver;
    },
    /** @throws SessionError when requests to an endpoint (or other path) keep timing out. */
    checkEndpoint(endpoint: string): void {
      const hangs = byEndpoint.get(endpoint)?.hangs ?? 0;
      if (hangs < HANGS_OF_ENDPOINT) return;
      throw new SessionError(
        'ASSAY_ENDPOINT_GIVEN_UP',
        `${hangs} consecutive requests to ${endpoint} timed out, so it was not requested again.`,
        'Find out what blocks the endpoint; if it is only slow, raise http.timeoutMs.',
      );
    },
    /** False for an endpoint that failed too often for retries. */
    worthRepeating: (endpoint: string): boolean =>
      (byEndpoint.get(endpoint)?.failures ?? 0) < FAILURES_OF_ENDPOINT,
    observe(exchange: Exchange): void {
      if (isOver !== null || exchange.error?.kind === 'aborted') return;
      const { response, role, key } = exchange;
      const endpoint = exchange.endpoint ?? exchange.request.path;
      if (response === null) {
        observeFailure(endpoint, exchange);
        return;
      }
      hasAnswered = true;
      if (response.status !== 503) unavailable = 0;
      failures.end();
      refused = 0;
      byEndpoint.delete(endpoint);
      if (role === 'valid' && key !== null) {
        observeKey(key, endpoint, response.status);
        observeRefusal(endpoint, response.status, response.text);
      }
    },
    /** Records that the limiter rejected all requests with valid keys for `waits` windows. */
    observeThrottled: (waits: number): void =>
      giveUp(
        'ASSAY_TARGET_THROTTLED',
        `${baseUrl} keeps answering 429, even after Assay waited ${waits} times for the end of the window.`,
        'The monthly quota may be used up, someone else may be using the keys, or limits.windowMs may be too short for this target.',
      ),
    /** Records that a request still got 503 after retries. */
    observeUnavailable(): void {
      unavailable += 1;
      if (unavailable < UNAVAILABLE_REQUESTS) return;
      giveUp(
        'ASSAY_TARGET_UNAVAILABLE',
        `${baseUrl} is unavailable: ${unavailable} consecutive requests were answered with 503, even after retries.`,
        'Wait until the maintenance is over, or check the proxies in front of the service.',
      );
    },
  };
}

function refusalOf(status: number): RefusalKind | null {
  if (status >= 500) return '5xx';
  if (status === 403 || status === 404) return status === 403 ? '403' : '404';
  return status >= 300 && status < 400 ? 'redirect' : null;
}
