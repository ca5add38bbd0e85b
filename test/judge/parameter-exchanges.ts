import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { DAY } from '../../src/spec/time.ts';
import { contextOf } from '../../src/judge/context.ts';
import { DEFAULT_FACTS, type Facts } from '../../src/judge/facts.ts';
import type { Judgement } from '../../src/judge/judgement.ts';
import { viewOf } from '../../src/judge/view.ts';
import { judgedBy, ownRules } from './own-rules.ts';

/** A Wednesday noon. */
export const NOW = Date.parse('2026-01-07T12:00:00Z');
const MIDNIGHT = Date.parse('2026-01-07T00:00:00Z');

export const KLINES = '/currencies/{currency_id}/klines';
export const MACRO = '/macro/events/{event}/history';
export const PAIRS = '/currencies/{currency_id}/pairs';
export const NEWS = '/news';
export const FEATURED = '/news/featured';

export interface Sent {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly status?: number;
  /** Milliseconds after the first exchange. */
  readonly after?: number;
}

let count = 0;

/** An exchange with this body; each one is sent a second after the one before by default. */
export function exchange(endpoint: EndpointPath, body: unknown, sent: Sent = {}): Exchange {
  count += 1;
  const { query = {}, status = 200, after = count * 1000 } = sent;
  const path = endpoint.replace(/\{\w+\}/, 'ID');
  return {
    id: `x${count}`,
    endpoint,
    pathParameters: endpoint.includes('{') ? { id: 'ID' } : {},
    role: 'valid',
    key: 'k:1',
    request: {
      method: 'GET',
      url: `https://target.example${path}`,
      path,
      query: Object.entries(query).map(([name, value]) => [name, String(value)]),
      headers: {},
    },
    response: {
      status,
      headers: { 'content-type': 'application/json' },
      text: typeof body === 'string' ? body : JSON.stringify(body),
      bytes: 0,
    },
    error: null,
    sentAt: NOW + after,
    receivedAt: NOW + after,
    skewMs: 0,
    attempt: 1,
  };
}

/** Neither fields, nor the days for which an ETF has rows: those here are any. */
const RULES = ownRules(/^(?![457]\/|2\.|8\/(?!beyond)|4\.[34]\/(?!window|range|limit))/);

/** Applies the judgements of parameters to exchanges. */
export function judge(exchanges: readonly Exchange[], facts: Partial<Facts> = {}): Judgement {
  const context = contextOf({ ...DEFAULT_FACTS, ...facts }, exchanges);
  const views = exchanges.flatMap((one) => viewOf(one, context) ?? []);
  return judgedBy(RULES, views, context);
}

/** `<requirement> <pointer>` of all findings. */
export function found(exchanges: readonly Exchange[], facts: Partial<Facts> = {}): string[] {
  return [...judge(exchanges, facts).requirements.values()]
    .flatMap(({ findings }) => findings)
    .map(({ requirement, pointer }) => `${requirement} ${pointer ?? '-'}`);
}

/** Requirements that could be judged. */
export function judged(exchanges: readonly Exchange[]): string[] {
  return [...judge(exchanges).requirements.keys()];
}

/** `<question>: <answer>` of all readings. */
export function readings(exchanges: readonly Exchange[]): string[] {
  return judge(exchanges).readings.map(({ question, answer }) => `${question}: ${answer}`);
}

/** Candles of the days from `oldest` to `newest` days ago, oldest first. */
export function candles(oldest: number, newest = 0): { timestamp: number }[] {
  return Array.from({ length: oldest - newest + 1 }, (_, index) => ({
    timestamp: daysAgo(oldest - index),
  }));
}

export const daysAgo = (days: number): number => MIDNIGHT - days * DAY;
export const dateAgo = (days: number): string => new Date(daysAgo(days)).toISOString().slice(0, 10);

/** Klines with these candles. */
export const klines = (rows: unknown, query: Sent['query'] = {}, status = 200): Exchange =>
  exchange(KLINES, rows, { query: { interval: '1d', ...query }, status });

/** Weekly macro rows, newest first, of which the first one is `newest` weeks old. */
export function weeks(length: number, newest = 0): { date: string }[] {
  return Array.from({ length }, (_, index) => ({ date: dateAgo((newest + index) * 7) }));
}
export const macro = (rows: unknown, query: Sent['query'] = {}, status = 200): Exchange =>
  exchange(MACRO, rows, { query, status });

/** An error body. */
export const refusal = (code = 400_003): unknown => ({ code, message: 'no', details: {} });

/** Pairs number `from` to `to` of a list by turnover. */
export function pairs(from: number, to: number, market = 'A'): Record<string, unknown>[] {
  return Array.from({ length: to - from }, (_, index) => ({
    base: 'BTC',
    target: `T${from + index}`,
    market,
    turnover_24h: 10_000 - (from + index),
  }));
}
/** News number `from` to `to` of a list. */
export function newsItems(from: number, to: number): Record<string, unknown>[] {
  return Array.from({ length: to - from }, (_, index) => ({
    id: `n${from + index}`,
    release_time: NOW - (from + index) * 3_600_000,
  }));
}
/** A paging envelope. */
export const page = (list: unknown, number: number, size: number, total: number): unknown => ({
  list,
  page: number,
  page_size: size,
  total,
});

/** Bodies that no rule may stumble over. */
export const HOSTILE: readonly unknown[] = [
  null,
  0,
  'text',
  'not json at all {',
  [],
  [null, 1, 'x', [], {}],
  {},
  { list: null },
  { list: [null, 3, [], { id: {}, market: [], turnover_24h: {} }], page: 'x', total: {} },
  { list: {}, page: -1, page_size: 1e300, total: null },
  [{ timestamp: 'x' }, { timestamp: null }, { timestamp: 1e300 }, { timestamp: {} }],
  [{ date: 5 }, { date: '9999-99-99' }, { date: '2026-13-45T' }, { date: null }],
  { code: {}, message: [], details: 'x' },
];
