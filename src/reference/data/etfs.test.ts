import { describe, expect, it } from 'vitest';
import { DAY } from '../../spec/time.ts';
import { isTradingDay } from '../../spec/trading-days.ts';
import { T1_FIELDS } from '../../spec/resources.ts';
import { COUNTRIES, ETF_LISTINGS, ETF_SYMBOLS } from '../../spec/values.ts';
import type { JsonObject } from '../world.ts';
import { neighbours, numberOf as number, textOf } from '../../../test/reference/json-access.ts';
import { createWorld } from './world.ts';
import { WORLD } from '../../../test/kept/data.ts';

const WEDNESDAY = Date.parse('2026-11-18T15:00:00Z');
const SATURDAY = Date.parse('2026-11-21T02:00:00Z');
const world = WORLD;
const listings = COUNTRIES.flatMap((country) =>
  ETF_LISTINGS[country].map((symbol) => ({ country, symbol })),
);
const history = (ticker: string, now: number) => world.etfHistory(ticker, now) ?? [];
/** Dollars as whole cents; refuses fractions of a cent. */
const cents = (row: JsonObject | undefined, field: string): number => {
  const text = String(number(row, field));
  expect(text).toMatch(/^-?\d+(\.\d{1,2})?$/);
  return Math.round(Number(text) * 100);
};

describe('ETF list', () => {
  it('has at least three unique tickers in each of the 13 listings and none elsewhere', () => {
    expect(listings).toHaveLength(13);
    for (const { country, symbol } of listings) {
      const listed = world.etfs.filter((one) => one.country === country && one.symbol === symbol);
      expect(listed.length).toBeGreaterThanOrEqual(3);
    }
    expect(new Set(world.etfs.map(({ ticker }) => ticker)).size).toBe(world.etfs.length);
    for (const symbol of ETF_SYMBOLS) {
      const isListed = ETF_LISTINGS.HK.includes(symbol);
      expect(world.etfSummary(symbol, 'HK', WEDNESDAY) !== undefined).toBe(isListed);
      expect(world.etfSummary(symbol, 'US', WEDNESDAY)).toBeDefined();
    }
    expect(world.etfHistory('NONE', WEDNESDAY)).toBeUndefined();
    expect(world.etfSnapshot('NONE', WEDNESDAY)).toBeUndefined();
  });
});

describe('ETF summary history', () => {
  it.each(listings)(
    'of $symbol in $country holds settled trading days, newest first',
    ({ country, symbol }) => {
      const rows = world.etfSummary(symbol, country, WEDNESDAY) ?? [];
      const dates = rows.map((row) => textOf(row, 'date'));
      expect(dates.length).toBeGreaterThanOrEqual(18);
      expect(dates).toEqual([...new Set(dates)].toSorted().toReversed());
      expect(dates.every((date) => isTradingDay(country, date))).toBe(true);
      expect(dates.at(0)).toBe('2026-11-17');
      expect((dates.at(-1) ?? '') >= '2026-10-18').toBe(true);
    },
  );

  it.each(listings)(
    'of $symbol in $country is the sum of its ETFs, to the cent',
    ({ country, symbol }) => {
      const rows = world.etfSummary(symbol, country, WEDNESDAY) ?? [];
      const tickers = world.etfs.filter((one) => one.country === country && one.symbol === symbol);
      for (const row of rows) {
        const parts = tickers.map(({ ticker }) =>
          history(ticker, WEDNESDAY).find((one) => one['date'] === row['date']),
        );
        const sum = (field: string): number =>
          parts.reduce((total, part) => total + cents(part, field), 0);
        expect(cents(row, 'total_net_inflow')).toBe(sum('net_inflow'));
        expect(cents(row, 'total_value_traded')).toBe(sum('value_traded'));
        expect(cents(row, 'total_net_assets')).toBe(sum('net_assets'));
        expect(cents(row, 'cum_net_inflow')).toBe(sum('cum_inflow'));
      }
      for (const [row, older] of neighbours(rows)) {
        expect(cents(row, 'cum_net_inflow')).toBe(
          cents(older, 'cum_net_inflow') + cents(row, 'total_net_inflow'),
        );
      }
    },
  );

  it('has days of inflow and of outflow', () => {
    const flows = (world.etfSummary('BTC', 'US', WEDNESDAY) ?? []).map((row) =>
      number(row, 'total_net_inflow'),
    );
    expect(flows.some((flow) => flow > 0)).toBe(true);
    expect(flows.some((flow) => flow < 0)).toBe(true);
  });
});

describe('ETF history', () => {
  it('accumulates flows to the cent and stays in sensible bounds', () => {
    for (const { ticker } of world.etfs) {
      const rows = history(ticker, SATURDAY);
      for (const row of rows) {
        expect(row['ticker']).toBe(ticker);
        expect(number(row, 'net_assets')).toBeGreaterThan(0);
        expect(number(row, 'currency_share')).toBeGreaterThan(0);
        expect(number(row, 'currency_share')).toBeLessThanOrEqual(1);
        expect(Math.abs(number(row, 'prem_dsc'))).toBeLessThan(0.05);
        expect(number(row, 'value_traded')).toBeGreaterThan(0);
        expect(row['volume']).toBe(String(number(row, 'value_traded')));
      }
      for (const [row, older] of neighbours(rows)) {
        expect(cents(row, 'cum_inflow')).toBe(
          cents(older, 'cum_inflow') + cents(row, 'net_inflow'),
        );
      }
    }
  });

  it('has an unsettled first row on a trading day, which is complete and otherwise the same a day later', () => {
    for (const { ticker } of world.etfs) {
      const [open, ...rest] = history(ticker, WEDNESDAY);
      expect(open?.['date']).toBe('2026-11-18');
      for (const field of T1_FIELDS) expect(open?.[field]).toBeNull();
      expect(number(open, 'value_traded')).toBeGreaterThan(0);
      expect(open?.['volume']).toBe(String(number(open, 'value_traded')));
      expect(rest.every((row) => T1_FIELDS.every((field) => row[field] !== null))).toBe(true);

      const settled = history(ticker, WEDNESDAY + DAY).find((row) => row['date'] === '2026-11-18');
      for (const field of T1_FIELDS) expect(typeof settled?.[field]).toBe('number');
      expect(settled?.['value_traded']).toBe(open?.['value_traded']);
      expect(settled?.['volume']).toBe(open?.['volume']);
    }
  });

  it('settles at midnight UTC', () => {
    const last = Date.parse('2026-11-18T23:59:59.999Z');
    expect(history('IBIT', last)[0]?.['net_inflow']).toBeNull();
    const after = history('IBIT', last + 1);
    expect(after[0]?.['date']).toBe('2026-11-19');
    expect(after[1]?.['net_inflow']).not.toBeNull();
  });

  it.each([
    ['IBIT', '2026-11-21T12:00:00Z', '2026-11-20'],
    ['IBIT', '2026-11-26T12:00:00Z', '2026-11-25'],
    ['3042.HK', '2026-10-19T12:00:00Z', '2026-10-16'],
  ])('of %s at %s begins with the settled row of %s', (ticker, now, date) => {
    const [first] = history(ticker, Date.parse(now));
    expect(first?.['date']).toBe(date);
    expect(first?.['net_inflow']).not.toBeNull();
  });

  it('does not change when the clock moves or when another order of questions is asked', () => {
    const later = createWorld(1);
    for (const { ticker } of world.etfs) {
      const after = later.etfHistory(ticker, WEDNESDAY + 9 * DAY) ?? [];
      const known = new Map(after.map((row) => [row['date'], row]));
      const shared = history(ticker, WEDNESDAY).filter(
        (row) => row['net_inflow'] !== null && known.has(row['date'] ?? ''),
      );
      expect(shared.length).toBeGreaterThan(5);
      for (const row of shared) expect(known.get(row['date'] ?? '')).toEqual(row);
    }
  });
});

describe('ETF snapshot', () => {
  it('holds the latest settled row and a count of shares', () => {
    for (const now of [WEDNESDAY, SATURDAY]) {
      for (const { ticker } of world.etfs) {
        const snapshot = world.etfSnapshot(ticker, now);
        const settled = history(ticker, now).find((row) => row['net_inflow'] !== null);
        for (const field of ['date', ...T1_FIELDS, 'value_traded']) {
          expect(snapshot?.[field]).toBe(settled?.[field]);
        }
        expect(Number.isSafeInteger(snapshot?.['volume'])).toBe(true);
        expect(snapshot?.['volume']).not.toBe(snapshot?.['value_traded']);
      }
    }
  });
});
