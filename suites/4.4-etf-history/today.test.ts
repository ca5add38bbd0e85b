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
} from '../../test/judge/etf-exchanges.ts';
import type { Exchange } from '../../src/spec/exchange.ts';

const at = (time: string): number => Date.parse(`${TODAY}T${time}:00Z`);
const listed = (country: string): Exchange =>
  exchange([{ ticker: 'IBIT', country_code: country }], { endpoint: '/etfs' });
const SETTLED_TODAY = settledRows([TODAY, ...DAYS]);

/** Findings about the current trading day. */
const found = (exchanges: readonly Exchange[]): string[] =>
  findings(judge([...exchanges])).filter((text) => text.includes('t1-today'));
const judgedCount = (exchanges: readonly Exchange[]) =>
  judgedOf(judge([...exchanges]), '4.4/t1-today-null')?.exchanges.size ?? 0;

describe('the row of the current trading day', () => {
  it('is not settled while its exchange is open', () => {
    const rows = [listed('US'), history(SETTLED_TODAY, { at: at('19:30') })];
    expect(found(rows)).toEqual(['4.4/t1-today-null /0/net_inflow']);
    const nulls = [listed('US'), history(historyRows(), { at: at('19:30') })];
    expect(found(nulls)).toEqual([]);
    expect(judgedCount(nulls)).toBe(1);
  });

  it('may be settled once a session may have ended', () => {
    expect(judgedCount([listed('US'), history(SETTLED_TODAY, { at: at('20:00') })])).toBe(0);
    expect(judgedCount([listed('HK'), history(SETTLED_TODAY, { at: at('04:00') })])).toBe(0);
    // Without a known country, the Hong Kong session may be the one that counts.
    expect(judgedCount([history(SETTLED_TODAY, { at: at('12:00') })])).toBe(0);
    expect(found([history(SETTLED_TODAY, { at: at('03:00') })])).toHaveLength(1);
  });

  it('may be settled early on a possible half day', () => {
    const rows = settledRows(['2025-12-24', ...DAYS.slice(8)]);
    const on = (time: string) => [
      listed('US'),
      history(rows, { at: Date.parse(`2025-12-24T${time}:00Z`) }),
    ];
    expect(judgedCount(on('17:30'))).toBe(0);
    expect(found(on('12:00'))).toHaveLength(1);
  });

  it('is left to other rules if partly settled or 0', () => {
    const [first = {}, ...rest] = SETTLED_TODAY;
    const zero = { net_inflow: 0, cum_inflow: 0, net_assets: 0, currency_share: 0, prem_dsc: 0 };
    for (const change of [{ prem_dsc: null }, zero]) {
      const rows = [listed('US'), history([{ ...first, ...change }, ...rest], { at: NOW })];
      expect(judgedCount(rows)).toBe(0);
    }
  });
});
