import { T1_FIELDS } from '../../spec/resources.ts';
import { DAY } from '../../spec/time.ts';
import { stream } from '../data/prng.ts';
import { textOf } from '../json.ts';
import { edit, endpointIs, firstRow, onField, onRecord, onRows, put } from '../vocabulary.ts';
import type { JsonObject } from '../world.ts';
import { dimension, series, variant, type Dimension } from './choice.ts';

/** A number below `kinds` that stays with a pair, whatever its position. */
const kindOfPair = ({ market, base, target }: JsonObject, kinds: number): number =>
  stream(0, 'pair', textOf(market), textOf(base), textOf(target)) % kinds;

/** A day on which nobody traded: one in seven. */
const isQuiet = (candle: JsonObject): boolean =>
  Math.floor(Number(candle['timestamp']) / DAY) % 7 === 3;

const UNSETTLED = Object.fromEntries(T1_FIELDS.map((field) => [field, null]));

const SIXTEEN_HOURS = 16 * 3_600_000;

/** What the rows of candles, macro history, ETF history and pairs look like (§2.4, §2.5, §2.8, §2.10, rulings 2, 3, 17). */
export const ROWS: readonly Dimension[] = [
  dimension('quiet-candles', 'none', {
    'no-volume': onRecord('kline', (record) =>
      isQuiet(record) ? { ...record, volume: 0 } : record,
    ),
    flat: onRecord('kline', (record) => {
      const { open = 0 } = record;
      return isQuiet(record)
        ? { ...record, high: open, low: open, close: open, volume: 0 }
        : record;
    }),
    'a-missing-day': series('currencyKlines', (rows) =>
      rows.filter((row) => Math.floor(Number(row['timestamp']) / DAY) % 41 !== 7),
    ),
  }),
  dimension('macro-dates', 'days', {
    'macro-dates-with-time': variant(
      'Dates of macro rows are ISO 8601 date-times',
      onField('macro-history-row', '/date', (date) => `${textOf(date)}T13:30:00Z`),
    ),
    'with-slashes': onField('macro-history-row', '/date', (value) =>
      textOf(value).replaceAll('-', '/'),
    ),
  }),
  dimension('unsettled-row', 'until-midnight', {
    'settles-a-day-later': variant(
      'An ETF row settles when the next trading day is over, so two rows are sometimes unsettled',
      series('etfHistory', (rows, now) =>
        rows.map((row) =>
          Date.parse(textOf(row['date'])) >= now - 2 * DAY ? { ...row, ...UNSETTLED } : row,
        ),
      ),
    ),
    'settled-only': variant(
      'ETF history contains only settled days',
      series('etfHistory', (rows) => rows.filter((row) => row['net_inflow'] !== null)),
    ),
    'settled-next-afternoon': variant(
      'US ETFs settle at 16:00 UTC of the next day, when the next row appears',
      {
        world: (world) => {
          const shift = (ticker: string): number =>
            world.etfs.find((etf) => etf.ticker === ticker)?.country === 'US' ? SIXTEEN_HOURS : 0;
          return {
            etfHistory: (ticker, now) => world.etfHistory(ticker, now - shift(ticker)),
            etfSnapshot: (ticker, now) => world.etfSnapshot(ticker, now - shift(ticker)),
          };
        },
      },
    ),
  }),
  dimension('etf-shares', 'fractions', {
    percent: onRecord('etf-history-row', (record) =>
      record['currency_share'] === null
        ? record
        : {
            ...record,
            currency_share: Number(record['currency_share']) * 100,
            prem_dsc: Number(record['prem_dsc']) * 100,
          },
    ),
  }),
  dimension('small-rows', 'usual', {
    // ETFs that nobody trades on some days.
    'idle-days': series('etfHistory', (rows) =>
      rows.map((row, index) =>
        index > 0 && Math.floor(Date.parse(textOf(row['date'])) / DAY) % 4 === 1
          ? { ...row, value_traded: 0, volume: '0' }
          : row,
      ),
    ),
  }),
  dimension('figures-that-cannot-exist', 'there', {
    'figures-that-do-not-exist': variant(
      'Stocks have no price-to-earnings figure, and the newest macro release has no figures yet',
      {
        hooks: [
          onRecord('stock-snapshot', put('/pe_ttm', null)),
          onRecord(
            'macro-history-row',
            firstRow((row) => ({ ...row, actual: null, forecast: null })),
          ),
        ],
      },
    ),
  }),
  dimension('ETF-volume', 'text-of-value', {
    'volume-as-number': variant(
      'Volume in ETF history is a number of shares, as a JSON number',
      onField('etf-history-row', '/volume', (value) => Math.ceil(Number(value) / 41)),
    ),
    'volume-rounded': variant(
      'The volume string in ETF history has two decimals; value_traded has more',
      onRecord('etf-history-row', (row) => {
        // A day without trades has no decimals to truncate.
        if (Number(row['value_traded']) === 0) return row;
        const traded = Number(row['value_traded']) + 0.0041;
        return { ...row, value_traded: traded, volume: traded.toFixed(2) };
      }),
    ),
  }),
  dimension('timestamp-of-candles', 'midnight', {
    'candles-stamped-at-close': variant(
      'The timestamp of a candle is its last millisecond',
      onField('kline', '/timestamp', (value) => Number(value) + DAY - 1),
    ),
    // Midnight of New York, which is four or five hours later, as summer time has it.
    'midnight-of-new-york': onRecord(
      'kline',
      edit('/timestamp', (value) => {
        const month = new Date(Number(value)).getUTCMonth();
        return Number(value) + (month >= 3 && month <= 9 ? 4 : 5) * 3_600_000;
      }),
      endpointIs('/crypto-stocks/{stock_ticker}/klines'),
    ),
  }),
  dimension('order-of-candles', 'oldest-first', {
    'klines-newest-first': variant(
      'Candles are sorted newest first',
      onRows(
        endpointIs('/currencies/{currency_id}/klines', '/crypto-stocks/{stock_ticker}/klines'),
        (rows) => rows.toReversed(),
      ),
    ),
  }),
  dimension('order-of-macro-rows', 'newest-first', {
    'macro-oldest-first': variant(
      'Macro history is sorted oldest first',
      onRows(endpointIs('/macro/events/{event}/history'), (rows) => rows.toReversed()),
    ),
  }),
  dimension('pair-rows', 'usual', {
    // A pair stays what it is when its position in the list changes.
    'as-quote-currency': series('pairs', (rows) =>
      rows.map((row) =>
        kindOfPair(row, 5) === 0
          ? { ...row, base: row['target'] ?? '', target: row['base'] ?? '' }
          : row,
      ),
    ),
    'without-depth': series('pairs', (rows) =>
      rows.map((row) =>
        kindOfPair(row, 3) === 0
          ? { ...row, cost_to_move_up_usd: 0, cost_to_move_down_usd: 0 }
          : row,
      ),
    ),
  }),
];
