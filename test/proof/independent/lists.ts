import { plusDays, utcDay } from './calendar.ts';
import { dayParam, MS, named, paging, readParams, TEXT } from './call.ts';
import type { Call, Endpoint, Endpoints, Param, Params, Values } from './call.ts';
import { at, noise, times, type Body } from './core.ts';
import { currencies, projectId } from './currencies.ts';
import { funds, listing, LISTING } from './etfs.ts';
import { macroEvents } from './macro.ts';
import NAMES from './names.json' with { type: 'json' };
import { newsAt, newsItem } from './news.ts';
import { candle, rounded, sectors, stockOf, stocks } from './prices.ts';
import { envelope, nameOf, slugOf, written } from './texts.ts';
import type { World } from './world.ts';

/** Whether the endpoints of which only the purpose is stated are left empty. */
const bare = ({ world }: Call): boolean => world.is('purpose-empty', 'empty');

/** A parameter that is not stated, but demanded. */
const NEEDED: Param = { ...TEXT, required: true };

interface List {
  /** Parameters that one of the shapes demands. */
  readonly demanded: Params;
  /** Everything that is known of each row; the parameters are there if they were demanded. */
  readonly rows: (call: Call, values: Values | undefined) => readonly Body[];
  /**
   * What is shown of a row, by shape: `name`, or `name:source` for what has another name, or `:source` for a bare value.
   * All other shapes show the same as `usual`.
   */
  readonly shapes: Readonly<Record<string, string>> & { readonly usual: string };
  /** Whether an object around the list counts it. */
  readonly counted?: true;
}

/** The lists whose shape nobody states, by the choice of their shape. */
const LISTS = {
  'currency-list': {
    demanded: { exchange: NEEDED },
    rows: ({ world }) =>
      currencies(world).map((one) => ({
        ...one,
        shown: written(world, one.name),
        slug: slugOf(one.name),
        lower: one.symbol.toLowerCase(),
        rank: one.index + 1,
      })),
    shapes: {
      usual: 'currency_id:id name:shown symbol',
      texts: ':id',
      'id-and-symbol': 'symbol name:shown id',
      'symbol-first': 'symbol slug currency_id:id rank',
      'numeric-id': 'id:rank currency_id:id currency_name:shown',
      'by-symbol': 'name:lower full_name:shown currency_id:id',
    },
  },
  'etf-list': {
    demanded: LISTING,
    rows: ({ world, now }, values) => {
      const all = funds(world, now);
      const list = values ? listing(world, values.country_code, values.symbol, now) : all;
      return list.map((one, index) => ({
        ...one,
        id: 7000 + index,
        name: written(world, one.name),
      }));
    },
    shapes: {
      usual: 'ticker name symbol country_code:country',
      texts: ':ticker',
      'id-and-symbol': 'id symbol etf_ticker:ticker name',
      'code-and-name': 'name code:ticker exchange:country',
    },
  },
  'stock-list': {
    demanded: { sector: NEEDED },
    rows: ({ world }) =>
      stocks(world).map((one, index) => ({
        ...one,
        id: 100 + index,
        name: written(world, one.name),
        exchange: 'NASDAQ',
        prefixed: `NASDAQ:${one.ticker}`,
      })),
    shapes: {
      usual: 'ticker name exchange sector',
      texts: ':ticker',
      'id-and-symbol': 'id symbol:ticker name',
      'exchange-prefixed': 'symbol:prefixed ticker name',
    },
    counted: true,
  },
  'sector-list': {
    demanded: { date: NEEDED },
    rows: ({ world }) =>
      sectors(world).map((name) => {
        const members = stocks(world).filter(({ sector }) => sector === name);
        const tickers = members.map(({ ticker }) => ticker);
        return { name, slug: slugOf(name), tickers, count: members.length };
      }),
    shapes: {
      usual: 'sector_name:name count',
      texts: ':name',
      'display-and-path': 'display_name:name sector_name:slug',
      'with-members': 'sector_name:name stocks:tickers',
    },
  },
  'index-list': {
    demanded: { category: NEEDED },
    rows: ({ world }) => indices(world).map((one, index) => ({ ...one, id: index + 1 })),
    shapes: {
      usual: 'ticker name',
      texts: ':ticker',
      'id-and-name': 'id name index_ticker:ticker',
    },
  },
  'project-list': {
    demanded: { round: NEEDED },
    rows: ({ world }) =>
      projectIds(world).map((project_id, index) => {
        const { name } = nameOf(index);
        return { id: index + 1, project_id, name: written(world, name), slug: slugOf(name) };
      }),
    shapes: { usual: 'project_id project_name:name', 'id-and-slug': 'id slug project_id name' },
  },
  'event-list': {
    demanded: { date: { ...dayParam(), required: true } },
    rows: ({ world, now }) =>
      macroEvents(world).map(({ name, title, index }) => ({
        event: name,
        title: `${title} (US)`,
        id: 300 + index,
        country: 'US',
        date: utcDay(now),
      })),
    shapes: {
      usual: 'event country date',
      texts: ':event',
      'by-date': ':event',
      'display-and-path': 'id title event date',
    },
    counted: true,
  },
} as const satisfies Record<string, List>;

/** The endpoint of a list whose shape nobody states. */
function listOf(choice: keyof typeof LISTS): Endpoint {
  const { demanded, rows, shapes, counted }: List = LISTS[choice];
  const answer = (call: Call): unknown => {
    const shape = call.world.choice(choice);
    const values = shape === 'needs-parameter' ? readParams(call, demanded) : undefined;
    const fields = (shapes[shape] ?? shapes.usual).split(' ').map((field) => field.split(':'));
    const list = (bare(call) ? [] : rows(call, values)).map((row) => {
      const entries = fields.map(([name = '', source = name]) => [name, row[source]] as const);
      return entries[0]?.[0] === '' ? entries[0][1] : Object.fromEntries(entries);
    });
    if (shape === 'list-object') return counted ? { list, total: list.length } : { list };
    if (shape === 'paged') return envelope(list, readParams(call, paging()));
    if (shape === 'nested' && !bare(call)) return { US: list.slice(0, 40), HK: list.slice(40) };
    if (shape !== 'by-date') return list;
    const [half, today] = [Math.ceil(list.length / 2), utcDay(call.now)];
    return [
      { date: today, events: list.slice(0, half) },
      { date: plusDays(today, -1), events: list.slice(half) },
    ];
  };
  return { answer };
}

/** A row for each of the last thirty days. */
const lastDays = (call: Call, row: (date: string, n: number) => Body): readonly Body[] =>
  bare(call) ? [] : times(30, (n) => row(plusDays(utcDay(call.now), -n), n));

/** Names of the sectors as paths take them. */
export const sectorPaths = (world: World): readonly string[] =>
  sectors(world).map((name) => (world.is('sector-list', 'display-and-path') ? slugOf(name) : name));

/** All indices. */
export const indices = (world: World) =>
  NAMES.indices.slice(0, world.count('indices')).map((name) => {
    const plain = name.replaceAll(' ', '');
    const ticker = world.of('index-tickers', {
      upper: `SS${plain.toUpperCase()}`,
      mixed: `ss${plain}`,
      slashed: `SSI/${plain}`,
    });
    return { ticker, name: `${name} Index` };
  });

const indexOf = (call: Call): string =>
  named(call, 'Index', 'index_ticker', indices(call.world), ({ ticker }, name) => ticker === name)
    .ticker;

/** Identifiers of the projects. */
export const projectIds = (world: World): readonly string[] =>
  times(world.count('projects'), projectId);

/** Names of charts as paths take them. */
export const charts = (world: World): readonly string[] =>
  times(world.count('charts'), (index) => {
    const base = NAMES.charts[index] ?? `${at(NAMES.charts, index)} ${index}`;
    return world.of('chart-names', {
      slug: base.replaceAll(' ', '_'),
      words: base.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
      unicode: `${base} – グラフ`,
      signs: `${base}/7d: 50%`,
    });
  });

/** What a chart has: its time field, which is a number in every second chart, and up to three of its fields. */
const chartFields = (index: number) => ({
  time: index % 2 === 0 ? { name: 'timestamp', type: 'number' } : { name: 'date', type: 'string' },
  own: [
    { name: 'value', type: 'number' },
    { name: 'price', type: 'number' },
    { name: 'label', type: 'string' },
  ].slice(0, 1 + (index % 3)),
});

function chartData(call: Call): unknown {
  const { world } = call;
  const names = charts(world);
  const chart = named(call, 'Chart', 'chart_name', names);
  const { time, own } = chartFields(names.indexOf(chart));
  const shape = world.choice('chart-data');
  if (shape === 'needs-parameter') readParams(call, { start_time: { ...MS, required: true } });
  if (shape === 'empty') return [];
  const rows = lastDays(call, (date, n) => ({
    [time.name]: time.type === 'number' ? Date.parse(date) : date,
    ...Object.fromEntries(
      own.map((one) => [one.name, one.type === 'number' ? n + 0.5 : `day ${n}`]),
    ),
  }));
  if (bare(call)) return rows;
  if (shape === 'columns')
    return { columns: [time, ...own].map((one) => one.name), rows: rows.map(Object.values) };
  return shape === 'list-object' ? { list: rows } : rows;
}

const hotNews = (call: Call): Body =>
  envelope(bare(call) ? [] : newsAt(call).slice(0, 20), { page: 1, page_size: 20 }, (one) =>
    newsItem(call.world, one, 'en'),
  );

/** Endpoints of which little more than the purpose is stated. */
export const OTHERS: Endpoints = {
  '/currencies': listOf('currency-list'),
  '/news/hot': { answer: hotNews },
  '/news/search': {
    answer(call) {
      // Without a keyword there is nothing to search for; any keyword finds the same news.
      readParams(call, { keyword: NEEDED });
      return hotNews(call);
    },
  },
  '/etfs': listOf('etf-list'),
  '/crypto-stocks': listOf('stock-list'),
  '/crypto-stocks/sector': listOf('sector-list'),
  '/crypto-stocks/sector/{sector_name}/index': {
    answer(call) {
      const { world } = call;
      const paths = sectorPaths(world);
      const symbol = named(call, 'Sector', 'sector_name', paths);
      return lastDays(call, (date) => {
        const { close } = candle(world, { symbol, base: 1000 }, date);
        return { date, value: close };
      });
    },
  },
  '/crypto-stocks/{stock_ticker}/market-cap': {
    answer(call) {
      const { ticker } = stockOf(call);
      return lastDays(call, (date, n) => {
        const market_cap = Math.round(1e9 * (1 + noise(ticker, n)));
        return { date, ticker, market_cap };
      });
    },
  },
  '/indices': listOf('index-list'),
  '/indices/{index_ticker}/constituents': {
    answer(call) {
      indexOf(call);
      const weights = bare(call) ? [] : [40, 30, 20, 10];
      return weights.map((weight, index) => ({ symbol: nameOf(index).symbol, weight }));
    },
  },
  '/indices/{index_ticker}/market-snapshot': {
    answer(call) {
      const ticker = indexOf(call);
      const price = rounded(1000 * (1 + noise(ticker)));
      return bare(call) ? {} : { ticker, price, change_pct_24h: 0.4 };
    },
  },
  '/indices/{index_ticker}/klines': {
    answer(call) {
      const symbol = indexOf(call);
      return lastDays(call, (date) => candle(call.world, { symbol, base: 1000 }, date));
    },
  },
  '/fundraising/projects': listOf('project-list'),
  '/fundraising/projects/{project_id}': {
    answer(call) {
      const ids = projectIds(call.world);
      const id = named(call, 'Project', 'project_id', ids);
      const { name } = nameOf(ids.indexOf(id));
      return { project_id: id, project_name: written(call.world, name), rounds: [] };
    },
  },
  '/macro/events': listOf('event-list'),
  '/analyses': {
    params: {},
    answer: ({ world }) =>
      charts(world).map((chart_name, index) => {
        const { time, own } = chartFields(index);
        const fields = world.is('chart-fields', 'with-time') ? [time, ...own] : own;
        return { chart_name, time_field: time.name, fields };
      }),
  },
  '/analyses/{chart_name}': { answer: chartData },
};
