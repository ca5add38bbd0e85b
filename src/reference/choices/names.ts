import { isArray, textOf } from '../json.ts';
import type { Json, World } from '../world.ts';
import {
  data,
  dimension,
  fixtures,
  slugOf,
  variant,
  type Choice,
  type Dimension,
} from './choice.ts';

/** `value` with strings that are a name replaced, wherever they stand. */
function renamed<Value extends Json | undefined>(value: Value, toNew: Rename): Value;
function renamed(value: Json | undefined, toNew: Rename): Json | undefined {
  if (typeof value === 'string') return toNew(value);
  if (value === undefined || typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return value.map((one) => renamed(one, toNew));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, renamed(one, toNew)]),
  );
}

type Rename = (name: string) => string;

/** Members of the data: those that list names of a kind, and those that tell of one name. */
const KINDS = {
  currencyIds: [
    ['currencyList', 'fundraisingProjects'],
    [
      'currencyInfo',
      'currencySnapshot',
      'tokenEconomics',
      'currencyKlines',
      'pairs',
      'fundraising',
    ],
  ],
  macroEvents: [['macroCalendar'], ['macroHistory']],
  stockTickers: [
    ['stockList', 'stockSectors'],
    ['stockSnapshot', 'stockKlines', 'stockMarketCap'],
  ],
  sectorNames: [['stockList', 'stockSectors'], ['sectorIndex']],
  chartNames: [['charts'], ['chartData']],
  indexTickers: [['indexList'], ['indexConstituents', 'indexSnapshot', 'indexKlines']],
  etfs: [[], ['etfHistory', 'etfSnapshot']],
} as const satisfies Partial<
  Record<keyof World, readonly [lists: readonly (keyof World)[], ofOne: readonly (keyof World)[]]>
>;

/** New names of the identifiers of one kind, by the old ones. */
export type NewNames = ReadonlyMap<string, string>;

/** Renames the identifiers of one kind: in the data, and in every text of the records that tell of them. */
export function renaming(world: World, kind: keyof typeof KINDS, names: NewNames): Partial<World> {
  // What had a name and lost it is no longer known by it.
  const old = new Map([...names].map(([name, now]) => [now, name]));
  const toNew = (name: string): string => names.get(name) ?? name;
  const [lists, ofOne] = KINDS[kind];
  return {
    [kind]: world[kind].map((one) =>
      typeof one === 'string' ? toNew(one) : { ...one, ticker: toNew(one.ticker) },
    ),
    ...Object.fromEntries([
      ...lists.map((name) => [name, (now: number) => renamed(world[name](now), toNew)] as const),
      ...ofOne.map((name) => {
        const find = world[name] as (id: string, now: number) => Json | undefined;
        return [
          name,
          (id: string, now: number) => renamed(find(old.get(id) ?? '', now), toNew),
        ] as const;
      }),
    ]),
  };
}

const named = (
  kind: keyof typeof KINDS,
  change: (name: string, index: number, country: string) => string,
): Choice =>
  data((world) => {
    const all = world[kind].map((one) =>
      typeof one === 'string' ? ([one, ''] as const) : ([one.ticker, one.country] as const),
    );
    const names = new Map(all.map(([name, country], i) => [name, change(name, i, country)]));
    return renaming(world, kind, names);
  });

/** `market` shows `shown`, and the filter takes what `filter` makes of it. */
const exchanges = (shown: Rename, filter: Rename): Choice => ({
  world: (world) => ({
    exchanges: world.exchanges.map(shown),
    pairs: (id, now) =>
      world.pairs(id, now)?.map((row) => ({ ...row, market: shown(textOf(row['market'])) })),
  }),
  query(query, { endpoint, world }) {
    const sent = query.get('exchange');
    if (sent === undefined || sent === '' || !(endpoint ?? '').endsWith('/pairs')) return query;
    const meant = world.exchanges.find((name) => filter(name) === sent);
    // A name that the filter does not know matches nothing.
    query.set('exchange', meant ?? '\u0000');
    return query;
  },
});

const slug: Rename = (name) => slugOf(name).replaceAll(/^-|-$/g, '');
const same: Rename = (name) => name;
/** A name that is no part of the one that is shown. */
const backwards: Rename = (name) => name.toLowerCase().split('').toReversed().join('');

/** What things are called (§2, §4): names that need escaping in a path, names that look like something else. */
export const NAMES: readonly Dimension[] = [
  dimension('names-of-events', 'words', {
    slugs: named('macroEvents', slug),
    'with-slashes-and-percent': named('macroEvents', (name) => `${name} (m/m, %)`),
    'other-scripts': named('macroEvents', (name) => `美国 ${name} ☕`),
    numbers: named('macroEvents', (_name, index) => String(4001 + index)),
  }),
  dimension('names-of-stocks', 'letters', {
    'with-exchange': named('stockTickers', (name) => `${name}.US`),
    'with-colon': named('stockTickers', (name) => `NASDAQ:${name}`),
    numbers: named('stockTickers', (_name, index) => `${String(863 + index).padStart(4, '0')}.HK`),
    'lower-case': named('stockTickers', (name) => name.toLowerCase()),
  }),
  dimension('names-of-sectors', 'words', {
    'with-ampersand': named('sectorNames', (name) => `${name} & more/other`),
    slugs: named('sectorNames', slug),
  }),
  dimension('names-of-charts', 'snake', {
    words: named('chartNames', (name) => name.replaceAll('_', ' ')),
    'with-percent': named('chartNames', (name) => `${name} (100%)`),
    'other-scripts': named('chartNames', (name) => `${name}·图表`),
  }),
  dimension('names-of-etfs', 'letters', {
    'with-country': named('etfs', (name, _index, country) =>
      country === 'US' ? `${name}:US` : name,
    ),
    'numbers-only-in-hong-kong': named('etfs', (name, _index, country) =>
      country === 'HK' ? name.replace(/\D+/g, '') : name,
    ),
  }),
  dimension('names-of-indices', 'letters', {
    'with-caret': named('indexTickers', (name) => `^${name}`),
    'lower-case': named('indexTickers', (name) => name.toLowerCase()),
  }),
  dimension('names-of-exchanges', 'as-shown', {
    'exchange-by-slug': variant(
      '4.1',
      'The exchange filter uses lower-case names with hyphens, and returns nothing for others',
      exchanges(same, slugOf),
    ),
    'exchange-any-case': variant('4.1', 'exchange is case-insensitive', {
      query(query, { endpoint, world }) {
        const sent = query.get('exchange')?.toLowerCase();
        if (endpoint !== '/currencies/{currency_id}/pairs' || sent === undefined) return query;
        const meant = world.exchanges.find((name) => name.toLowerCase() === sent);
        if (meant !== undefined) query.set('exchange', meant);
        return query;
      },
    }),
    'filter-by-own-name': {
      ...exchanges(same, backwards),
      target: fixtures((world) => ({ exchanges: world.exchanges.map(backwards) })),
    },
    'with-spaces-and-marks': exchanges((name) => `${name} Exchange & Co. (Global)`, same),
    'other-scripts': exchanges((name) => `${name} 币`, same),
  }),
];
