import { httpDate } from '../../text/http-date.ts';

type Headers = Readonly<Record<string, string>>;

/** Only this much of a header is inspected. */
const MAX_CHARACTERS = 2000;

/** How far `Date` may lag behind the request, ms: whole seconds, processing delay, and one second of clock error. */
export const DATE_BEHIND_MS = 2100;

/** Headers that report what a cache did; the others configure caching. */
const REPORTS = /cache/;
const NO_REPORTS = /(?:control|key|tags?|lookup|ttl|policy)$/;
/** Headers whose name states a hit and whose value confirms it. */
const QUESTIONS = /(?:cached|from-cache|cache-hits?)$/;
const YES = /^(?:true|yes|[\d, ]*[1-9][\d, ]*)$/i;

/** Matches `HIT`, `TCP_MEM_HIT`, `RefreshHit from …` and markers for stale content, but not `hit-for-pass`. */
const HIT = /hit(?![a-z]|-for-)|\b(?:stale|updating|revalidated)\b/i;
const MISS = /miss|pass|bypass|dynamic|expired|fwd/i;

/**
 * Whether a cache answered. Such an answer shows neither how its request was counted or admitted nor current content.
 * Standard headers first (RFC 9111, RFC 9211), then vendor headers.
 * @param askedAt send time by the clock behind `Date`, epoch ms, if known
 */
export function isFromCache(headers: Headers, askedAt?: number): boolean {
  const date = httpDate(headers['date']);
  if (askedAt !== undefined && date < askedAt - DATE_BEHIND_MS) return true;
  const age = ageOf(headers);
  // Some caches also send Age with content they just fetched.
  return age > 0 || isHit(headers) || (age === 0 && !isMiss(headers));
}

/** `Age` in seconds, or -1. */
function ageOf(headers: Headers): number {
  return Number(/^\d{1,9}(?=$|,)/.exec(headers['age'] ?? '')?.[0] ?? -1);
}

const valueOf = (headers: Headers, name: string): string =>
  (headers[name] ?? '').slice(0, MAX_CHARACTERS);

const reportsOf = (headers: Headers): readonly string[] =>
  Object.keys(headers).filter((name) => REPORTS.test(name) && !NO_REPORTS.test(name));

function isHit(headers: Headers): boolean {
  return (
    isHitByStandard(valueOf(headers, 'cache-status')) ||
    reportsOf(headers).some((name) => {
      const value = valueOf(headers, name);
      return (
        name !== 'cache-status' && (HIT.test(value) || (QUESTIONS.test(name) && YES.test(value)))
      );
    }) ||
    valueOf(headers, 'server-timing')
      .split(',')
      .some((metric) => /^[^;]*cache/i.test(metric) && HIT.test(metric)) ||
    // Two ids: this request, and the one that filled the cache.
    varnishOf(headers).some((ids) => /^\d+ \d+$/.test(ids))
  );
}

/** RFC 9211: collapsed requests and successful revalidations are also served from the cache. */
function isHitByStandard(status: string): boolean {
  return status
    .replaceAll(/"[^"]*"/g, '')
    .split(',')
    .flatMap((cache) => cache.split(';').slice(1))
    .some((parameter) => /^\s*(?:(?:hit|collapsed)(?:=\?1)?|fwd-status=304)\s*$/i.test(parameter));
}

function isMiss(headers: Headers): boolean {
  return (
    reportsOf(headers).some((name) => MISS.test(valueOf(headers, name))) ||
    varnishOf(headers).length > 0
  );
}

const varnishOf = (headers: Headers): readonly string[] =>
  valueOf(headers, 'x-varnish')
    .split(',')
    .map((ids) => ids.trim())
    .filter((ids) => ids !== '');
