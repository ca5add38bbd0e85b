import { matchEndpoint } from '../spec/match-endpoint.ts';
import type { EndpointPath } from '../spec/endpoints.ts';
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

/** The endpoint of a URL below the base URL. */
export const endpointAt = (baseUrl: string, url: URL): EndpointPath | undefined =>
  matchEndpoint(pathBelow(baseUrl, url) ?? '')?.endpoint;

const UNSPECIFIED = 'the path is not in the specification';

/**
 * Reason for ignoring a response that equals an earlier one to the last header: nothing shows whether it was recorded twice,
 * or is that of another admitted request.
 */
export const REPEATED = 'equal responses are counted once';

/** Identical responses, including the date, within this time may be duplicates, ms. */
const REPEAT_MS = 10_000;
/** Number of responses to remember for detecting duplicates. */
const MEMORY = 5000;

/**
 * Converts the entries of one recorder to exchanges, in the order of the file, or says why an entry is ignored. Estimates
 * the clock skew between recorder and target from `Date` headers.
 * @param isLive true for traffic that Assay observed itself, without duplicates
 * @param isTold true if the user named the base URL: below a guessed one there may be other services
 */
export function foreignTraffic(
  baseUrl: string,
  secrets: Secrets,
  isLive: boolean,
  isTold: boolean,
): (entry: HarEntry, id: string) => Exchange | string {
  const skew = new SkewEstimate();
  const isRepeated = repetitions();
  return (entry, id) => {
    const path = pathBelow(baseUrl, entry.url);
    if (path === null) return 'not below the base URL';
    const match = matchEndpoint(path);
    // A service may have more paths than the specification. One does not exist if the service says so: it got a key.
    const mayBeUnknown = isTold && entry.status === 404 && entry.method === 'GET';
    if (match === undefined && (!mayBeUnknown || secrets.redactStrictly(path) !== path))
      return UNSPECIFIED;
    const times = timesOf(entry, skew);
    if (times === null) return 'the time of the request was not recorded';
    const { role, fingerprint } = secrets.identify(entry);
    if (match === undefined && fingerprint === null) return UNSPECIFIED;
    // Another key that gets the same answer is another request.
    if (!isLive && isRepeated(entry, `${role} ${fingerprint ?? ''}`, times.receivedAt))
      return entry.status === 429 ? 'equal refusals are counted once' : REPEATED;
    const exchange: Exchange = {
      id,
      endpoint: match?.endpoint ?? null,
      pathParameters: match?.parameters ?? {},
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
      skewMs: skew.ms,
      attempt: 1,
    };
    return redacted(exchange, secrets, false, entry.requestHeaders);
  };
}

function timesOf(
  { startedAt, tookMs, responseHeaders }: HarEntry,
  skew: SkewEstimate,
): { sentAt: number; receivedAt: number; exact: boolean } | null {
  const date = responseHeaders['date'];
  if (startedAt !== null) {
    const receivedAt = startedAt + (tookMs ?? 0);
    if (tookMs !== null && !isFromCache(responseHeaders)) skew.observe(date, startedAt, receivedAt);
    return { sentAt: startedAt, receivedAt, exact: tookMs !== null };
  }
  const answered = plausible(Date.parse(date ?? ''));
  if (answered === null) return null;
  // Convert the target's time to local time; the judge adds the skew again.
  const local = answered - skew.ms;
  return { sentAt: local, receivedAt: local, exact: false };
}

/** Detects repeated entries: proxies, second recorders and service workers may record the same answer twice. */
function repetitions(): (entry: HarEntry, key: string, receivedAt: number) => boolean {
  const seen = new Map<string, number>();
  return ({ method, url, status, responseHeaders, text }, key, receivedAt) => {
    if (Number.isNaN(Date.parse(responseHeaders['date'] ?? ''))) return false;
    const body = [text.length, text.slice(0, 200)];
    const print = JSON.stringify([key, method, url.href, status, responseHeaders, ...body]);
    const before = seen.get(print);
    if (before !== undefined && Math.abs(receivedAt - before) <= REPEAT_MS) return true;
    if (seen.size >= MEMORY) seen.clear();
    seen.set(print, receivedAt);
    return false;
  };
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
