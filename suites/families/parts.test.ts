import { REQUIREMENTS } from '../../src/requirements/catalogue.ts';
import { judgedBy } from '../../test/judge/own-rules.ts';
import { describe, expect, it } from 'vitest';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { DAY } from '../../src/spec/time.ts';
import { contextOf } from '../../src/judge/context.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import type { Judgement } from '../../src/judge/judgement.ts';
import { viewOf } from '../../src/judge/view.ts';

const NOW = Date.parse('2026-01-07T12:00:00Z');
const TODAY = Date.parse('2026-01-07T00:00:00Z');
const KLINES = '/currencies/{currency_id}/klines';
const HISTORY = '/etfs/{ticker}/history';

const candle = (daysAgo: number, changes: Record<string, unknown> = {}) => ({
  timestamp: TODAY - daysAgo * DAY,
  open: 10 + daysAgo,
  high: 12 + daysAgo,
  low: 9 + daysAgo,
  close: 11 + daysAgo,
  volume: 5,
  ...changes,
});
const candles = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => candle(from + index));

let count = 0;
function exchange(
  endpoint: EndpointPath,
  query: Readonly<Record<string, string>>,
  body: unknown,
  now = NOW,
): Exchange {
  count += 1;
  const text = JSON.stringify(body);
  return {
    id: `x${count}`,
    endpoint,
    pathParameters: { id: '1' },
    role: 'valid',
    key: 'key#1',
    request: {
      method: 'GET',
      url: 'http://127.0.0.1/v1',
      path: '/',
      query: Object.entries(query),
      headers: {},
    },
    response: { status: 200, headers: {}, text, bytes: text.length },
    error: null,
    sentAt: now - 5,
    receivedAt: now,
    skewMs: 0,
    attempt: 1,
  };
}

function judge(...exchanges: Exchange[]): Judgement {
  const context = contextOf(DEFAULT_FACTS, exchanges);
  const views = exchanges.flatMap((one) => viewOf(one, context) ?? []);
  const into = judgedBy(REQUIREMENTS, views, context);
  for (const id of into.requirements.keys()) {
    if (!/limit-part$|range$/.test(id)) into.requirements.delete(id);
  }
  return into;
}

const plain = (): Exchange => exchange(KLINES, { interval: '1d' }, candles(0, 60));

describe('same records', () => {
  it('judges a limited answer that agrees with the plain one', () => {
    const { requirements } = judge(
      plain(),
      exchange(KLINES, { interval: '1d', limit: '9' }, candles(0, 8)),
    );
    expect([...requirements]).toMatchObject([['4.1/klines-limit-part', { findings: [] }]]);
  });

  it('reports a past candle with another price', () => {
    const part = exchange(KLINES, { interval: '1d', limit: '9' }, [
      ...candles(0, 7),
      candle(8, { close: 18.5 }),
    ]);
    expect(judge(plain(), part).requirements.get('4.1/klines-limit-part')?.findings).toMatchObject([
      {
        pointer: '/8/close',
        expected: expect.stringContaining('19'),
        actual: '18.5',
        exchange: part.id,
      },
    ]);
  });

  it('blames the range if one was requested', () => {
    const query = { interval: '1d', start_time: String(TODAY - 30 * DAY), limit: '500' };
    const part = exchange(KLINES, query, [candle(20, { volume: 6 })]);
    const { requirements } = judge(plain(), part);
    expect([...requirements.keys()]).toEqual(['4.1/klines-range']);
    expect(requirements.get('4.1/klines-range')?.findings).toMatchObject([
      { pointer: '/0/volume' },
    ]);
  });

  it('are not expected of a candle whose close is above its high', () => {
    const wrong = candles(0, 60).map((one, index) => (index === 5 ? { ...one, close: 900 } : one));
    const part = exchange(KLINES, { interval: '1d', limit: '9' }, candles(0, 8));
    const { requirements } = judge(exchange(KLINES, { interval: '1d' }, wrong), part);
    expect(requirements.get('4.1/klines-limit-part')?.findings).toEqual([]);
  });

  it('accepts a number and its decimal string as equal', () => {
    const part = exchange(KLINES, { interval: '1d', limit: '9' }, [candle(8, { close: '19.0' })]);
    expect(judge(plain(), part).requirements.get('4.1/klines-limit-part')?.findings).toEqual([]);
  });

  it('ignores what may have changed: recent days, answers hours apart, unsettled figures', () => {
    const today = exchange(KLINES, { interval: '1d', limit: '1' }, [candle(0, { close: 50 })]);
    const later = exchange(
      KLINES,
      { interval: '1d', limit: '9' },
      [candle(8, { close: 50 })],
      NOW + 3_600_000,
    );
    expect(judge(plain(), today, later).requirements.size).toBe(0);
    const row = { date: '2025-12-22', ticker: 'A', net_inflow: null };
    const settled = exchange(HISTORY, { start_date: '2025-12-20' }, [{ ...row, net_inflow: 7 }]);
    const { requirements } = judge(exchange(HISTORY, {}, [row]), settled);
    expect(requirements.get('4.4/range')?.findings).toEqual([]);
  });

  it('is inconclusive without a plain answer, and accepts any body', () => {
    const part = exchange(KLINES, { interval: '1d', limit: '9' }, candles(0, 8));
    expect(judge(part).requirements.size).toBe(0);
    for (const body of [null, [null, 7, [], {}], { a: 1 }, [{ timestamp: '1', close: {} }]]) {
      expect(judge(plain(), exchange(KLINES, { limit: '3' }, body)).requirements.size).toBe(0);
    }
  });
});
