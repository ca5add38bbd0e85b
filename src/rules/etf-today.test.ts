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
} from '../../test/rules/etf-exchanges.ts';
import type { Exchange } from '../contract/exchange.ts';

const at = (time: string): number => Date.parse(`${TODAY}T${time}:00Z`);
const listed = (country: string): Exchange =>
  exchange([{ ticker: 'IBIT', country_code: country }], { endpoint: '/etfs' });
const SETTLED_TODAY = settledRows([TODAY, ...DAYS]);
const movedBy = (ms: number, one: Exchange): Exchange => ({
  ...one,
  receivedAt: one.receivedAt - ms,
  skewMs: ms,
});

/** What is found of the current trading day. */
const found = (exchanges: readonly Exchange[]): string[] =>
  findings(judge([...exchanges])).filter((text) => text.includes('t1-today'));
const judgedCount = (slug: 't1-today-null' | 't1-today-row', exchanges: readonly Exchange[]) =>
  judgedOf(judge([...exchanges]), `4.4/${slug}`)?.exchanges.size ?? 0;

describe('the row of the current trading day', () => {
  it('is not settled while its exchange trades', () => {
    const rows = [listed('US'), history(SETTLED_TODAY, { at: at('19:30') })];
    expect(found(rows)).toEqual(['4.4/t1-today-null /0/net_inflow']);
    const nulls = [listed('US'), history(historyRows(), { at: at('19:30') })];
    expect(found(nulls)).toEqual([]);
    expect(judgedCount('t1-today-null', nulls)).toBe(1);
  });

  it('may be settled once a session may be over', () => {
    expect(
      judgedCount('t1-today-null', [listed('US'), history(SETTLED_TODAY, { at: at('20:00') })]),
    ).toBe(0);
    expect(
      judgedCount('t1-today-null', [listed('HK'), history(SETTLED_TODAY, { at: at('04:00') })]),
    ).toBe(0);
    // Of an ETF whose country is not known, the session of Hong Kong may be that of the day.
    expect(judgedCount('t1-today-null', [history(SETTLED_TODAY, { at: at('12:00') })])).toBe(0);
    expect(found([history(SETTLED_TODAY, { at: at('03:00') })])).toHaveLength(1);
  });

  it('may be settled early on a day that may be a half one', () => {
    const rows = settledRows(['2025-12-24', ...DAYS.slice(8)]);
    const on = (time: string) => [
      listed('US'),
      history(rows, { at: Date.parse(`2025-12-24T${time}:00Z`) }),
    ];
    expect(judgedCount('t1-today-null', on('17:30'))).toBe(0);
    expect(found(on('12:00'))).toHaveLength(1);
  });

  it('is judged elsewhere when it is settled in part or 0', () => {
    const [first = {}, ...rest] = SETTLED_TODAY;
    const zero = { net_inflow: 0, cum_inflow: 0, net_assets: 0, currency_share: 0, prem_dsc: 0 };
    for (const change of [{ prem_dsc: null }, zero]) {
      const rows = [listed('US'), history([{ ...first, ...change }, ...rest], { at: NOW })];
      expect(judgedCount('t1-today-null', rows)).toBe(0);
    }
  });
});

describe('a current trading day without a row', () => {
  const none = (time: string, rows: readonly unknown[] = settledRows()) =>
    history(rows, { at: at(time) });

  it('is found in the evening', () => {
    expect(found([listed('US'), none('23:15')])).toEqual(['4.4/t1-today-row ']);
    expect(found([listed('HK'), none('11:30')])).toEqual(['4.4/t1-today-row ']);
    expect(found([none('23:15')])).toEqual(['4.4/t1-today-row ']);
    expect(
      judgedCount('t1-today-row', [listed('US'), history(historyRows(), { at: at('23:15') })]),
    ).toBe(1);
  });

  it('may come when trading is over', () => {
    expect(judgedCount('t1-today-row', [listed('US'), none('21:30')])).toBe(0);
    expect(judgedCount('t1-today-row', [none('19:30')])).toBe(0);
  });

  it('proves nothing of an ETF that is seldom or no longer traded', () => {
    const [first = {}, ...rest] = settledRows();
    expect(found([none('23:15', [{ ...first, value_traded: 0 }, ...rest])])).toEqual([]);
    expect(found([none('23:15', rest)])).toEqual([]);
    expect(found([none('23:15', [first])])).toEqual([]);
  });

  it('proves nothing where another day is taken for the current one', () => {
    const rows = [unsettled('2026-01-06'), ...settledRows(DAYS.slice(1))];
    expect(judgedCount('t1-today-row', [listed('US'), none('23:15', rows)])).toBe(0);
  });

  it('proves nothing in a list that is cut, and on a holiday', () => {
    for (const query of [{ limit: '20' }, { start_date: '2025-12-10' }, { end_date: TODAY }]) {
      expect(found([history(settledRows(), { at: at('23:15'), query })])).toEqual([]);
    }
    expect(
      found([history(settledRows(DAYS.slice(3)), { at: Date.parse('2026-01-01T23:15:00Z') })]),
    ).toEqual([]);
  });

  it('proves nothing where the data stand still while the clock is moved', () => {
    const moved = movedBy(22 * 3_600_000, none('23:15'));
    expect(found([moved])).toEqual([]);
    expect(found([none('01:00'), moved])).toEqual([]);
    const earlier = history(settledRows(DAYS.slice(1)), { at: at('01:00') });
    expect(found([earlier, moved])).toEqual(['4.4/t1-today-row ']);
  });
});
