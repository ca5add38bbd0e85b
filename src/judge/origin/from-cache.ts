import { httpDate } from '../../text/http-date.ts';

type Headers = Readonly<Record<string, string>>;

/** Longer values are looked at up to here. */
const MOST_CHARACTERS = 2000;

/** How far `Date` may be behind the sending of the request, ms: whole seconds, read late, by a clock known within one. */
const DATE_BEHIND_MS = 2100;

/** Headers that speak of what a cache did; others with the word in their names say how it is to be done. */
const REPORTS = /cache/;
const NO_REPORTS = /(?:control|key|tags?|lookup|ttl|policy)$/;
/** Headers whose name says what happened, and whose value says whether it did. */
const QUESTIONS = /(?:cached|from-cache|cache-hits?)$/;
const YES = /^(?:true|yes|[\d, ]*[1-9][\d, ]*)$/i;

/** `HIT`, `TCP_MEM_HIT`, `RefreshHit from …`, but not `hit-for-pass`; and what caches say when they serve what is out of date. */
const HIT = /hit(?![a-z]|-for-)|\b(?:stale|updating|revalidated)\b/i;
const MISS = /miss|pass|bypass|dynamic|expired|fwd/i;

/**
 * Whether a cache on the way gave the answer: it says nothing about how its request was counted or admitted, and its
 * content is of an earlier time. By the standards first (RFC 9111, RFC 9211), then by what caches say in headers of their own.
 *
 * @param askedAt when the request was sent by the clock that `Date` goes by, epoch ms; left out where that is not known
 */
export function isFromCache(headers: Headers, askedAt?: number): boolean {
  const date = httpDate(headers['date']);
  if (askedAt !== undefined && date < askedAt - DATE_BEHIND_MS) return true;
  const age = ageOf(headers);
  // Some caches give the age of what they have just fetched, too.
  return age > 0 || isHit(headers) || (age === 0 && !isMiss(headers));
}

/**
 * When the content of an answer from a cache was made, as well as its headers tell, by the clock that `Date` goes by.
 * @param arrivedAt when the answer arrived, epoch ms by that clock
 */
export function madeAt(headers: Headers, arrivedAt: number): number {
  const date = httpDate(headers['date']);
  const aged = arrivedAt - Math.max(0, ageOf(headers)) * 1000;
  return Number.isNaN(date) ? aged : Math.min(aged, date);
}

/** `Age`, seconds; -1 where there is none. */
function ageOf(headers: Headers): number {
  return Number(/^\d{1,9}(?=$|,)/.exec(headers['age'] ?? '')?.[0] ?? -1);
}

const valueOf = (headers: Headers, name: string): string =>
  (headers[name] ?? '').slice(0, MOST_CHARACTERS);

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
    // The request that asks, and the one that brought what it gets.
    varnishOf(headers).some((ids) => /^\d+ \d+$/.test(ids))
  );
}

/** RFC 9211: of what was forwarded, an answer to several requests at once, or to a question whether it still holds, is stored. */
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
