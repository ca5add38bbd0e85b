import { describe, expect, it } from 'vitest';
import { DAY } from '../../spec/time.ts';
import { isTradingDay } from '../../spec/trading-days.ts';
import { isObject } from '../json.ts';
import type { Json, JsonObject } from '../world.ts';
import {
  listOf,
  neighbours,
  numberOf as number,
  textOf,
} from '../../../test/reference/json-access.ts';
import { createWorld } from './world.ts';
import { WORLD } from '../../../test/kept/data.ts';

const OPEN = Date.parse('2026-11-18T15:37:20Z');
const SUNDAY = Date.parse('2026-11-22T15:37:20Z');
const EARLY = Date.parse('2026-11-18T03:00:00Z');
const world = WORLD;
const field = (rows: readonly Json[], name: string): unknown[] =>
  rows.map((row) => (isObject(row) ? row[name] : undefined));
const iso = (row: JsonObject | undefined): string =>
  new Date(number(row, 'timestamp')).toISOString().slice(0, 10);

describe('crypto stocks', () => {
  it('have candles on trading days only, the newest one today while trading goes on', () => {
    for (const ticker of world.stockTickers) {
      const rows = world.stockKlines(ticker, OPEN) ?? [];
      expect(rows.length).toBeGreaterThanOrEqual(60);
      expect(rows.every((row) => isTradingDay('US', iso(row)))).toBe(true);
      expect(iso(rows.at(-1))).toBe('2026-11-18');
      for (const [i, row] of rows.entries()) {
        const [open, close] = [number(row, 'open'), number(row, 'close')];
        expect(number(row, 'low')).toBeLessThanOrEqual(Math.min(open, close));
        expect(number(row, 'high')).toBeGreaterThanOrEqual(Math.max(open, close));
        expect(number(row, 'timestamp')).toBeGreaterThan(
          number(rows[i - 1] ?? { timestamp: 0 }, 'timestamp'),
        );
      }
    }
    expect(iso(world.stockKlines('COIN', EARLY)?.at(-1))).toBe('2026-11-17');
    expect(iso(world.stockKlines('COIN', SUNDAY)?.at(-1))).toBe('2026-11-20');
  });

  it.each([OPEN, EARLY, SUNDAY])(
    'have snapshots that agree with their last candle (now %i)',
    (now) => {
      for (const ticker of world.stockTickers) {
        const row = world.stockSnapshot(ticker, now);
        const last = world.stockKlines(ticker, now)?.at(-1);
        expect(row?.['mkt_status']).toBe(now === OPEN ? 'open' : 'close');
        expect(number(row, 'mkt_price')).toBe(number(last, 'close'));
        expect(number(row, 'volume')).toBe(number(last, 'volume'));
        expect(number(row, 'timestamp')).toBeLessThanOrEqual(now);
        expect(number(row, 'circulating_shares')).toBeLessThanOrEqual(number(row, 'total_shares'));
        expect(number(row, 'total_marketcap')).toBeCloseTo(
          number(row, 'mkt_price') * number(row, 'total_shares'),
          0,
        );
        expect(Math.sign(number(row, 'pe_ttm'))).not.toBe(0);
        expect(number(row, 'pb')).not.toBe(0);
      }
    },
  );

  it('keep old candles when the clock moves', () => {
    const before = world.stockKlines('MSTR', OPEN)?.slice(0, -1) ?? [];
    const after = createWorld(1).stockKlines('MSTR', OPEN + 6 * DAY) ?? [];
    const known = new Map(after.map((row) => [row['timestamp'], row]));
    const shared = before.filter((row) => known.has(row['timestamp'] ?? 0));
    expect(shared.length).toBeGreaterThan(50);
    for (const row of shared) expect(known.get(row['timestamp'] ?? 0)).toEqual(row);
  });

  it('are listed, sorted into sectors, and have histories of worth', () => {
    expect(field(world.stockList(OPEN), 'ticker')).toEqual(world.stockTickers);
    expect(field(world.stockSectors(OPEN), 'sector_name')).toEqual(world.sectorNames);
    for (const name of world.sectorNames) {
      const rows = world.sectorIndex(name, OPEN) ?? [];
      expect(rows.length).toBeGreaterThan(55);
      expect(rows.every((row) => number(row, 'value') > 0)).toBe(true);
    }
    const caps = world.stockMarketCap('COIN', OPEN) ?? [];
    expect(iso(caps.at(-1))).toBe('2026-11-17');
    expect(world.stockMarketCap('NONE', OPEN)).toBeUndefined();
    expect(world.stockSnapshot('NONE', OPEN)).toBeUndefined();
    expect(world.stockKlines('NONE', OPEN)).toBeUndefined();
    expect(world.sectorIndex('NONE', OPEN)).toBeUndefined();
  });
});

describe('indices', () => {
  it('have weights that sum to 100 and constituents that exist', () => {
    expect(field(world.indexList(OPEN), 'index_ticker')).toEqual(world.indexTickers);
    for (const ticker of world.indexTickers) {
      const rows = world.indexConstituents(ticker, OPEN) ?? [];
      expect(rows.reduce((sum, row) => sum + number(row, 'weight'), 0)).toBeCloseTo(100, 8);
      expect(rows.every((row) => number(row, 'weight') > 0)).toBe(true);
      for (const id of field(rows, 'currency_id')) expect(world.currencyIds).toContain(id);
    }
    expect(world.indexConstituents('NONE', OPEN)).toBeUndefined();
  });

  it('have snapshots that agree with their klines', () => {
    for (const ticker of world.indexTickers) {
      const row = world.indexSnapshot(ticker, OPEN);
      const candles = world.indexKlines(ticker, OPEN) ?? [];
      expect(candles.length).toBeGreaterThanOrEqual(90);
      expect(number(row, 'price')).toBe(number(candles.at(-1), 'close'));
      expect(number(row, 'high_24h')).toBeGreaterThanOrEqual(number(row, 'price'));
      expect(number(row, 'low_24h')).toBeLessThanOrEqual(number(row, 'price'));
      for (const candle of candles) {
        expect(number(candle, 'low')).toBeLessThanOrEqual(
          Math.min(number(candle, 'open'), number(candle, 'close')),
        );
        expect(number(candle, 'high')).toBeGreaterThanOrEqual(
          Math.max(number(candle, 'open'), number(candle, 'close')),
        );
      }
    }
  });
});

describe('macro events', () => {
  it('have more than 130 released rows, newest first, each with the value before it', () => {
    for (const event of world.macroEvents) {
      const rows = world.macroHistory(event, OPEN) ?? [];
      expect(rows.length).toBeGreaterThanOrEqual(130);
      const dates = rows.map((row) => textOf(row, 'date'));
      expect(dates).toEqual([...new Set(dates)].toSorted().toReversed());
      expect((dates[0] ?? '') <= '2026-11-18').toBe(true);
      for (const row of rows) {
        expect(Number.isFinite(number(row, 'actual'))).toBe(true);
        expect(Number.isFinite(number(row, 'forecast'))).toBe(true);
      }
      for (const [row, older] of neighbours(rows)) {
        expect(number(row, 'previous')).toBe(number(older, 'actual'));
      }
    }
    expect(world.macroHistory('NONE', OPEN)).toBeUndefined();
  });

  it('keep released rows when the clock moves', () => {
    for (const event of world.macroEvents) {
      const before = world.macroHistory(event, OPEN)?.slice(0, 100) ?? [];
      const after = createWorld(1).macroHistory(event, OPEN + 40 * DAY) ?? [];
      const known = new Map(after.map((row) => [row['date'], row]));
      for (const row of before) expect(known.get(row['date'] ?? '')).toEqual(row);
    }
  });

  it('stand in a calendar, newest date first, on the dates of their histories', () => {
    const calendar = world.macroCalendar(OPEN).filter(isObject);
    const dates = field(calendar, 'date').map(String);
    expect(dates).toEqual(dates.toSorted().toReversed());
    for (const entry of calendar) {
      const date = textOf(entry, 'date');
      if (date > '2026-11-18') continue;
      for (const event of listOf(entry, 'events').map(String)) {
        expect(world.macroHistory(event, OPEN)?.some((row) => row['date'] === date)).toBe(true);
      }
    }
  });
});

describe('charts', () => {
  it('have data with exactly the fields of their metadata', () => {
    expect(field(world.charts(), 'chart_name')).toEqual(world.chartNames);
    for (const chart of world.charts()) {
      const rows = world.chartData(textOf(chart, 'chart_name'), OPEN) ?? [];
      const names = field(listOf(chart, 'fields'), 'name');
      expect(names).toContain(chart['time_field']);
      expect(rows.length).toBeGreaterThan(15);
      for (const row of rows) expect(Object.keys(row)).toEqual(names);
    }
    expect(world.chartData('none', OPEN)).toBeUndefined();
  });
});
