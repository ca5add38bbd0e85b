import { describe, expect, it } from 'vitest';
import {
  DAYS,
  exchange,
  findings,
  history,
  historyRows,
  judge,
  judgedOf,
  settledRows,
  summary,
  summaryRows,
} from '../../test/judge/etf-exchanges.ts';
import type { Row } from '../../test/judge/etf-exchanges.ts';
import { isTradingDay } from '../../src/spec/trading-days.ts';
import { holidaysWithin } from '../../src/judge/etf-rows.ts';

const SERIES = ['order', 'weekends', 'date-unique', 'cumulative', 'holidays'] as const;

const changedSummary = (change: (rows: Row[]) => unknown): string[] =>
  findings(judge([summary(change(summaryRows()))]));

describe('conforming lists', () => {
  it.each(SERIES)('judges %s of the summary and finds nothing', (slug) => {
    const judged = judgedOf(judge([summary(summaryRows())]), `4.3/${slug}`);
    expect(judged?.exchanges.size).toBe(1);
    expect(judged?.findings).toEqual([]);
  });

  it.each(SERIES)('judges %s of one ETF and finds nothing', (slug) => {
    const judged = judgedOf(judge([history(historyRows())]), `4.4/${slug}`);
    expect(judged?.exchanges.size).toBe(1);
    expect(judged?.findings).toEqual([]);
  });

  it('accepts decimal strings', () => {
    const rows = summaryRows().map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
    );
    const judgement = judge([summary(rows)]);
    expect(findings(judgement)).toEqual([]);
    expect(judgedOf(judgement, '4.3/cumulative')).toBeDefined();
  });

  it('unwraps a configured envelope', () => {
    const rows = summaryRows();
    const judgement = judge(
      [summary({ code: 0, data: [{ ...rows[3], date: '2025-11-30' }, ...rows] })],
      'data',
    );
    expect(findings(judgement)).toContain('4.3/weekends /data/0/date');
  });

  it('judges nothing inside an unknown envelope', () => {
    expect(judge([summary({ code: 0, data: summaryRows() })]).requirements.size).toBe(0);
  });
});

describe('order', () => {
  it('reports a list that starts with the oldest day', () => {
    const judgement = judge([summary(summaryRows().toReversed())]);
    expect(findings(judgement)).toEqual(['4.3/order /1/date']);
    expect(judgedOf(judgement, '4.3/order')?.findings[0]?.message).toContain('(and 8 more)');
  });

  it('reports two swapped rows', () => {
    const found = changedSummary(([a, b, c, ...rest]) => [a, c, b, ...rest]);
    expect(found).toEqual(['4.3/order /2/date']);
  });
});

describe('trading days', () => {
  it('reports a Sunday, and nothing about the figures it repeats', () => {
    const found = changedSummary(([a, b, c, ...rest]) => [
      a,
      b,
      { ...b, date: '2026-01-04' },
      c,
      ...rest,
    ]);
    expect(found).toEqual(['4.3/weekends /2/date']);
  });

  it('reports a holiday of the requested country', () => {
    const found = changedSummary((rows) => [
      ...rows.slice(0, 3),
      { ...rows[3], date: '2026-01-01' },
      ...rows.slice(3),
    ]);
    expect(found).toEqual(['4.3/holidays /3/date']);
  });

  it('treats Boxing Day as a holiday in HK only', () => {
    const rows = summaryRows();
    expect(findings(judge([summary(rows)]))).toEqual([]);
    expect(findings(judge([summary(rows, { country_code: 'hk' })]))).toEqual([
      '4.3/holidays /6/date',
    ]);
  });

  it('judges only holidays of published calendars', () => {
    // Lunar New Year in a year without a published calendar.
    const rows = summaryRows(['2031-01-24', '2031-01-23', '2031-01-22', '2031-01-21']);
    const judgement = judge([summary(rows, { country_code: 'HK' })]);
    expect(judgedOf(judgement, '4.3/holidays')).toBeUndefined();
    expect(isTradingDay('HK', '2031-01-23')).toBe(false);
  });

  it('treats half days as trading days', () => {
    expect(findings(judge([summary(summaryRows(['2026-11-27', '2026-11-25']))]))).toEqual([]);
  });

  it('lists the holidays between dates, ignoring an invalid one', () => {
    expect(holidaysWithin(['20261121', '2026-01-05', '2025-12-24'], ['US'])).toEqual([
      '2025-12-25',
      '2026-01-01',
    ]);
  });

  it('judges holidays only if the rows span one', () => {
    const rows = summaryRows(['2026-01-07', '2026-01-06', '2026-01-05']);
    const judgement = judge([summary(rows)]);
    expect(judgedOf(judgement, '4.3/holidays')).toBeUndefined();
    expect(judgedOf(judgement, '4.3/weekends')).toBeDefined();
  });

  it('reports a holiday of an ETF of unknown country only if both exchanges are closed', () => {
    expect(findings(judge([history(settledRows())]))).toEqual([]);
    const christmas = settledRows(DAYS.map((day) => (day === '2025-12-26' ? '2025-12-25' : day)));
    expect(findings(judge([history(christmas)]))).toEqual(['4.4/holidays /6/date']);
  });

  it.each([
    ['a bare list', [{ ticker: 'IBIT', country_code: 'HK' }]],
    ['a page', { list: [{ ticker: 'IBIT', name: 'x', country: 'hk' }] }],
    ['groups', { HK: { etfs: [{ etf_ticker: 'IBIT', country_code: 'HK' }] } }],
  ])('reads the country of an ETF from %s', (_shape, list) => {
    const judgement = judge([exchange(list, { endpoint: '/etfs' }), history(settledRows())]);
    expect(findings(judgement)).toEqual(['4.4/holidays /6/date']);
  });

  it('ignores a list with two countries for one ETF', () => {
    const list = ['US', 'HK'].map((country) => ({ ticker: 'IBIT', country_code: country }));
    const judgement = judge([exchange(list, { endpoint: '/etfs' }), history(settledRows())]);
    expect(findings(judgement)).toEqual([]);
  });

  it('lists the holidays between dates', () => {
    expect(holidaysWithin(['2026-01-05', '2025-12-24'], ['US', 'HK'])).toEqual([
      '2025-12-25',
      '2026-01-01',
    ]);
    expect(holidaysWithin([], ['US'])).toEqual([]);
  });
});

describe('one row a day', () => {
  it('reports a day with two rows', () => {
    const found = changedSummary((rows) => [...rows, rows.at(-1)]);
    expect(found).toEqual(['4.3/date-unique /10/date']);
  });
});

describe('cumulative inflow', () => {
  it('tolerates figures in whole dollars', () => {
    const whole = summaryRows().map((row) => ({
      ...row,
      cum_net_inflow: Math.round(Number(row['cum_net_inflow'])) - 4_999_000,
      total_net_inflow: Math.round(Number(row['total_net_inflow'])),
    }));
    expect(findings(judge([summary(whole)]))).toEqual([]);
  });

  it('reports a wrong figure at its row and the next one', () => {
    const judgement = judge([
      summary(summaryRows().map((row, i) => (i === 4 ? { ...row, cum_net_inflow: 1 } : row))),
    ]);
    expect(findings(judgement)).toEqual(['4.3/cumulative /3/cum_net_inflow']);
    expect(judgedOf(judgement, '4.3/cumulative')?.findings[0]?.message).toContain('(and 1 more)');
  });

  it('reports an outflow shown as an inflow', () => {
    const found = changedSummary((rows) =>
      rows.map((row) => ({ ...row, total_net_inflow: Math.abs(Number(row['total_net_inflow'])) })),
    );
    expect(found).toEqual(['4.3/cumulative /7/cum_net_inflow']);
  });

  it('reports it in any order of rows', () => {
    const judgement = judge([
      summary(
        summaryRows()
          .map((row, i) => (i === 9 ? { ...row, cum_net_inflow: 1 } : row))
          .toReversed(),
      ),
    ]);
    expect(findings(judgement)).toContain('4.3/cumulative /1/cum_net_inflow');
  });

  it('tolerates rounding', () => {
    const found = changedSummary((rows) =>
      rows.map((row) => ({ ...row, cum_net_inflow: Number(row['cum_net_inflow']) + 0.004 })),
    );
    expect(found).toEqual([]);
  });

  it('does not compare across a missing trading day', () => {
    const found = changedSummary((rows) => rows.filter((_row, index) => index !== 4));
    expect(found).toEqual([]);
  });

  it('judges nothing without adjacent days', () => {
    const judgement = judge([summary(summaryRows().filter((_row, index) => index % 2 === 0))]);
    // 24 and 22 December, 26 and 30 December, …: a trading day lies between all of them.
    expect(judgedOf(judgement, '4.3/cumulative')).toBeUndefined();
  });

  it("reports it in an ETF's history and ignores the unsettled row", () => {
    const rows = historyRows().map((row, i) => (i === 10 ? { ...row, cum_inflow: -5 } : row));
    expect(findings(judge([history(rows)]))).toEqual(['4.4/cumulative /9/cum_inflow']);
  });
});

describe('hostile bodies', () => {
  it.each([
    ['null', 'null'],
    ['a number', '7'],
    ['no JSON', '<html>'],
    ['nested arrays', [[[]], [null], 3]],
    ['no dates', [{}, { date: null }, { date: 20260105 }, { date: 'yesterday' }]],
    ['impossible dates', [{ date: '2026-02-30' }, { date: '0000-00-00' }, { date: '9999-12-31' }]],
    ['dates far apart', [{ date: '2999-12-31' }, { date: '1000-01-01' }]],
    [
      'figures of other types',
      [
        { date: '2026-01-06', cum_net_inflow: {}, total_net_inflow: [], cum_inflow: 'NaN' },
        { date: '2026-01-05', cum_net_inflow: '1e999', total_net_inflow: true, volume: {} },
      ],
    ],
    ['a list as an object', { list: [{ date: '2026-01-04' }], __proto__: null }],
  ])('do not make rules throw: %s', (_name, body) => {
    const list = exchange(body, { endpoint: '/etfs' });
    const snapshot = exchange(body, { endpoint: '/etfs/{ticker}/market-snapshot' });
    const all = [summary(body), summary(body, { symbol: 'btc' }), history(body), list, snapshot];
    expect(() => judge([...all, ...all])).not.toThrow();
  });

  it('are not judged with an error status', () => {
    const rows = summaryRows().toReversed();
    expect(judge([summary(rows, {}, { status: 500 })]).requirements.size).toBe(0);
    expect(judge([summary(rows, {}, { status: 429 })]).requirements.size).toBe(0);
  });
});
