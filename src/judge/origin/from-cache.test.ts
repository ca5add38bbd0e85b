import { describe, expect, it } from 'vitest';
import { accepted, errorBody, exchangeOf, findings, judge } from '../../../test/judge/exchanges.ts';
import { Recording, RESET, START } from '../../../test/judge/rate-exchanges.ts';
import type { Exchange } from '../../spec/exchange.ts';
import { DEFAULT_FACTS } from '../facts.ts';
import { isFromCache } from './from-cache.ts';
import { viewOf } from '../view.ts';

const T = Date.UTC(2026, 10, 20, 10, 0, 0);
const date = (time: number): string => new Date(time).toUTCString();

describe('a cached answer', () => {
  it.each<Readonly<Record<string, string>>>([
    { age: '41' },
    { age: '7, 0', 'x-cache': 'MISS' },
    // On its own, the header shows that the answer was not generated for this request (RFC 9111, section 5.1).
    { age: '0' },
    { 'cache-status': 'OriginCache; hit; ttl=1100' },
    { 'cache-status': '"CDN, one"; fwd=uri-miss; detail="a;b", Edge;hit' },
    { 'cache-status': 'Edge; fwd=miss; collapsed' },
    { 'cache-status': 'Edge; fwd=stale; fwd-status=304' },
    { 'x-cache': 'HIT' },
    { 'x-cache': 'MISS, HIT' },
    { 'x-cache': 'Hit from cloudfront' },
    { 'x-cache': 'RefreshHit from cloudfront' },
    { 'x-cache': 'TCP_MEM_HIT from a23-1-2-3.deploy' },
    { 'x-cache-remote': 'TCP_HIT from a23' },
    { 'cf-cache-status': 'HIT' },
    { 'cf-cache-status': 'STALE' },
    { 'x-cache-status': 'UPDATING' },
    { 'x-vercel-cache': 'HIT' },
    { 'cdn-cache': 'HIT' },
    { 'x-litespeed-cache': 'hit' },
    { 'x-acme-gateway-cache': 'shared-hit' },
    { 'x-cache-hits': '0, 3' },
    { 'x-cached': 'true' },
    { 'x-from-cache': '1' },
    { 'server-timing': 'cdn-cache; desc=HIT, edge; dur=1' },
    { 'server-timing': 'dns;dur=1, cdn-cache-hit, cdn-pop;desc="FRA56"' },
    { 'x-varnish': '32770 3' },
    { 'x-varnish': '5, 131085 98311', age: '0' },
  ])('is recognized by %j', (headers) => {
    expect(isFromCache(headers)).toBe(true);
  });

  it.each<Readonly<Record<string, string>>>([
    {},
    { age: 'soon' },
    { age: '0', 'x-cache': 'MISS' },
    { age: '0', 'x-varnish': '32770' },
    { age: '0', 'cache-status': 'Edge; fwd=miss; stored' },
    { 'cache-status': 'Edge; fwd=uri-miss; detail="; hit"' },
    { 'cache-status': 'Edge; hit=?0; fwd=miss' },
    { 'x-cache': 'Miss from cloudfront' },
    { 'x-cache': 'TCP_MISS' },
    { 'x-cache': 'hit-for-pass' },
    { 'x-cache': 'HITPASS' },
    { 'x-cache-lookup': 'HIT from proxy:3128', 'x-cache': 'MISS from proxy' },
    { 'x-cache-hits': '0' },
    { 'x-cache-enabled': 'True' },
    { 'x-cache-key': '/news?search=hit' },
    { 'cache-tag': 'hit, news' },
    { 'cf-cache-status': 'DYNAMIC' },
    { 'cache-control': 'max-age=5, stale-while-revalidate=30' },
    { 'cdn-cache-control': 'max-age=5, stale-if-error=30' },
    { 'server-timing': 'db;dur=53, cdn-cache-miss, edge;desc="hit"' },
    { 'x-served-by': 'cache-fra-hit1' },
    { 'x-hits': '12' },
  ])('is not inferred from %j', (headers) => {
    expect(isFromCache(headers)).toBe(false);
  });

  it.each([
    [-60_000, true],
    [-4000, true],
    [-2000, false],
    [0, false],
    [60_000, false],
  ])('is recognized by a Date %d ms after the request: %s', (ms, known) => {
    expect(isFromCache({ date: date(T + ms) }, T)).toBe(known);
    expect(isFromCache({ date: date(T + ms) })).toBe(false);
  });

  it('is cheap to recognize, whatever the headers hold', () => {
    const long = '"\\'.repeat(500_000);
    const names = ['cache-status', 'x-cache', 'server-timing', 'x-varnish', 'age', 'date'];
    expect(isFromCache(Object.fromEntries(names.map((name) => [name, long])))).toBe(false);
  });
});

describe('a cached answer in the traffic of a key', () => {
  const marked = (exchange: Exchange, marks: Readonly<Record<string, string>>): Exchange => ({
    ...exchange,
    response: exchange.response && {
      ...exchange.response,
      headers: { ...exchange.response.headers, ...marks },
    },
  });

  /** A window, then cached answers of that window in the next one, one of them a refusal. */
  function traffic(marks: Readonly<Record<string, string>>): readonly Exchange[] {
    const recording = new Recording();
    for (let left = 19; left >= 10; left -= 1) recording.add({ remaining: left });
    const reset = RESET + 60_000;
    for (let left = 19; left >= 0; left -= 1) {
      recording.add({ remaining: left, reset, at: 70_000 - 100 * left });
      recording.add({ remaining: 19, reset: RESET, at: 70_001 - 100 * left });
    }
    recording.add({ status: 429, remaining: 0, reset: RESET - 60_000 });
    return recording.exchanges.map((exchange) => {
      const isRepeated =
        exchange.sentAt > START + 60_000 &&
        exchange.response?.headers['x-ratelimit-reset'] !== String(reset);
      return isRepeated ? marked(exchange, marks) : exchange;
    });
  }

  const ofLimiter = (exchanges: readonly Exchange[]): readonly string[] => [
    ...new Set(findings(judge(exchanges)).filter((id) => id.startsWith('8/'))),
  ];

  it('would be a finding if the service had sent it', () => {
    expect(ofLimiter(traffic({})).map((id) => id.replace(/ .*/, ''))).toEqual(
      expect.arrayContaining(['8/header-reset', '8/remaining-decrements']),
    );
  });

  it.each<Readonly<Record<string, string>>>([
    { age: '12' },
    { 'cache-status': 'Edge; hit' },
    { date: new Date(START).toUTCString() },
    { 'x-acme-cache': 'HIT' },
    { 'server-timing': 'cdn-cache; desc=HIT' },
    { 'x-varnish': '32770 3' },
  ])('does not count with %j', (marks) => {
    expect(ofLimiter(traffic(marks))).toEqual([]);
  });

  it('does not prove that a key refused by the service has access', () => {
    const refused = exchangeOf('/analyses', { status: 403, body: errorBody(400301) });
    const blamed = (before: Exchange): readonly string[] => findings(judge([before, refused]));
    expect(blamed(accepted('/analyses'))).not.toEqual([]);
    expect(blamed(marked(accepted('/analyses'), { age: '12' }))).toEqual([]);
  });

  it('is known as one', () => {
    const old = marked(accepted('/analyses'), { age: '3600' });
    expect(viewOf(old, DEFAULT_FACTS)).toMatchObject({ fromCache: true });
  });
});
