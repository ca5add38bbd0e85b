import { ENDPOINT_PATHS, endpoint as factsOf } from '../../spec/endpoints.ts';
import type { EndpointPath } from '../../spec/endpoints.ts';
import type { Context, Hooks } from '../hooks.ts';
import { afterPage, all, asked, endpointIs, onPage, onQuery, onRows } from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import { changePage, crashingBeyondLast } from '../../../suites/families/pages/paging-faults.ts';
import type { Json } from '../world.ts';
import { entriesOf, faultsOn, nameOf, sectionOf, SHOULD, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { forEntity } from './words.ts';

/** Which requests show a defect of a list. */
interface Where {
  readonly name: string;
  readonly says: string;
  readonly when: Condition;
}

type RowsChange = (rows: readonly Json[], context: Context) => readonly Json[];

const swapped = (rows: readonly Json[], at: number): readonly Json[] => {
  const [one, other] = [rows[at], rows[at + 1]];
  return one === undefined || other === undefined
    ? rows
    : [...rows.slice(0, at), other, one, ...rows.slice(at + 2)];
};

const repeated = (rows: readonly Json[], at: number): readonly Json[] =>
  rows.flatMap((row, index) => (index === at ? [row, row] : [row]));

/** Endpoints whose order a clause states or implies. */
const ORDERED: readonly EndpointPath[] = [
  '/etfs/summary-history',
  '/etfs/{ticker}/history',
  '/currencies/{currency_id}/pairs',
];
/** Series in some order: mixing it violates a should. */
const SERIES: readonly EndpointPath[] = [
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/klines',
];

/** Changes of rows: the end of an id, what titles say, and the change. */
type RowDefect = readonly [name: string, says: string, change: RowsChange];

const ORDER: readonly RowDefect[] = [
  ['first-two-swapped', 'has its first two rows swapped', (rows) => swapped(rows, 0)],
  [
    'middle-swapped',
    'has two rows in the middle swapped',
    (rows) => swapped(rows, Math.floor(rows.length / 2)),
  ],
  [
    'last-two-swapped',
    'has its last two rows swapped',
    (rows) => (rows.length < 2 ? rows : swapped(rows, rows.length - 2)),
  ],
  ['last-first', 'has its last row first', (rows) => [...rows.slice(-1), ...rows.slice(0, -1)]],
];
const REVERSED: RowDefect = ['reversed', 'is in reverse order', (rows) => rows.toReversed()];
const REPEATED: readonly RowDefect[] = [
  ['first-twice', 'has its first row twice', (rows) => repeated(rows, 0)],
  ['last-twice', 'has its last row twice', (rows) => repeated(rows, rows.length - 1)],
];

/** The parameter with which a range begins. */
const rangeOf = (path: EndpointPath): string | undefined =>
  Object.keys(factsOf(path).query).find((name) => name.startsWith('start_'));

function wheresOf(path: EndpointPath): readonly Where[] {
  const here = endpointIs(path);
  const { query, path: parameters } = factsOf(path);
  const ranged = rangeOf(path);
  const wheres: readonly (Where | false)[] = [
    { name: '', says: '', when: here },
    Object.keys(parameters).length > 0 && {
      name: '/one-entity',
      says: ' for the second entity only',
      when: forEntity(path, 1),
    },
    'limit' in query && {
      name: '/with-limit',
      says: ' when limit is sent',
      when: all(here, asked('limit')),
    },
    'page' in query && { name: '/page-2', says: ' on page 2 only', when: all(here, onPage(2)) },
    ranged !== undefined && {
      name: '/in-range',
      says: ' when a range is sent',
      when: all(here, asked(ranged)),
    },
  ];
  return wheres.filter((where) => where !== false);
}

const rowEntries = (
  path: EndpointPath,
  defects: readonly RowDefect[],
  level: 'must' | 'should',
): readonly OperatorEntry[] =>
  wheresOf(path).flatMap((where) =>
    defects.map(([name, says, change]): OperatorEntry => ({
      at: `${slugOf(path)}/${name}${where.name}`,
      title: `${nameOf(path)} ${says}${where.says}`,
      ...(level === 'should' && SHOULD),
      hooks: onRows(where.when, change),
    })),
  );

/** Rows wrongly omitted by a limit or a range. */
function gapEntries(path: EndpointPath): readonly (OperatorEntry | false)[] {
  const entry = entriesOf(`${slugOf(path)}/`, `${nameOf(path)} `);
  const ranged = rangeOf(path);
  const without = (parameter: string, indexFor: (length: number) => number): Hooks =>
    onRows(all(endpointIs(path), asked(parameter)), (rows) =>
      rows.filter((_row, index) => rows.length < 3 || index !== indexFor(rows.length)),
    );
  return [
    'limit' in factsOf(path).query &&
      entry(
        'hole-in-limit',
        'with limit has a gap in the middle',
        without('limit', () => 1),
        SHOULD,
      ),
    ranged !== undefined &&
      entry(
        'hole-in-range',
        'with a range has a gap in the middle',
        without(ranged, (length) => Math.floor(length / 2)),
      ),
    ranged !== undefined &&
      entry(
        'empty-range',
        'returns nothing for any range',
        onRows(all(endpointIs(path), asked(ranged)), () => []),
      ),
  ];
}

/**
 * Moves the rows of every page but the first by one: `back` shows the last row of the page before again, else one row is
 * left out between them. The list grows or shrinks at its front for one request; `total` stays.
 */
function sliding(path: EndpointPath, back: boolean): readonly Hooks[] {
  const later = all(endpointIs(path), afterPage(1));
  let moves = false;
  const moved = <Row>(rows: readonly Row[]): readonly Row[] => {
    if (!moves) return rows;
    return back ? [...rows.slice(0, 1), ...rows] : rows.slice(1);
  };
  return [
    {
      query(query, context) {
        moves = later(context);
        return query;
      },
      world: (world) => ({
        news: (now) => moved(world.news(now)),
        featuredNews: (now) => moved(world.featuredNews(now)),
        pairs(currencyId, now) {
          const rows = world.pairs(currencyId, now);
          return rows && moved(rows);
        },
      }),
    },
    changePage(later, (_rows, total) => ({ total: total + (back ? -1 : 1) })),
  ];
}

/** Defects of pages and their envelope. */
function pageEntries(path: EndpointPath): readonly OperatorEntry[] {
  const here = endpointIs(path);
  const entry = entriesOf(`${slugOf(path)}/`, `${nameOf(path)}: `);
  const later = all(here, afterPage(1));
  const late = all(here, afterPage(2));
  const envelope = (
    name: string,
    says: string,
    when: Condition,
    change: Parameters<typeof changePage>[1],
  ): OperatorEntry => entry(name, says, changePage(when, change));
  const total = (
    name: string,
    says: string,
    when: Condition,
    count: (sum: number, rows: number) => number,
  ): OperatorEntry =>
    envelope(name, says, when, (rows, sum) => ({ total: count(sum, rows.length) }));
  return [
    total('total-of-page', 'total counts only the rows on the page', here, (_sum, on) => on),
    total('total-one-more', 'total is one too many', here, (sum) => sum + 1),
    total('total-one-less', 'total is one too few', here, (sum) => sum - 1),
    total('total-pages', 'total counts pages of 20', here, (sum) => Math.ceil(sum / 20)),
    total('total-zero', 'total is 0', here, () => 0),
    total('total-capped', 'total is at most 100', here, (sum) => Math.min(100, sum)),
    total(
      'total-left',
      'total counts the remaining rows from page 2 on',
      later,
      (sum, on) => sum - on,
    ),
    total('total-drifts', 'total is one too many from page 2 on', later, (sum) => sum + 1),
    total('total-drifts-late', 'total is one too many from page 3 on', late, (sum) => sum + 1),
    envelope('page-drifts-late', 'page is echoed as 2 from page 3 on', late, () => ({ page: 2 })),
    envelope('page-size-drifts-late', 'page_size is echoed as 21 from page 3 on', late, () => ({
      page_size: 21,
    })),
    entry('beyond-last', 'a page beyond the last one returns 500', crashingBeyondLast(path)),
    envelope('page-from-0', 'page is echoed from 0', here, () => ({ page: 0 })),
    envelope('page-always-1', 'page is echoed as 1 from page 2 on', later, () => ({ page: 1 })),
    envelope('page-size-20', 'page_size is echoed as 20', here, () => ({ page_size: 20 })),
    envelope(
      'page-size-rows',
      'page_size is echoed as the number of rows on the page',
      later,
      (rows) => ({
        page_size: rows.length + 1,
      }),
    ),
    entry(
      'overlap',
      'pages from the second on start with the last row of the previous one',
      sliding(path, true),
    ),
    entry('gap', 'a row is missing between two pages', sliding(path, false)),
    entry('page-2-again', 'page 2 has the rows of page 1', [
      onQuery(all(here, onPage(2)), (query) => query.set('page', '1')),
      changePage(all(here, onPage(2)), () => ({ page: 2 })),
    ]),
    entry('page-3-again', 'page 3 has the rows of page 2', [
      onQuery(all(here, onPage(3)), (query) => query.set('page', '2')),
      changePage(all(here, onPage(3)), () => ({ page: 3 })),
    ]),
    entry(
      'page-2-empty',
      'page 2 is empty',
      onRows(all(here, onPage(2)), () => []),
    ),
    entry(
      'first-page-short',
      'the first page lacks its last row',
      onRows(all(here, onPage(1)), (rows) => (rows.length < 20 ? rows : rows.slice(0, -1))),
    ),
    entry(
      'short-with-page-size',
      'pages lack their last row when page_size is sent',
      onRows(all(here, asked('page_size')), (rows) =>
        rows.length < 20 ? rows : rows.slice(0, -1),
      ),
    ),
  ];
}

/** Order, pages, and duplicate or missing rows. */
export const listOperators = (): readonly OperatorFault[] =>
  ENDPOINT_PATHS.flatMap((path) => {
    const { kind } = factsOf(path).response;
    const repeats = kind === 'array' && path !== '/analyses' && sectionOf(path) !== '4.6';
    return faultsOn(path, {
      order: [
        ...(ORDERED.includes(path) ? rowEntries(path, [...ORDER, REVERSED], 'must') : []),
        ...(SERIES.includes(path) ? rowEntries(path, ORDER, 'should') : []),
      ],
      repeated: repeats ? rowEntries(path, REPEATED, 'should') : [],
      gap: kind === 'array' ? gapEntries(path) : [],
      paging: kind === 'page' ? pageEntries(path) : [],
    });
  });
