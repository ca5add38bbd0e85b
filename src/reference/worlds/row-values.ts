import { DAY } from '../../spec/time.ts';
import { isTradingDay } from '../../spec/trading-days.ts';
import { stream } from '../data/prng.ts';
import { textOf } from '../json.ts';
import type { JsonObject } from '../world.ts';
import { edit, onRecord } from '../vocabulary.ts';
import { changing, data, dimension, type Choice, type Dimension } from './dimension.ts';

/** A figure that cannot exist is null: allowed, and a should all the same (ruling 3). */
export const NULLS = ['2/null-figures'];

/** Macro rows of releases that are announced for the coming days. */
function announced(rows: readonly JsonObject[], now: number): readonly JsonObject[] {
  const [newest] = rows;
  if (newest === undefined) return rows;
  const date = new Date(now + 3 * DAY).toISOString().slice(0, 10);
  return [{ ...newest, date, actual: null, previous: newest['actual'] ?? null }, ...rows];
}

const macro = (
  change: (rows: readonly JsonObject[], now: number) => readonly JsonObject[],
): Choice =>
  data((world) => ({
    macroHistory(event, now) {
      const rows = world.macroHistory(event, now);
      return rows && change(rows, now);
    },
  }));

/** A number below `kinds` that stays with a pair, whatever its place. */
const kindOfPair = ({ market, base, target }: JsonObject, kinds: number): number =>
  stream(0, 'pair', textOf(market), textOf(base), textOf(target)) % kinds;

const pairs = (change: (rows: readonly JsonObject[]) => readonly JsonObject[]): Choice =>
  data((world) => ({
    pairs(id, now) {
      const rows = world.pairs(id, now);
      return rows && change(rows);
    },
  }));

/** A day on which nobody traded: one in seven. */
const isQuiet = (candle: JsonObject): boolean =>
  Math.floor(Number(candle['timestamp']) / DAY) % 7 === 3;

const etfDays = (
  change: (rows: readonly JsonObject[], country: 'US' | 'HK', now: number) => readonly JsonObject[],
): Choice =>
  data((world) => ({
    etfHistory(ticker, now) {
      const rows = world.etfHistory(ticker, now);
      const country = world.etfs.find((etf) => etf.ticker === ticker)?.country;
      return rows && country ? change(rows, country, now) : rows;
    },
  }));

const UNSETTLED = {
  net_inflow: null,
  cum_inflow: null,
  net_assets: null,
  currency_share: null,
  prem_dsc: null,
};

/** The day before the newest trading day settles only when the next trading day of the country ends. */
function lateSettlement(
  rows: readonly JsonObject[],
  country: 'US' | 'HK',
  now: number,
): readonly JsonObject[] {
  const today = new Date(now).toISOString().slice(0, 10);
  if (!isTradingDay(country, today) || rows[0]?.['date'] !== today) return rows;
  return rows.map((row, index) => (index === 1 ? { ...row, ...UNSETTLED } : row));
}

/** What the rows of candles, macro history, ETF history and pairs look like (§2.4, §2.5, §2.8, §2.10, rulings 2, 3, 17). */
export const ROW_DIMENSIONS: readonly Dimension[] = [
  dimension('quiet-candles', 'none', {
    'no-volume': changing({
      hooks: onRecord('kline', (record) => (isQuiet(record) ? { ...record, volume: 0 } : record)),
    }),
    flat: changing({
      hooks: onRecord('kline', (record) => {
        const { open = 0 } = record;
        return isQuiet(record)
          ? { ...record, high: open, low: open, close: open, volume: 0 }
          : record;
      }),
    }),
    'a-missing-day': data((world) => ({
      currencyKlines: (id, now) =>
        world
          .currencyKlines(id, now)
          ?.filter((row) => Math.floor(Number(row['timestamp']) / DAY) % 41 !== 7),
    })),
  }),
  dimension('macro-rows', 'released', {
    'announced-ones': { ...macro(announced), warns: NULLS },
    'two-a-day': macro((rows) =>
      rows.flatMap((row, index) =>
        index % 6 === 2 ? [row, { ...row, forecast: row['actual'] ?? null }] : [row],
      ),
    ),
    'without-forecast': {
      ...macro((rows) =>
        rows.map((row, index) => (index % 2 === 0 ? { ...row, forecast: null } : row)),
      ),
      warns: NULLS,
    },
    'first-without-previous': {
      ...macro((rows) =>
        rows.map((row, index) => (index === rows.length - 1 ? { ...row, previous: null } : row)),
      ),
      warns: NULLS,
    },
  }),
  dimension('macro-dates', 'days', {
    'with-time': changing({
      hooks: onRecord(
        'macro-history-row',
        edit('/date', (value) => `${textOf(value)}T12:30:00Z`),
      ),
    }),
    'with-slashes': changing({
      hooks: onRecord(
        'macro-history-row',
        edit('/date', (value) => textOf(value).replaceAll('-', '/')),
      ),
    }),
    'epoch-ms': changing({
      hooks: onRecord(
        'macro-history-row',
        edit('/date', (value) => String(Date.parse(textOf(value)))),
      ),
    }),
    compact: changing({
      hooks: onRecord(
        'macro-history-row',
        edit('/date', (value) => textOf(value).replaceAll('-', '')),
      ),
    }),
  }),
  dimension('settlement', 'at-midnight', {
    'two-rows-open': etfDays(lateSettlement),
  }),
  dimension('etf-shares', 'fractions', {
    percent: changing({
      hooks: onRecord('etf-history-row', (record) =>
        record['currency_share'] === null
          ? record
          : {
              ...record,
              currency_share: Number(record['currency_share']) * 100,
              prem_dsc: Number(record['prem_dsc']) * 100,
            },
      ),
    }),
  }),
  dimension('small-rows', 'usual', {
    // ETFs that nobody trades on some days.
    'idle-days': etfDays((rows) =>
      rows.map((row, index) =>
        index > 0 && Math.floor(Date.parse(textOf(row['date'])) / DAY) % 4 === 1
          ? { ...row, value_traded: 0, volume: '0' }
          : row,
      ),
    ),
  }),
  dimension('pair-rows', 'usual', {
    // A pair stays what it is when its place in the list changes.
    'as-quote-currency': pairs((rows) =>
      rows.map((row) =>
        kindOfPair(row, 5) === 0
          ? { ...row, base: row['target'] ?? '', target: row['base'] ?? '' }
          : row,
      ),
    ),
    'without-depth': pairs((rows) =>
      rows.map((row) =>
        kindOfPair(row, 3) === 0
          ? { ...row, cost_to_move_up_usd: 0, cost_to_move_down_usd: 0 }
          : row,
      ),
    ),
  }),
];
