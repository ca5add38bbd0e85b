import { DAY } from '../../spec/time.ts';
import { T1_FIELDS } from '../../spec/resources.ts';
import {
  edit,
  endpointIs,
  firstRow,
  onBody,
  onError,
  onRecord,
  onRows,
  onValues,
  put,
} from '../vocabulary.ts';
import { isObject, rowsOf, textOf } from '../json.ts';
import type { Variant } from './variant.ts';

/** A number in plain decimal notation: no exponent. */
export function decimalText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return text.includes('e-') ? value.toFixed(20).replace(/\.?0+$/, '') : BigInt(value).toString();
}

/** Converts epoch milliseconds to ISO 8601 and vice versa, so that the variant always differs. */
const otherFormat = (text: string): string =>
  /^\d+$/.test(text) ? new Date(Number(text)).toISOString() : String(Date.parse(text));

const EXTRA = { trace_id: '5f2b7c', served_from: { region: 'ap-east-1', cache: null } };

const UNSETTLED = Object.fromEntries(T1_FIELDS.map((field) => [field, null]));

const SIXTEEN_HOURS = 16 * 3_600_000;

/** Other forms of values and records (§2). */
export const RECORD_VARIANTS: readonly Variant[] = [
  {
    id: 'decimals-as-strings',
    title: 'Decimals are strings, such as "0.0142"',
    section: '2.2',
    question: 'decimal form',
    hooks: onValues(['bigDecimal'], (value) =>
      typeof value === 'number' ? decimalText(value) : value,
    ),
  },
  {
    id: 'timestamps-other-format',
    title: 'String timestamps are ISO 8601 instead of epoch ms',
    section: '2.1',
    question: 'string timestamps',
    hooks: onValues(['stringTimestamp'], (value) =>
      typeof value === 'string' ? otherFormat(value) : value,
    ),
  },
  {
    id: 'seconds-where-no-unit',
    title: 'Long timestamps without a stated unit are in seconds',
    section: '2.6',
    question: 'unit of other timestamps',
    hooks: onValues(['longTime', 'anyTimestamp'], (value) =>
      typeof value === 'number' ? Math.floor(value / 1000) : value,
    ),
  },
  {
    id: 'volume-as-number',
    title: 'Volume in ETF history is a number of shares, as a JSON number',
    section: '4.4',
    question: 'ETF volume',
    hooks: onRecord(
      'etf-history-row',
      edit('/volume', (value) => Math.ceil(Number(value) / 41)),
    ),
  },
  {
    id: 'extra-fields',
    title: 'Objects contain unspecified fields',
    section: '2.12',
    question: 'extra fields',
    hooks: {
      record: (record) => ({ ...record, ...EXTRA }),
      body: (value) =>
        isObject(value) && rowsOf(value) !== undefined ? { ...value, ...EXTRA } : value,
      ...onError(undefined, (body) => ({ ...body, ...EXTRA })),
    },
  },
  {
    id: 'volume-rounded',
    title: 'The volume string in ETF history has two decimals; value_traded has more',
    section: '4.4',
    question: 'ETF volume',
    hooks: onRecord('etf-history-row', (row) => {
      // A day without trades has no decimals to truncate.
      if (Number(row['value_traded']) === 0) return row;
      const traded = Number(row['value_traded']) + 0.0041;
      return { ...row, value_traded: traded, volume: traded.toFixed(2) };
    }),
  },
  {
    id: 'figures-that-do-not-exist',
    title:
      'Stocks have no price-to-earnings figure, and the newest macro release has no figures yet',
    section: '2.9',
    question: 'figures that cannot exist',
    hooks: [
      onRecord('stock-snapshot', put('/pe_ttm', null)),
      onRecord(
        'macro-history-row',
        firstRow((row) => ({ ...row, actual: null, forecast: null })),
      ),
    ],
  },
  {
    id: 'macro-dates-with-time',
    title: 'Dates of macro rows are ISO 8601 date-times',
    section: '2.10',
    question: 'date of macro rows',
    hooks: onRecord(
      'macro-history-row',
      edit('/date', (date) => `${textOf(date)}T13:30:00Z`),
    ),
  },
  {
    id: 'settles-a-day-later',
    title:
      'An ETF row settles when the next trading day is over, so two rows are sometimes unsettled',
    section: '4.4',
    question: 'unsettled row',
    hooks: {
      world: (world) => ({
        etfHistory: (ticker, now) =>
          world
            .etfHistory(ticker, now)
            ?.map((row) =>
              Date.parse(textOf(row['date'])) >= now - 2 * DAY ? { ...row, ...UNSETTLED } : row,
            ),
      }),
    },
  },
  {
    id: 'settled-only',
    title: 'ETF history contains only settled days',
    section: '4.4',
    question: 'unsettled row',
    hooks: {
      world: (world) => ({
        etfHistory: (ticker, now) =>
          world.etfHistory(ticker, now)?.filter((row) => row['net_inflow'] !== null),
      }),
    },
  },
  {
    id: 'settled-next-afternoon',
    title: 'US ETFs settle at 16:00 UTC of the next day, when the next row appears',
    section: '4.4',
    question: 'unsettled row',
    hooks: {
      world: (world) => {
        const shift = (ticker: string): number =>
          world.etfs.find((etf) => etf.ticker === ticker)?.country === 'US' ? SIXTEEN_HOURS : 0;
        return {
          etfHistory: (ticker, now) => world.etfHistory(ticker, now - shift(ticker)),
          etfSnapshot: (ticker, now) => world.etfSnapshot(ticker, now - shift(ticker)),
        };
      },
    },
  },
  {
    id: 'etf-list-of-tickers',
    title: 'The ETF list contains only tickers',
    section: '2.12',
    question: 'lists without a stated shape',
    hooks: onBody(endpointIs('/etfs'), (value) =>
      (rowsOf(value) ?? []).map((row) => (isObject(row) ? (row['ticker'] ?? null) : row)),
    ),
  },
  {
    id: 'klines-newest-first',
    title: 'Candles are sorted newest first',
    section: '4.1',
    question: 'order of candles',
    hooks: onRows(
      endpointIs('/currencies/{currency_id}/klines', '/crypto-stocks/{stock_ticker}/klines'),
      (rows) => rows.toReversed(),
    ),
  },
  {
    id: 'lists-in-pages',
    title: 'Lists of purpose-only endpoints have a paging envelope',
    section: '4.7',
    question: 'lists without a stated shape',
    hooks: onBody(
      endpointIs('/crypto-stocks', '/indices', '/etfs', '/fundraising/projects', '/currencies'),
      (value) => {
        const rows = rowsOf(value) ?? [];
        return { list: rows, page: 1, page_size: rows.length, total: rows.length };
      },
    ),
  },
  {
    id: 'economics-for-some',
    title:
      'Only every third currency has token economics and fundraising; the others are not found',
    section: '4.1',
    question: 'currencies without token economics or fundraising',
    hooks: {
      world: (world) => {
        const has = (id: string): boolean => world.currencyIds.indexOf(id) % 3 === 2;
        return {
          tokenEconomics: (id) => (has(id) ? world.tokenEconomics(id) : undefined),
          fundraising: (id) => (has(id) ? world.fundraising(id) : undefined),
        };
      },
    },
  },
  {
    id: 'lists-name-entries-otherwise',
    title: 'Lists have a display name first, but paths use a different name',
    section: '4.7',
    question: 'lists without a stated shape',
    hooks: onBody(endpointIs('/currencies'), (value) =>
      (rowsOf(value) ?? []).map((row) =>
        isObject(row)
          ? { id: `c-${textOf(row['symbol'])}`, code: row['currency_id'] ?? null }
          : row,
      ),
    ),
  },
];
