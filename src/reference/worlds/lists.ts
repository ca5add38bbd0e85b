import { isObject, rowsOf, textOf } from '../json.ts';
import type { Json } from '../world.ts';
import { endpointIs, onBody } from '../vocabulary.ts';
import type { FurtherAnswers } from './allowed.ts';
import { changing, dimension, type Dimension } from './dimension.ts';

const lists = endpointIs(
  '/crypto-stocks',
  '/crypto-stocks/sector',
  '/indices',
  '/etfs',
  '/fundraising/projects',
  '/currencies',
  '/macro/events',
);

const onRows = (change: (rows: readonly Json[]) => Json) =>
  changing({ hooks: onBody(lists, (value) => change(rowsOf(value) ?? [])) });

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

/** Lists of §4.7, whose shape is not stated. */
export const LIST_ANSWERS: FurtherAnswers = {
  'lists without a stated shape': {
    'in-an-object': onRows((rows) => ({ items: rows, count: rows.length })),
    'under-data': onRows((rows) => ({ data: { rows } })),
    'by-identifier': onRows((rows) =>
      Object.fromEntries(rows.map((row) => [identifier(row), row])),
    ),
    'other-field-names': onRows((rows) =>
      rows.map((row) =>
        isObject(row) && row['events'] === undefined
          ? { code: identifier(row), label: textOf(row['name'] ?? row['project_name'] ?? '') }
          : row,
      ),
    ),
    // A list for people: what the path takes does not stand in it.
    'display-names-only': onRows((rows) =>
      rows.map((row) =>
        isObject(row)
          ? {
              name: textOf(row['name'] ?? row['project_name'] ?? row['sector_name'] ?? 'Something'),
            }
          : row,
      ),
    ),
    'with-other-symbols': onRows((rows) =>
      rows.map((row) => (isObject(row) ? { symbol: 'BTC', rank: 1, ...row } : row)),
    ),
    empty: onRows(() => []),
    shuffled: onRows((rows) => rows.toReversed()),
  },
};

/** What calendars and lists hold besides. */
export const LIST_DIMENSIONS: readonly Dimension[] = [
  dimension('calendar', 'by-day', {
    flat: changing({
      hooks: onBody(endpointIs('/macro/events'), (value) =>
        (rowsOf(value) ?? []).flatMap((day) =>
          isObject(day) && Array.isArray(day['events'])
            ? day['events'].map((event: Json) => ({ date: day['date'] ?? '', event }))
            : [],
        ),
      ),
    }),
    'today-without-events': changing({
      hooks: onBody(endpointIs('/macro/events'), () => []),
    }),
    'with-countries': changing({
      hooks: onBody(endpointIs('/macro/events'), (value) =>
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
  }),
];
