import { isObject, rowsOf, textOf } from '../json.ts';
import type { Json, JsonObject } from '../world.ts';
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

const listed = (change: (rows: readonly Json[]) => Json, when = lists) =>
  onBody(when, (value) => change(rowsOf(value) ?? []));

/** Changes the entries of lists that are objects. */
const entries = (change: (row: JsonObject) => Json, when = lists) =>
  listed((rows) => rows.map((row) => (isObject(row) ? change(row) : row)), when);

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
      'The ETF list contains only tickers',
      entries((row) => row['ticker'] ?? null, endpointIs('/etfs')),
    ),
    'lists-in-pages': variant(
      'Lists of purpose-only endpoints have a paging envelope',
      listed(
        (list) => ({ list, page: 1, page_size: list.length, total: list.length }),
        endpointIs('/crypto-stocks', '/indices', '/etfs', '/fundraising/projects', '/currencies'),
      ),
    ),
    'lists-name-entries-otherwise': variant(
      'Lists have a display name first, but paths use a different name',
      entries(
        ({ symbol, currency_id = null }) => ({ id: `c-${textOf(symbol)}`, code: currency_id }),
        endpointIs('/currencies'),
      ),
    ),
    'in-an-object': listed((rows) => ({ items: rows, count: rows.length })),
    'under-data': listed((rows) => ({ data: { rows } })),
    'by-identifier': listed((rows) =>
      Object.fromEntries(rows.map((row) => [identifier(row), row])),
    ),
    // A list for people: what the path takes does not stand in it.
    'display-names-only': entries((row) => ({
      name: textOf(row['name'] ?? row['project_name'] ?? row['sector_name'] ?? 'Something'),
    })),
    shuffled: listed((rows) => rows.toReversed()),
  }),
  dimension('calendar', 'by-day', {
    'today-without-events': onBody(endpointIs('/macro/events'), () => []),
  }),
];
