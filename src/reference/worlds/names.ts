import { isArray, isObject, textOf } from '../json.ts';
import type { Json, JsonObject, World } from '../world.ts';
import { data, dimension, fixtures, type Choice, type Dimension } from './dimension.ts';

/** Renames the identifiers of one kind: in the data, and in every text of the records that tell of them. */
interface Naming {
  readonly toNew: (name: string) => string;
  readonly toOld: (name: string) => string;
}

function naming(names: readonly string[], change: (name: string, index: number) => string): Naming {
  const toNew = new Map(names.map((name, index) => [name, change(name, index)]));
  const toOld = new Map([...toNew].map(([old, name]) => [name, old]));
  return {
    toNew: (name) => toNew.get(name) ?? name,
    // What had a name and lost it is no longer known by it.
    toOld: (name) => toOld.get(name) ?? '',
  };
}

/** `value` with strings that are a name replaced, wherever they stand. */
function renamed<Value extends Json>(value: Value, toNew: (name: string) => string): Value;
function renamed(value: Json, toNew: (name: string) => string): Json {
  if (typeof value === 'string') return toNew(value);
  if (isArray(value)) return value.map((one) => renamed(one, toNew));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, renamed(one, toNew)]),
  );
}

type Rename = (name: string, index: number) => string;

const macroEvents = (change: Rename): Choice =>
  data((world) => {
    const { toNew, toOld } = naming(world.macroEvents, change);
    return {
      macroEvents: world.macroEvents.map(toNew),
      macroCalendar: (now) => world.macroCalendar(now).map((day) => renamed(day, toNew)),
      macroHistory: (event, now) => world.macroHistory(toOld(event), now),
    };
  });

const stocks = (change: Rename): Choice =>
  data((world) => {
    const { toNew, toOld } = naming(world.stockTickers, change);
    const own = (record: JsonObject | undefined): JsonObject | undefined =>
      record && renamed(record, toNew);
    return {
      stockTickers: world.stockTickers.map(toNew),
      stockList: (now) => world.stockList(now).map((one) => renamed(one, toNew)),
      stockSectors: (now) => world.stockSectors(now).map((one) => renamed(one, toNew)),
      stockSnapshot: (ticker, now) => own(world.stockSnapshot(toOld(ticker), now)),
      stockKlines: (ticker, now) => world.stockKlines(toOld(ticker), now),
      stockMarketCap: (ticker, now) => world.stockMarketCap(toOld(ticker), now),
    };
  });

const sectors = (change: Rename): Choice =>
  data((world) => {
    const { toNew, toOld } = naming(world.sectorNames, change);
    return {
      sectorNames: world.sectorNames.map(toNew),
      stockList: (now) => world.stockList(now).map((one) => renamed(one, toNew)),
      stockSectors: (now) => world.stockSectors(now).map((one) => renamed(one, toNew)),
      sectorIndex: (name, now) => world.sectorIndex(toOld(name), now),
    };
  });

const charts = (change: Rename): Choice =>
  data((world) => {
    const { toNew, toOld } = naming(world.chartNames, change);
    return {
      chartNames: world.chartNames.map(toNew),
      charts: () => world.charts().map((one) => renamed(one, toNew)),
      chartData: (name, now) => world.chartData(toOld(name), now),
    };
  });

const etfs = (change: (name: string, country: string) => string): Choice =>
  data((world) => {
    const countries = new Map(world.etfs.map(({ ticker, country }) => [ticker, country]));
    const { toNew, toOld } = naming([...countries.keys()], (name) =>
      change(name, countries.get(name) ?? ''),
    );
    return {
      etfs: world.etfs.map((etf) => ({ ...etf, ticker: toNew(etf.ticker) })),
      etfHistory: (ticker, now) =>
        world.etfHistory(toOld(ticker), now)?.map((row) => renamed(row, toNew)),
      etfSnapshot(ticker, now) {
        const record = world.etfSnapshot(toOld(ticker), now);
        return record && renamed(record, toNew);
      },
    };
  });

const indices = (change: Rename): Choice =>
  data((world) => {
    const { toNew, toOld } = naming(world.indexTickers, change);
    return {
      indexTickers: world.indexTickers.map(toNew),
      indexList: (now) => world.indexList(now).map((one) => renamed(one, toNew)),
      indexConstituents: (ticker, now) => world.indexConstituents(toOld(ticker), now),
      indexSnapshot: (ticker, now) => world.indexSnapshot(toOld(ticker), now),
      indexKlines: (ticker, now) => world.indexKlines(toOld(ticker), now),
    };
  });

/** `market` shows `shown`, and the filter takes what `filter` makes of it. */
const exchanges = (shown: (name: string) => string, filter: (name: string) => string): Choice => ({
  change: {
    hooks: {
      world: (world: World) => ({
        exchanges: world.exchanges.map(shown),
        pairs: (id, now) =>
          world.pairs(id, now)?.map((row) => ({ ...row, market: shown(textOf(row['market'])) })),
      }),
      query(query, { endpoint, world }) {
        const sent = query.get('exchange');
        if (sent === undefined || !(endpoint ?? '').endsWith('/pairs')) return query;
        const meant = world.exchanges.find((name) => filter(name) === sent);
        // A name that the filter does not know matches nothing.
        query.set('exchange', meant ?? '\u0000');
        return query;
      },
    },
  },
});

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
const same = (name: string): string => name;
/** A name that is no part of the one that is shown. */
const backwards = (name: string): string => name.toLowerCase().split('').toReversed().join('');

/** What things are called (§2, §4): names that need escaping in a path, names that look like something else. */
export const NAME_DIMENSIONS: readonly Dimension[] = [
  dimension('names-of-events', 'words', {
    slugs: macroEvents(slug),
    'with-slashes-and-percent': macroEvents((name) => `${name} (m/m, %)`),
    'other-scripts': macroEvents((name) => `美国 ${name} ☕`),
    numbers: macroEvents((_name, index) => String(4001 + index)),
  }),
  dimension('names-of-stocks', 'letters', {
    'with-exchange': stocks((name) => `${name}.US`),
    'with-colon': stocks((name) => `NASDAQ:${name}`),
    numbers: stocks((_name, index) => `${String(863 + index).padStart(4, '0')}.HK`),
    'lower-case': stocks((name) => name.toLowerCase()),
  }),
  dimension('names-of-sectors', 'words', {
    'with-ampersand': sectors((name) => `${name} & more/other`),
    slugs: sectors(slug),
  }),
  dimension('names-of-charts', 'snake', {
    words: charts((name) => name.replaceAll('_', ' ')),
    'with-percent': charts((name) => `${name} (100%)`),
    'other-scripts': charts((name) => `${name}·图表`),
  }),
  dimension('names-of-etfs', 'letters', {
    'with-country': etfs((name, country) => (country === 'US' ? `${name}:US` : name)),
    'numbers-only-in-hong-kong': etfs((name, country) =>
      country === 'HK' ? name.replace(/\D+/g, '') : name,
    ),
  }),
  dimension('names-of-indices', 'letters', {
    'with-caret': indices((name) => `^${name}`),
    'lower-case': indices((name) => name.toLowerCase()),
  }),
  dimension('marketplaces', 'as-shown', {
    'filter-by-slug': exchanges(same, slug),
    'filter-by-own-name': {
      ...exchanges(same, backwards),
      target: fixtures((world) => ({ exchanges: world.exchanges.map(backwards) })),
    },
    'with-spaces-and-marks': exchanges((name) => `${name} Exchange & Co. (Global)`, same),
    'other-scripts': exchanges((name) => `${name} 币`, same),
  }),
];
