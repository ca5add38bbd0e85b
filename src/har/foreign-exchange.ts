import { matchEndpoint } from '../spec/match-endpoint.ts';
import type { Exchange } from '../spec/exchange.ts';
import { SkewEstimate } from '../http/pace/skew.ts';
import { isFromCache } from '../judge/origin/from-cache.ts';
import { plausible, type HarEntry } from './har-entry.ts';
import type { Headers, Secrets } from './secrets.ts';

/** The path of a URL relative to the base URL, with its slash; null for any other URL. */
export function pathBelow(baseUrl: string, url: URL): string | null {
  const base = new URL(baseUrl);
  const root = base.pathname.replace(/\/+$/, '');
  if (url.origin !== base.origin) return null;
  if (url.pathname === root) return '/';
  return url.pathname.startsWith(`${root}/`) ? url.pathname.slice(root.length) : null;
}

/** Identical responses, including the date, within this time are duplicates, ms. */
const REPEAT_MS = 10_000;
/** Number of responses to remember for detecting duplicates. */
const MEMORY = 5000;

/**
 * Converts the entries of one recorder to exchanges, in the order of the file. Estimates the clock skew between
 * recorder and target from `Date` headers.
 */
export class ForeignTraffic {
  readonly #baseUrl: string;
  readonly #secrets: Secrets;
  readonly #isLive: boolean;
  readonly #skew = new SkewEstimate();
  /** Responses seen, with their time. */
  readonly #seen = new Map<string, number>();

  /** @param isLive true for traffic that Assay observed itself, without duplicates */
  constructor(baseUrl: string, secrets: Secrets, isLive = false) {
    this.#baseUrl = baseUrl;
    this.#isLive = isLive;
    this.#secrets = secrets;
  }

  /** The exchange, or why the entry is ignored. */
  exchangeOf(entry: HarEntry, id: string): Exchange | string {
    const path = pathBelow(this.#baseUrl, entry.url);
    if (path === null) return 'not below the base URL';
    const match = matchEndpoint(path);
    if (match === undefined) return 'the path is not in the specification';
    const times = this.#timesOf(entry);
    if (times === null) return 'the time of the request was not recorded';
    const { role, fingerprint } = this.#secrets.identify(entry);
    // Another key that gets the same answer is another request.
    const key = `${role} ${fingerprint ?? ''}`;
    if (!this.#isLive && this.#isRepeated(entry, key, times.receivedAt))
      return 'the same response is recorded twice';
    const exchange: Exchange = {
      id,
      endpoint: match.endpoint,
      pathParameters: match.parameters,
      role,
      // Without exact times, an answer cannot be used for the request count of its key.
      key: times.exact ? fingerprint : null,
      request: { method: entry.method, url: entry.url.href, path, query: [], headers: {} },
      response: {
        status: entry.status,
        headers: entry.responseHeaders,
        text: entry.text,
        bytes: entry.bytes,
      },
      error: null,
      sentAt: times.sentAt,
      receivedAt: times.receivedAt,
      skewMs: this.#skew.ms,
      attempt: 1,
    };
    return redacted(exchange, this.#secrets, false, entry.requestHeaders);
  }

  #timesOf(entry: HarEntry): { sentAt: number; receivedAt: number; exact: boolean } | null {
    const { startedAt, tookMs } = entry;
    const date = entry.responseHeaders['date'];
    if (startedAt !== null) {
      const receivedAt = startedAt + (tookMs ?? 0);
      if (tookMs !== null && !isFromCache(entry.responseHeaders))
        this.#skew.observe(date, startedAt, receivedAt);
      return { sentAt: startedAt, receivedAt, exact: tookMs !== null };
    }
    const answered = plausible(Date.parse(date ?? ''));
    if (answered === null) return null;
    // Convert the target's time to local time; the judge adds the skew again.
    const local = answered - this.#skew.ms;
    return { sentAt: local, receivedAt: local, exact: false };
  }

  /** Proxies, second recorders and service workers may record the same answer twice. */
  #isRepeated(entry: HarEntry, key: string, receivedAt: number): boolean {
    const { date } = entry.responseHeaders;
    if (Number.isNaN(Date.parse(date ?? ''))) return false;
    const print = JSON.stringify([
      key,
      entry.method,
      entry.url.href,
      entry.status,
      entry.responseHeaders,
      entry.text.length,
      entry.text.slice(0, 200),
    ]);
    const before = this.#seen.get(print);
    if (before !== undefined && Math.abs(receivedAt - before) <= REPEAT_MS) return true;
    if (this.#seen.size >= MEMORY) this.#seen.clear();
    this.#seen.set(print, receivedAt);
    return false;
  }
}

/**
 * Redacts an exchange; also a recorded one, which may be made by hand.
 * @param isRun true for a run of Assay, whose query parameters are not credentials
 * @param headers request headers as sent
 */
export function redacted(
  exchange: Exchange,
  secrets: Secrets,
  isRun: boolean,
  headers = Object.entries(exchange.request.headers) as Headers,
): Exchange {
  const { request, response, error, pathParameters } = exchange;
  const url = new URL(request.url);
  secrets.begin(headers, url);
  const path = (text: string): string => (isRun ? secrets.redact(text) : secrets.path(text));
  return {
    ...exchange,
    pathParameters: Object.fromEntries(
      Object.entries(pathParameters).map(([name, value]) => [name, path(value)]),
    ),
    request: {
      ...request,
      url: isRun ? path(request.url) : secrets.url(url),
      path: path(request.path),
      query: isRun
        ? request.query.map(([name, value]) => [path(name), path(value)] as const)
        : secrets.query(url),
      headers: secrets.requestHeaders(headers),
    },
    response: response && {
      ...response,
      headers: secrets.responseHeaders(Object.entries(response.headers)),
      text: secrets.redact(response.text),
    },
    error: error && { ...error, message: secrets.redactStrictly(error.message) },
  };
}
