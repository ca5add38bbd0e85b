import { isObject, rowsOf, textOf } from '../json.ts';
import type { Json } from '../world.ts';
import { endpointIs, onBody } from '../vocabulary.ts';
import { dimension, variant, type Dimension } from './choice.ts';

const lists = endpointIs(
  '/crypto-stocks',
  '/crypto-stocks/sector',
  '/indices',
  '/etfs',
  '/fundraising/projects',
  '/currencies',
  '/macro/events',
);

const listed = (change: (rows: readonly Json[]) => Json) =>
  onBody(lists, (value) => change(rowsOf(value) ?? []));

/** The identifier that the path takes, under whatever name a list has it. */
function identifier(row: Json): string {
  if (!isObject(row)) return textOf(row);
  return textOf(
    row['currency_id'] ??
      row['ticker'] ??
      row['project_id'] ??
      row['sector_name'] ??
      row['name'] ??
      '',
  );
}

/** Lists of §4.7, whose shape is not stated, and the calendar. */
export const LISTS: readonly Dimension[] = [
  dimension('lists-without-a-stated-shape', 'rows', {
    'etf-list-of-tickers': variant(
      '2.12',
      'The ETF list contains only tickers',
      onBody(endpointIs('/etfs'), (value) =>
        (rowsOf(value) ?? []).map((row) => (isObject(row) ? (row['ticker'] ?? null) : row)),
      ),
    ),
    'lists-in-pages': variant(
      '4.7',
      'Lists of purpose-only endpoints have a paging envelope',
      onBody(
        endpointIs('/crypto-stocks', '/indices', '/etfs', '/fundraising/projects', '/currencies'),
        (value) => {
          const rows = rowsOf(value) ?? [];
          return { list: rows, page: 1, page_size: rows.length, total: rows.length };
        },
      ),
    ),
    'lists-name-entries-otherwise': variant(
      '4.7',
      'Lists have a display name first, but paths use a different name',
      onBody(endpointIs('/currencies'), (value) =>
        (rowsOf(value) ?? []).map((row) =>
          isObject(row)
            ? { id: `c-${textOf(row['symbol'])}`, code: row['currency_id'] ?? null }
            : row,
        ),
      ),
    ),
    // More of them need a parameter that nobody states.
    'first-ten': onBody(
      endpointIs('/currencies', '/crypto-stocks', '/fundraising/projects', '/etfs'),
      (value) => {
        const rows = rowsOf(value) ?? [];
        return { list: rows.slice(0, 10), page: 1, page_size: 10, total: rows.length };
      },
    ),
    'in-an-object': listed((rows) => ({ items: rows, count: rows.length })),
    'under-data': listed((rows) => ({ data: { rows } })),
    'by-identifier': listed((rows) =>
      Object.fromEntries(rows.map((row) => [identifier(row), row])),
    ),
    'other-field-names': listed((rows) =>
      rows.map((row) =>
        isObject(row) && row['events'] === undefined
          ? { code: identifier(row), label: textOf(row['name'] ?? row['project_name'] ?? '') }
          : row,
      ),
    ),
    // A list for people: what the path takes does not stand in it.
    'display-names-only': listed((rows) =>
      rows.map((row) =>
        isObject(row)
          ? {
              name: textOf(row['name'] ?? row['project_name'] ?? row['sector_name'] ?? 'Something'),
            }
          : row,
      ),
    ),
    'with-other-symbols': listed((rows) =>
      rows.map((row) => (isObject(row) ? { symbol: 'BTC', rank: 1, ...row } : row)),
    ),
    empty: listed(() => []),
    shuffled: listed((rows) => rows.toReversed()),
  }),
  dimension('calendar', 'by-day', {
    flat: onBody(endpointIs('/macro/events'), (value) =>
      (rowsOf(value) ?? []).flatMap((day) =>
        isObject(day) && Array.isArray(day['events'])
          ? day['events'].map((event: Json) => ({ date: day['date'] ?? '', event }))
          : [],
      ),
    ),
    'today-without-events': onBody(endpointIs('/macro/events'), () => []),
    'with-countries': onBody(endpointIs('/macro/events'), (value) =>
      (rowsOf(value) ?? []).flatMap((day) =>
        isObject(day) && Array.isArray(day['events'])
          ? day['events'].map((event: Json) => ({
              id: 'US',
              country: 'US',
              name: event,
              event,
              date: day['date'] ?? '',
              importance: 'high',
            }))
          : [],
      ),
    ),
  }),
];
