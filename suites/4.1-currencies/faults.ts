import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { dataTime } from '../../src/reference/content.ts';
import { type FaultEntry, faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { changePage, showingPage } from '../families/pages/paging-faults.ts';
import type { Hooks } from '../../src/reference/hooks.ts';
import { isObject, textOf } from '../../src/reference/json.ts';
import {
  afterPage,
  all,
  asked,
  crashing,
  endpointIs,
  notAsked,
  onMembers,
  onPage,
  onQuery,
  onRows,
  setting,
  over,
  not,
  onBody,
} from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';
import { klineFaults } from '../families/klines-faults.ts';

// Faults in the pairs of a currency (§4.1): pages, order, and the exchange filter.

const PAIRS: EndpointPath = '/currencies/{currency_id}/pairs';
const here = endpointIs(PAIRS);

const oversized = over('page_size', 100);
const targetOf = (row: Json): string => (isObject(row) ? textOf(row['target']) : '');
const turnoverOf = (row: Json): number => (isObject(row) ? Number(row['turnover_24h']) : 0);

/** Changes later pages, given all pairs and the position of the page. */
const shifted = (
  change: (rows: readonly Json[], known: readonly Json[], start: number) => readonly Json[],
): Hooks =>
  onRows(all(here, afterPage(1), notAsked('exchange')), (rows, { world, path, query, now }) => {
    const size = Number(query.get('page_size') ?? 20);
    const known = world.pairs(path['currency_id'] ?? '', dataTime(now)) ?? [];
    return change(rows, known, (Number(query.get('page')) - 1) * size);
  });

const PAIR_FAULTS = {
  'pairs-maximum-unsaid': {
    title: 'A pairs page_size above 100 is clamped to 100, but the envelope repeats the value sent',
    kills: ['4.1/pairs-page-size-max'],
    hooks: [
      setting('page_size', '100', all(here, oversized)),
      onMembers(all(here, oversized), (_value, { query }) => ({
        page_size: Number(query.get('page_size')),
      })),
    ],
  },
  'pairs-page-short': {
    title: 'The first page of pairs lacks its last item',
    kills: ['4.1/pairs-page-full'],
    hooks: onRows(all(here, onPage(1), notAsked('exchange')), (rows) =>
      rows.length > 1 ? rows.slice(0, -1) : rows,
    ),
  },
  'pairs-page-short-of-few': {
    title: 'Page 1 of 24 pairs lacks its last item with the default size',
    kills: ['4.1/pairs-page-full'],
    hooks: {
      ...onRows(all(here, onPage(1), notAsked('exchange'), notAsked('page_size')), (rows) =>
        rows.slice(0, -1),
      ),
      world: (world) => ({ pairs: (id, now) => world.pairs(id, now)?.slice(0, 24) }),
    },
  },
  'pairs-page-zero-crash': {
    title: 'Page 0 of pairs causes an internal error',
    kills: ['4.1/pairs-page-invalid', '4/no-5xx'],
    hooks: crashing(all(here, asked('page', '0'))),
  },
  'pairs-page-ignored': {
    title: '`page` is ignored, though the envelope repeats it',
    kills: ['4.1/pairs-pages-join'],
    hooks: showingPage('1', here),
  },
  'pairs-sorted-after-slicing': {
    title: 'Pairs are sorted by 24h volume within each page only',
    kills: ['4.1/pairs-pages-join'],
    hooks: {
      world: (world) => ({
        pairs: (id, now) =>
          world
            .pairs(id, now)
            ?.toSorted((a, b) => (textOf(a['market']) < textOf(b['market']) ? -1 : 1)),
      }),
      ...onRows(here, (rows) => rows.toSorted((a, b) => turnoverOf(b) - turnoverOf(a))),
    },
  },
  'pairs-repeats-best': {
    title: 'Later pages of pairs show the very first pair in their middle',
    kills: ['4.1/pairs-order-default'],
    needsData: true,
    hooks: onRows(all(here, afterPage(1), notAsked('exchange')), (rows, { world, path, now }) => {
      const best = world.pairs(path['currency_id'] ?? '', dataTime(now))?.[0];
      return best === undefined || rows.length < 10 ? rows : rows.with(8, best);
    }),
  },
  'pairs-gap': {
    title: 'Later pages of pairs skip the first item',
    kills: ['4.1/pairs-pages-join'],
    needsData: true,
    hooks: shifted((rows, known, start) => {
      const next = known.slice(start + rows.length, start + rows.length + 1);
      return next.length === 0 ? rows : [...rows.slice(1), ...next];
    }),
  },
  'pairs-last-page-empty': {
    title: 'A partial last page of pairs is empty',
    kills: ['4.1/pairs-total'],
    hooks: onRows(all(here, afterPage(1)), (rows, { query }) =>
      rows.length < Number(query.get('page_size') ?? 20) ? [] : rows,
    ),
  },
  'pairs-last-page-price-text': {
    title: '`price` is a string on a partial last page of pairs',
    kills: ['2.5/price'],
    hooks: onRows(all(here, afterPage(1)), (rows, { query }) =>
      rows.length < Number(query.get('page_size') ?? 20)
        ? rows.map((row) => (isObject(row) ? { ...row, price: JSON.stringify(row['price']) } : row))
        : rows,
    ),
  },
  'pairs-total-one-more': {
    title: '`total` is one more than the number of pairs',
    kills: ['4.1/pairs-total'],
    profile: 'full',
    hooks: changePage(here, (_rows, total) => ({ total: total + 1 })),
  },
  'pairs-total-unfiltered': {
    title: '`total` always counts the pairs on all exchanges',
    kills: ['4.1/pairs-total'],
    needsData: true,
    hooks: onMembers(all(here, asked('exchange')), (_value, { world, path, now }) => ({
      total: world.pairs(path['currency_id'] ?? '', dataTime(now))?.length ?? 0,
    })),
  },
  'pairs-two-swapped-late': {
    title: 'Two pairs on page 2 are in the wrong order',
    kills: ['4.1/pairs-order-default'],
    needsData: true,
    hooks: onRows(all(here, onPage(2), notAsked('exchange')), (rows) => {
      const falls = rows.map((row, at) => turnoverOf(row) / turnoverOf(rows[at + 1] ?? row));
      const at = falls.indexOf(Math.max(...falls));
      return rows.toSpliced(at, 2, ...rows.slice(at, at + 2).toReversed());
    }),
  },
  'pairs-default-by-name': {
    title: 'The exchange filter breaks the order by 24h volume',
    kills: ['4.1/pairs-order-default'],
    hooks: onRows(all(here, asked('exchange'), notAsked('order_by')), (rows) =>
      rows.toSorted((a, b) => targetOf(a).localeCompare(targetOf(b))),
    ),
  },
  'pairs-exchange-other': {
    title: 'The exchange filter always returns the exchange with the largest pair',
    kills: ['4.1/pairs-exchange-filter'],
    needsData: true,
    hooks: onQuery(all(here, asked('exchange')), (query, { world, path, now }) => {
      const [largest] = world.pairs(path['currency_id'] ?? '', dataTime(now)) ?? [];
      query.set('exchange', textOf(largest?.['market'] ?? ''));
    }),
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;

const KLINES: EndpointPath = '/currencies/{currency_id}/klines';
const klines = endpointIs(KLINES);

const inArray = (value: Json): Json => [value];

/** Faults in §4.1. */
export const CURRENCY_FAULTS: readonly Fault[] = faultsOf({
  'info-third-in-array': {
    title: 'Information on the third currency is an array of one object',
    kills: ['4.1/info'],
    profile: 'full',
    needsData: true,
    hooks: onBody(
      all(
        endpointIs('/currencies/{currency_id}'),
        ({ path, world }) => path['currency_id'] === world.currencyIds[2],
      ),
      inArray,
    ),
  },
  'records-of-first': {
    title: 'Snapshots and pairs are always those of the first currency',
    kills: ['4.1/own-record'],
    profile: 'full',
    hooks: {
      world: (world) => ({
        currencySnapshot: (_id, now) => world.currencySnapshot(world.currencyIds[0] ?? '', now),
        pairs: (_id, now) => world.pairs(world.currencyIds[0] ?? '', now),
      }),
    },
  },
  'snapshot-in-array': {
    title: 'The market snapshot is an array of one object',
    kills: ['4.1/market-snapshot'],
    hooks: onBody(endpointIs('/currencies/{currency_id}/market-snapshot'), inArray),
  },
  ...PAIR_FAULTS,
  'klines-limit-hole': {
    title: 'A klines limit below 50 returns every second candle',
    kills: ['4.1/klines-limit-part'],
    hooks: {
      ...onQuery(all(klines, asked('limit'), not(asked('limit', '500'))), (query) => {
        const limit = Number(query.get('limit'));
        if (limit > 0 && limit < 50) query.set('limit', String(limit * 2 - 1));
      }),
      ...onRows(
        all(klines, ({ query }) => Number(query.get('limit') ?? 100) < 50),
        (rows) => rows.filter((_row, index) => index % 2 === 0),
      ),
    },
  },
  ...klineFaults('currency', KLINES, '4.1'),
});
