import { describe, expect, it } from 'vitest';
import {
  DAYS,
  exchange,
  findings,
  history,
  historyRows,
  judge,
  judgedOf,
  NOW,
  settledRows,
  TODAY,
  unsettled,
} from '../../test/judge/etf-exchanges.ts';
import type { Row } from '../../test/judge/etf-exchanges.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { judgeAll } from '../../src/requirements/judging.ts';
import { settledBy } from '../../src/judge/etf-rows.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T1 = ['t1-group', 't1-filled', 't1-current-day'] as const;
const foundIn = (rows: unknown, at = NOW): string[] =>
  findings(judge([history(rows, { at })])).filter((text) => text.includes('t1'));
const first = (change: Row): Row[] =>
  historyRows().map((row, index) => (index === 0 ? { ...row, ...change } : row));

describe('an unsettled row', () => {
  it.each(T1)('is judged by %s', (slug) => {
    const judged = judgedOf(judge([history(historyRows())]), `4.4/${slug}`);
    expect(judged?.exchanges.size).toBe(1);
    expect(judged?.findings).toEqual([]);
  });

  it.each(T1)('if absent, is not judged by %s', (slug) => {
    expect(judgedOf(judge([history(settledRows())]), `4.4/${slug}`)).toBeUndefined();
  });

  it('is reported if partly settled', () => {
    expect(foundIn(first({ prem_dsc: 0.01 }))).toEqual(['4.4/t1-group /0/net_inflow']);
    expect(foundIn(first({ net_inflow: 0 }))).toEqual(['4.4/t1-group /0/cum_inflow']);
  });

  it.each([null, '', undefined, {}, 'n/a'])('is reported without a volume: %j', (volume) => {
    expect(foundIn(first({ volume }))).toEqual(['4.4/t1-filled /0/volume']);
  });

  it('may have no trades yet', () => {
    expect(foundIn(first({ value_traded: 0, volume: '0' }))).toEqual([]);
  });

  it('is reported below the newest row once the next trading day has ended', () => {
    const [today, , ...rest] = historyRows();
    const rows = [today, unsettled('2026-01-06'), ...rest];
    expect(foundIn(rows)).toEqual([]);
    const later = Date.parse('2026-01-08T12:00:00Z');
    expect(foundIn(rows, later)).toContain('4.4/t1-newest-only /1/net_inflow');
    const [yesterday] = rest;
    expect(foundIn([today, settledRows()[0], unsettled(String(yesterday?.['date']))])).toEqual([
      '4.4/t1-newest-only /2/net_inflow',
    ]);
  });

  it('is not needed to judge older rows', () => {
    const judged = judgedOf(judge([history(settledRows())]), '4.4/t1-newest-only');
    expect(judged?.findings).toEqual([]);
    expect(judgedOf(judge([history([unsettled(TODAY)])]), '4.4/t1-newest-only')).toBeUndefined();
  });

  it('is reported with 0 for all its figures', () => {
    const zero = {
      net_inflow: 0,
      cum_inflow: 0,
      net_assets: 0,
      currency_share: 0,
      prem_dsc: 0,
    };
    expect(foundIn(first(zero))).toEqual(['4.4/t1-not-zero /0/net_inflow']);
    expect(foundIn(first({ ...zero, cum_inflow: 12 }))).toEqual([]);
    expect(foundIn(first({ ...zero, value_traded: 0, volume: '0' }))).toEqual([]);
  });

  it('is the newest by date, whatever the order', () => {
    expect(foundIn(historyRows().toReversed())).toEqual([]);
  });

  it('is reported at the start of a past range once newer rows were seen', () => {
    const past = [unsettled('2025-12-31'), ...settledRows(DAYS.slice(4))];
    const judgement = judge([
      history(historyRows()),
      history(past, { query: { end_date: '2025-12-31' } }),
    ]);
    expect(findings(judgement).filter((text) => text.startsWith('4.4/t1'))).toEqual([
      '4.4/t1-current-day /0/date',
      '4.4/t1-newest-only /0/net_inflow',
    ]);
  });

  it('is reported there if newer rows are seen right after, but not if they came later', () => {
    const past = [unsettled('2025-12-31'), ...settledRows(DAYS.slice(4))];
    const range = history(past, { query: { end_date: '2025-12-31' } });
    const newer = (at: number) => history(historyRows(), { at });
    const wrong = '4.4/t1-newest-only /0/net_inflow';
    expect(findings(judge([range, newer(NOW + 1000)]))).toContain(wrong);
    expect(findings(judge([range, newer(NOW + DAY)]))).not.toContain(wrong);
  });

  it('is not compared with rows of another ETF', () => {
    const other = history([unsettled('2026-01-06'), ...settledRows(DAYS.slice(1))], {
      ticker: 'ETHA',
      at: NOW,
    });
    const found = findings(judge([history(historyRows()), other]));
    expect(found.filter((text) => text.startsWith('4.4/t1'))).toEqual([]);
  });
});

describe('the current trading day', () => {
  const at = (time: string, date: string): string[] =>
    foundIn([unsettled(date), ...settledRows(DAYS.slice(3))], Date.parse(time));

  it.each([
    ['2026-01-07T22:00:00Z', '2026-01-07'],
    // The day's row may be created overnight.
    ['2026-01-07T22:00:00Z', '2026-01-06'],
    // Before New York closes, the previous day may still be current.
    ['2026-01-07T12:00:00Z', '2026-01-06'],
    ['2026-01-07T03:00:00Z', '2026-01-07'],
    // A weekend belongs to its Friday.
    ['2026-01-04T12:00:00Z', '2026-01-02'],
    ['2026-01-05T12:00:00Z', '2026-01-02'],
    // The evening in UTC is the next morning in the east.
    ['2026-01-06T20:00:00Z', '2026-01-07'],
  ])('at %s may be %s', (time, date) => {
    expect(at(time, date)).toEqual([]);
  });

  it.each([
    ['2026-01-07T12:00:00Z', '2026-01-05'],
    ['2026-01-08T10:00:00Z', '2026-01-06'],
    ['2026-01-07T12:00:00Z', '2026-01-09'],
    ['2026-01-04T12:00:00Z', '2026-01-01'],
  ])('at %s is not %s', (time, date) => {
    expect(at(time, date)).toEqual(['4.4/t1-current-day /0/date']);
  });

  it('is judged by the calendar of the country when the ETF list gives it', () => {
    const list = exchange([{ ticker: 'IBIT', country_code: 'HK' }], { endpoint: '/etfs' });
    const rows = history([unsettled('2026-01-06'), ...settledRows(DAYS.slice(1))], {
      at: Date.parse('2026-01-07T20:30:00Z'),
    });
    expect(findings(judge([rows]))).toEqual([]);
    // Hong Kong closed on the 7th at 08:00 UTC, twelve hours before.
    expect(findings(judge([list, rows]))).toContain('4.4/t1-current-day /0/date');
  });
});

describe('a previously unsettled row', () => {
  const later = (rows: unknown, ms: number) =>
    judge([history(historyRows()), history(rows, { at: NOW + ms })]);
  const tomorrow = (row: Row | undefined): Row[] => [
    unsettled('2026-01-08'),
    ...(row === undefined ? [] : [row]),
    ...settledRows(),
  ];
  const settled: Row = { ...settledRows([TODAY])[0] };

  it('is complete the next day', () => {
    const judged = judgedOf(later(tomorrow(settled), DAY), '4.4/t1-completes');
    expect(judged?.exchanges.size).toBe(1);
    expect(judged?.findings).toEqual([]);
  });

  it('is not judged during the next day', () => {
    const judgement = later(tomorrow(unsettled(TODAY)), 20 * HOUR);
    expect(judgedOf(judgement, '4.4/t1-completes')).toBeUndefined();
  });

  it('is reported if unsettled after the next trading day', () => {
    const judgement = later(tomorrow({ ...settled, prem_dsc: null }), 2 * DAY + HOUR);
    expect(findings(judgement)).toContain('4.4/t1-completes /1/prem_dsc');
  });

  it('is reported if missing after the next trading day', () => {
    const judgement = later(tomorrow(undefined), 2 * DAY + HOUR);
    expect(findings(judgement)).toEqual(['4.4/t1-completes ']);
  });

  it('may be omitted by a range or limit', () => {
    const judgement = later([unsettled('2026-01-08')], 3 * DAY);
    expect(findings(judgement)).not.toContain('4.4/t1-completes ');
  });

  it('is ignored if an earlier run recorded an invalid date', () => {
    const earlierRows = [{ ticker: 'IBIT', date: '20260105', seenAt: NOW - DAY, run: '' }];
    const judgement = judgeAll([history(historyRows())], { ...DEFAULT_FACTS, earlierRows });
    expect(judgedOf(judgement, '4.4/t1-completes')).toBeUndefined();
  });

  it('is due on Tuesday after a Friday, and later after holidays', () => {
    const limit = (date: string): string => new Date(settledBy(date, ['US'])).toISOString();
    expect(limit('2026-01-06')).toBe('2026-01-08T12:00:00.000Z');
    expect(limit('2026-01-09')).toBe('2026-01-13T12:00:00.000Z');
    expect(limit('2025-12-31')).toBe('2026-01-03T12:00:00.000Z');
  });
});

describe('the snapshot', () => {
  const snapshot = (body: unknown, ...others: readonly Exchange[]) =>
    judge([...others, exchange(body, { endpoint: '/etfs/{ticker}/market-snapshot' })]);
  const settled = history(historyRows());
  const nulls = { net_inflow: null, cum_inflow: null, net_assets: null, prem_dsc: null };

  it('is judged by its figures', () => {
    const judged = judgedOf(snapshot({ net_inflow: 0, cum_inflow: '12' }), '4.4/snapshot-settled');
    expect(judged?.exchanges.size).toBe(1);
    expect(judged?.findings).toEqual([]);
  });

  it.each([
    [{ net_inflow: 1, prem_dsc: null }, '/prem_dsc'],
    [{ 'a/b': { cum_inflow: null } }, '/a~1b/cum_inflow'],
  ])('is reported with a null if the history has settled rows: %j', (body, pointer) => {
    expect(findings(snapshot(body, settled))).toEqual([`4.4/snapshot-settled ${pointer}`]);
  });

  it('is not judged for an ETF listed today or without a settled row', () => {
    const judged = (...others: readonly Exchange[]) =>
      judgedOf(snapshot(nulls, ...others), '4.4/snapshot-settled');
    expect(judged()).toBeUndefined();
    expect(judged(history([unsettled(TODAY)]))).toBeUndefined();
    expect(judged(history([]))).toBeUndefined();
    // The first row of an ETF listed yesterday may have just settled.
    expect(judged(history([unsettled(TODAY), ...settledRows(['2026-01-06'])]))).toBeUndefined();
    expect(judged(history(historyRows(), { ticker: 'ETHA' }))).toBeUndefined();
    expect(judged(settled)?.findings).toHaveLength(4);
  });

  it.each([{ inflow: 1 }, [], null, { list: [{ net_inflow: null }] }])(
    'is not judged without the figures: %j',
    (body) => {
      expect(judgedOf(snapshot(body, settled), '4.4/snapshot-settled')).toBeUndefined();
    },
  );
});
