import { describe, expect, it } from 'vitest';
import { DAY } from '../../spec/time.ts';
import { isObject } from '../json.ts';
import type { Json, JsonObject } from '../world.ts';
import {
  neighbours,
  numberOf as number,
  objectOf,
  objectsOf,
  textOf,
} from '../../../test/reference/json-access.ts';
import { createWorld } from './world.ts';
import { WORLD } from '../../../test/kept/data.ts';

const NOW = Date.parse('2026-11-18T15:37:20Z');
const world = WORLD;
const ids = world.currencyIds;
const all = <T extends object>(read: (id: string) => T | undefined): T[] =>
  ids.map(read).filter((one) => one !== undefined);
const idOf = (one: Json, field: string): string => textOf(isObject(one) ? one : undefined, field);

const openCandle = (time: number) => world.currencyKlines(ids[0] ?? '', time)?.at(-1);
const pairs = (id: string, now = NOW) => world.pairs(id, now) ?? [];
const marketOf = (row: JsonObject): string => `${textOf(row, 'market')}/${textOf(row, 'target')}`;

describe('currency ids', () => {
  it('are unique texts of 19 digits', () => {
    expect(ids.length).toBeGreaterThanOrEqual(40);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[1-9]\d{18}$/);
  });

  it('hold two that a double cannot tell apart', () => {
    expect(new Set(ids.map(Number)).size).toBeLessThan(ids.length);
  });

  it('are the ones of the list', () => {
    expect(world.currencyList(NOW).map((one) => idOf(one, 'currency_id'))).toEqual(ids);
  });

  it('give nothing when unknown', () => {
    expect(world.currencyInfo('1')).toBeUndefined();
    expect(world.currencySnapshot('1', NOW)).toBeUndefined();
    expect(world.tokenEconomics('1')).toBeUndefined();
    expect(world.currencyKlines('1', NOW)).toBeUndefined();
    expect(world.pairs('1', NOW)).toBeUndefined();
    expect(world.fundraising('1')).toBeUndefined();
  });
});

describe('klines', () => {
  it.each([NOW, Date.parse('2026-05-31T00:00:00Z'), Date.parse('2028-03-01T23:59:59Z')])(
    'cover three calendar months up to today, one candle a day (now %i)',
    (now) => {
      const rows = world.currencyKlines(ids[0] ?? '', now) ?? [];
      const today = Math.floor(now / DAY) * DAY;
      expect(number(rows.at(-1), 'timestamp')).toBe(today);
      for (const [i, row] of rows.entries()) {
        expect(number(row, 'timestamp')).toBe(today - (rows.length - 1 - i) * DAY);
      }
      expect(rows.length).toBeGreaterThanOrEqual(90);
      expect(rows.length).toBeLessThanOrEqual(93);
    },
  );

  it('keep low <= open, close <= high, and open where the day before closed', () => {
    for (const rows of all((id) => world.currencyKlines(id, NOW))) {
      for (const row of rows) {
        const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((f) =>
          number(row, f),
        );
        expect(low).toBeLessThanOrEqual(Math.min(open ?? 0, close ?? 0));
        expect(high).toBeGreaterThanOrEqual(Math.max(open ?? 0, close ?? 0));
        expect(low).toBeGreaterThan(0);
        expect(number(row, 'volume')).toBeGreaterThan(0);
      }
      for (const [before, after] of neighbours(rows)) {
        expect(number(after, 'open')).toBe(number(before, 'close'));
      }
    }
  });

  it('do not change when the clock moves', () => {
    for (const id of ids.slice(0, 5)) {
      const before = world.currencyKlines(id, NOW) ?? [];
      const after = createWorld(1).currencyKlines(id, NOW + 5 * DAY) ?? [];
      // The last candle was still open.
      expect(after.slice(0, -6)).toEqual(before.slice(-1 - (after.length - 6), -1));
    }
  });

  it('let the open candle grow only outwards', () => {
    const [early, late] = [openCandle(NOW - 6 * 3_600_000), openCandle(NOW)];
    expect(number(late, 'open')).toBe(number(early, 'open'));
    expect(number(late, 'high')).toBeGreaterThanOrEqual(number(early, 'high'));
    expect(number(late, 'low')).toBeLessThanOrEqual(number(early, 'low'));
    expect(number(late, 'volume')).toBeGreaterThan(number(early, 'volume'));
  });
});

describe('snapshots', () => {
  it.each([NOW, NOW + 40_000, NOW + 977 * 60_000])(
    'agree with themselves and with klines (now %i)',
    (now) => {
      for (const id of ids) {
        const row = world.currencySnapshot(id, now);
        const last = world.currencyKlines(id, now)?.at(-1);
        const price = number(row, 'price');
        expect(price).toBe(number(last, 'close'));
        expect(number(row, 'high_24h')).toBeGreaterThanOrEqual(price);
        expect(number(row, 'low_24h')).toBeLessThanOrEqual(price);
        expect(number(row, 'high_24h')).toBeGreaterThanOrEqual(number(last, 'high'));
        expect(number(row, 'low_24h')).toBeLessThanOrEqual(number(last, 'low'));
        expect(number(row, 'ath')).toBeGreaterThanOrEqual(number(row, 'high_24h'));
        expect(number(row, 'cycle_low')).toBeLessThanOrEqual(number(row, 'low_24h'));
        const cap = price * Number(row?.['circulating_supply']);
        expect(Math.abs(number(row, 'marketcap') / cap - 1)).toBeLessThan(1e-9);
        expect(number(row, 'fdv')).toBeGreaterThanOrEqual(number(row, 'marketcap'));
        expect(Number(row?.['ath_date'])).toBeLessThanOrEqual(now);
        expect(Number(row?.['cycle_low_date'])).toBeLessThanOrEqual(now);
      }
    },
  );

  it('keep ath above and cycle_low below every candle', () => {
    for (const id of ids) {
      const row = world.currencySnapshot(id, NOW);
      for (const candle of world.currencyKlines(id, NOW) ?? []) {
        expect(number(row, 'ath')).toBeGreaterThanOrEqual(number(candle, 'high'));
        expect(number(row, 'cycle_low')).toBeLessThanOrEqual(number(candle, 'low'));
      }
    }
  });

  it('rank by market capitalization', () => {
    const rows = all((id) => world.currencySnapshot(id, NOW));
    const byRank = rows.toSorted(
      (a, b) => number(a, 'marketcap_rank') - number(b, 'marketcap_rank'),
    );
    expect(byRank.map((row) => number(row, 'marketcap_rank'))).toEqual(rows.map((_, i) => i + 1));
    const caps = byRank.map((row) => number(row, 'marketcap'));
    expect(caps).toEqual(caps.toSorted((a, b) => b - a));
  });

  it('show every optional form', () => {
    const rows = all((id) => world.currencySnapshot(id, NOW));
    for (const [field, empty] of [
      ['max_supply', null],
      ['down_from_ath', ''],
      ['up_from_cycle_low', ''],
    ] as const) {
      const values = rows.map((row) => row[field]);
      expect(values).toContain(empty);
      expect(values.some((value) => typeof value === 'string' && value !== '')).toBe(true);
    }
    const atHigh = rows.filter((row) => row['down_from_ath'] === '');
    expect(atHigh.map((row) => row['ath'])).toEqual(atHigh.map((row) => row['price']));
    const atLow = rows.filter((row) => row['up_from_cycle_low'] === '');
    expect(atLow.map((row) => row['cycle_low'])).toEqual(atLow.map((row) => row['price']));
  });
});

describe('pairs', () => {
  it('are many for the first currency, some and few for others', () => {
    const counts = ids.map((id) => pairs(id).length);
    expect(counts[0]).toBeGreaterThan(250);
    expect(counts.some((count) => count < 20)).toBe(true);
    expect(counts.some((count) => count >= 20 && count <= 100)).toBe(true);
    expect(new Set(pairs(ids[0] ?? '').map((row) => row['market'])).size).toBeGreaterThanOrEqual(8);
  });

  it('stand in strictly descending turnover, each market and target once', () => {
    for (const id of ids) {
      const rows = pairs(id);
      for (const [row, next] of neighbours(rows)) {
        expect(number(next, 'turnover_24h')).toBeLessThan(number(row, 'turnover_24h'));
      }
      for (const row of rows) {
        for (const field of [
          'price',
          'turnover_24h',
          'cost_to_move_up_usd',
          'cost_to_move_down_usd',
        ]) {
          expect(number(row, field)).toBeGreaterThan(0);
        }
      }
      expect(new Set(rows.map(marketOf)).size).toBe(rows.length);
      const known = new Set<unknown>(world.exchanges);
      expect(rows.every((row) => known.has(row['market']))).toBe(true);
    }
  });

  it('sum to the turnover of the currency and quote its price', () => {
    for (const id of ids) {
      const rows = pairs(id);
      const snapshot = world.currencySnapshot(id, NOW);
      const sum = rows.reduce((total, row) => total + number(row, 'turnover_24h'), 0);
      expect(Math.abs(sum / number(snapshot, 'turnover_24h') - 1)).toBeLessThan(1e-6);
      for (const row of rows.filter((one) => one['target'] === 'USDT' || one['target'] === 'USD')) {
        expect(Math.abs(number(row, 'price') / number(snapshot, 'price') - 1)).toBeLessThan(0.002);
      }
    }
  });

  it('keep their order within a day', () => {
    expect(pairs(ids[0] ?? '', NOW + 3_600_000).map(marketOf)).toEqual(
      pairs(ids[0] ?? '').map(marketOf),
    );
  });
});

describe('info, economics and fundraising', () => {
  it('carry the id that was asked for and stay the same', () => {
    for (const id of ids) {
      expect(world.currencyInfo(id)?.['currency_id']).toBe(id);
      expect(createWorld(1).currencyInfo(id)).toEqual(world.currencyInfo(id));
    }
  });

  it('allocate 100 percent and lock what does not circulate', () => {
    for (const row of all((id) => world.tokenEconomics(id))) {
      const shares = objectsOf(row, 'token_allocation');
      const sum = shares.reduce((total, one) => total + number(one, 'percentage'), 0);
      expect(sum).toBeCloseTo(100, 6);
    }
    const timelines = all((id) => world.tokenEconomics(id)).map((row) => row['unlock_timeline']);
    expect(timelines).toContain(null);
    expect(timelines.some((one) => Array.isArray(one) && one.length > 0)).toBe(true);
  });

  it('hold rounds with and without valuation, investment dates and their absence', () => {
    const rows = all((id) => world.fundraising(id));
    expect(rows.length).toBe(ids.length);
    const rounds = rows.flatMap((row) => objectsOf(row, 'fundraising_rounds'));
    expect(rounds.some((round) => round['valuation'] === null)).toBe(true);
    expect(rounds.some((round) => typeof round['valuation'] === 'string')).toBe(true);
    const dates = rows.map((row) => objectOf(row, 'investment_stats')['last_invest_date']);
    expect(dates).toContain(null);
    expect(dates.some((date) => typeof date === 'number')).toBe(true);
    for (const row of rows) {
      const stats = objectOf(row, 'investment_stats');
      expect(stats['total_rounds']).toBe(objectsOf(row, 'fundraising_rounds').length);
      expect(stats['portfolio_count']).toBe(objectsOf(row, 'portfolio').length);
      for (const one of objectsOf(row, 'portfolio')) {
        expect(world.projectIds).toContain(one['project_id']);
      }
    }
  });

  it.each([1, 2, 3, 4])('fill every list for the first three currencies (seed %i)', (seed) => {
    const other = createWorld(seed);
    for (const row of other.currencyIds.slice(0, 3).map((id) => other.fundraising(id))) {
      for (const field of ['fundraising_rounds', 'investors', 'team', 'portfolio']) {
        expect(objectsOf(row, field).length).toBeGreaterThan(0);
      }
    }
  });

  it('list every project and describe it', () => {
    const listed = world.fundraisingProjects(NOW).map((one) => idOf(one, 'project_id'));
    expect(listed).toEqual(world.projectIds);
    for (const id of world.projectIds) {
      expect(world.fundraisingProject(id, NOW)?.['project_id']).toBe(id);
    }
    expect(world.fundraisingProject('1', NOW)).toBeUndefined();
  });
});
