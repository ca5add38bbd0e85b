import { plusDays, utcDay } from './calendar.ts';
import { day, ms, paging, readParams, text } from './call.ts';
import type { Call, Param, Params } from './call.ts';
import { at, DAY, noise, times, type Body } from './core.ts';
import { currencies } from './currencies.ts';
import { projectId } from './fundraising.ts';
import { sectors, stockOf, stocks } from './klines.ts';
import { macroEvents } from './macro.ts';
import { newsAt, newsItem } from './news.ts';
import { candle, rounded } from './prices.ts';
import { notFound } from './refusals.ts';
import { envelope, nameOf, slugOf, written } from './texts.ts';
import type { World } from './world.ts';

/** Whether the endpoints of which only the purpose is stated are left empty. */
const bare = ({ world }: Call): boolean => world.is('purpose-empty', 'empty');

/** A parameter that is not stated, but demanded. */
const NEEDED: Param = { ...text, required: true };

/**
 * The rows of a list whose shape nobody states, each in the shape that the world has chosen, or in the usual one. Some
 * worlds demand a parameter.
 */
function listOf<T>(
  call: Call,
  shape: string,
  demanded: Params,
  list: readonly T[],
  shapes: Readonly<Record<string, (one: T, index: number) => unknown>>,
): readonly unknown[] {
  if (shape === 'needs-parameter') readParams(call, demanded);
  const make = shapes[shape] ?? shapes['usual'];
  return bare(call) ? [] : list.map((one, index) => make?.(one, index));
}

/** A row for each of the last thirty days. */
const lastDays = (call: Call, row: (date: string, n: number) => Body): readonly Body[] =>
  bare(call) ? [] : times(30, (n) => row(plusDays(utcDay(call.now), -n), n));

/** GET /currencies */
export function currencyList(call: Call): unknown {
  const { world } = call;
  const shape = world.choice('currency-list');
  const shown = (name: string): string => written(world, name);
  const rows = listOf(call, shape, { exchange: NEEDED }, currencies(world), {
    usual: ({ id, name, symbol }) => ({ currency_id: id, name: shown(name), symbol }),
    texts: ({ id }) => id,
    'id-and-symbol': ({ id, name, symbol }) => ({ symbol, name: shown(name), id }),
    'symbol-first': ({ id, name, symbol, index }) => ({
      symbol,
      slug: slugOf(name),
      currency_id: id,
      rank: index + 1,
    }),
    'numeric-id': ({ id, name, index }) => ({
      id: index + 1,
      currency_id: id,
      currency_name: shown(name),
    }),
    'by-symbol': ({ id, name, symbol }) => ({
      name: symbol.toLowerCase(),
      full_name: shown(name),
      currency_id: id,
    }),
  });
  if (shape === 'list-object') return { list: rows };
  return shape === 'paged' ? envelope(rows, readParams(call, paging())) : rows;
}

/** GET /crypto-stocks */
export function stockList(call: Call): unknown {
  const { world } = call;
  const shape = world.choice('stock-list');
  const list = stocks(world).map((one) => ({ ...one, name: written(world, one.name) }));
  const rows = listOf(call, shape, { sector: NEEDED }, list, {
    usual: ({ ticker, name, sector }) => ({ ticker, name, exchange: 'NASDAQ', sector }),
    texts: ({ ticker }) => ticker,
    'id-and-symbol': ({ ticker, name, index }) => ({ id: 100 + index, symbol: ticker, name }),
    'exchange-prefixed': ({ ticker, name }) => ({ symbol: `NASDAQ:${ticker}`, ticker, name }),
  });
  return shape === 'list-object' ? { list: rows, total: rows.length } : rows;
}

/** GET /crypto-stocks/{stock_ticker}/market-cap */
export function stockMarketCap(call: Call): readonly Body[] {
  const { ticker } = stockOf(call);
  return lastDays(call, (date, n) => ({
    date,
    ticker,
    market_cap: Math.round(1e9 * (1 + noise(ticker, n))),
  }));
}

/** GET /crypto-stocks/sector */
export function sectorList(call: Call): unknown {
  const { world } = call;
  const shape = world.choice('sector-list');
  const members = (name: string): readonly string[] =>
    stocks(world).flatMap(({ sector, ticker }) => (sector === name ? [ticker] : []));
  return listOf(call, shape, { date: NEEDED }, sectors(world), {
    usual: (name) => ({ sector_name: name, count: members(name).length }),
    texts: (name) => name,
    'display-and-path': (name) => ({ display_name: name, sector_name: slugOf(name) }),
    'with-members': (name) => ({ sector_name: name, stocks: members(name) }),
  });
}

/** Names of the sectors as paths take them. */
export const sectorNames = (world: World): readonly string[] =>
  sectors(world).map((name) => (world.is('sector-list', 'display-and-path') ? slugOf(name) : name));

/** GET /crypto-stocks/sector/{sector_name}/index */
export function sectorIndex(call: Call): readonly Body[] {
  const wanted = call.path['sector_name'] ?? '';
  const symbol = sectors(call.world)[sectorNames(call.world).indexOf(wanted)];
  if (symbol === undefined) notFound(call.world, 'Sector', 'sector_name', wanted);
  return lastDays(call, (date) => ({
    date,
    value: candle(call.world, { symbol, base: 1000 }, date).close,
  }));
}

const INDICES = ['Layer 1', 'DeFi', 'Meme', 'RWA', 'GameFi', 'AI'];

/** All indices. */
export const indices = (world: World) =>
  INDICES.slice(0, world.count('indices')).map((name) => {
    const plain = name.replaceAll(' ', '');
    const ticker = world.of('index-tickers', {
      upper: `SS${plain.toUpperCase()}`,
      mixed: `ss${plain}`,
      slashed: `SSI/${plain}`,
    });
    return { ticker, name: `${name} Index` };
  });

/** GET /indices */
export function indexList(call: Call): unknown {
  const { world } = call;
  const shape = world.choice('index-list');
  const rows = listOf(call, shape, { category: NEEDED }, indices(world), {
    usual: (one) => one,
    texts: ({ ticker }) => ticker,
    'id-and-name': ({ ticker, name }, index) => ({ id: index + 1, name, index_ticker: ticker }),
  });
  return shape === 'list-object' ? { list: rows } : rows;
}

/** The ticker of the path. */
function indexOf({ world, path }: Call): string {
  const ticker = path['index_ticker'] ?? '';
  if (!indices(world).some((one) => one.ticker === ticker))
    notFound(world, 'Index', 'index_ticker', ticker);
  return ticker;
}

/** GET /indices/{index_ticker}/constituents */
export function constituents(call: Call): readonly Body[] {
  indexOf(call);
  const weights = bare(call) ? [] : [40, 30, 20, 10];
  return weights.map((weight, index) => ({ symbol: nameOf(index).symbol, weight }));
}

/** GET /indices/{index_ticker}/market-snapshot */
export function indexSnapshot(call: Call): Body {
  const ticker = indexOf(call);
  const price = rounded(1000 * (1 + noise(ticker)));
  return bare(call) ? {} : { ticker, price, change_pct_24h: 0.4 };
}

/** GET /indices/{index_ticker}/klines */
export function indexKlines(call: Call): readonly Body[] {
  const symbol = indexOf(call);
  return lastDays(call, (date) => {
    const row = candle(call.world, { symbol, base: 1000 }, date);
    return { ...row, volume: undefined };
  });
}

/** GET /news/hot */
export const hotNews = (call: Call): Body =>
  envelope(bare(call) ? [] : newsAt(call).slice(0, 20), { page: 1, page_size: 20 }, (one) =>
    newsItem(call.world, one, 'en'),
  );

/** GET /news/search. Without a keyword there is nothing to search for; whatever it is, it is found in the same news. */
export function searchNews(call: Call): Body {
  readParams(call, { keyword: NEEDED });
  return hotNews(call);
}

/** Identifiers of the projects. */
export const projectIds = (world: World): readonly string[] =>
  times(world.count('projects'), projectId);

/** GET /fundraising/projects */
export function projectList(call: Call): unknown {
  const { world } = call;
  const shape = world.choice('project-list');
  const list = projectIds(world).map((project_id, index) => ({ project_id, ...nameOf(index) }));
  const rows = listOf(call, shape, { round: NEEDED }, list, {
    usual: ({ project_id, name }) => ({ project_id, project_name: written(world, name) }),
    'id-and-slug': ({ project_id, name }, index) => ({
      id: index + 1,
      slug: slugOf(name),
      project_id,
      name: written(world, name),
    }),
  });
  return shape === 'paged' ? envelope(rows, { page: 1, page_size: 300 }) : rows;
}

/** GET /fundraising/projects/{project_id} */
export function projectDetail({ world, path }: Call): Body {
  const id = path['project_id'] ?? '';
  const index = projectIds(world).indexOf(id);
  if (index === -1) notFound(world, 'Project', 'project_id', id);
  return { project_id: id, project_name: written(world, nameOf(index).name), rounds: [] };
}

/** GET /macro/events */
export function eventList(call: Call): unknown {
  const { world, now } = call;
  const shape = world.choice('event-list');
  const date = utcDay(now);
  const rows = listOf(call, shape, { date: { ...day(), required: true } }, macroEvents(world), {
    usual: ({ name }) => ({ event: name, country: 'US', date }),
    texts: ({ name }) => name,
    'by-date': ({ name }) => name,
    'display-and-path': ({ name, title, index }) => ({
      id: 300 + index,
      title: `${title} (US)`,
      event: name,
      date,
    }),
  });
  if (shape === 'by-date') {
    const half = Math.ceil(rows.length / 2);
    return [
      { date, events: rows.slice(0, half) },
      { date: utcDay(now - DAY), events: rows.slice(half) },
    ];
  }
  return shape === 'list-object' ? { list: rows, total: rows.length } : rows;
}

const CHARTS = [
  'btc dominance',
  'etf flows',
  'stablecoin supply',
  'fear and greed',
  'open interest',
  'funding rate',
  'rainbow',
  'altcoin season',
];

/** Names of charts as paths take them. */
export const charts = (world: World): readonly string[] =>
  times(world.count('charts'), (index) => {
    const base = CHARTS[index] ?? `${at(CHARTS, index)} ${index}`;
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

/** GET /analyses */
export const chartList = ({ world }: Call): readonly Body[] =>
  charts(world).map((chart_name, index) => {
    const { time, own } = chartFields(index);
    const fields = world.is('chart-fields', 'with-time') ? [time, ...own] : own;
    return { chart_name, time_field: time.name, fields };
  });

/** GET /analyses/{chart_name} */
export function chartData(call: Call): unknown {
  const { world, path } = call;
  const name = path['chart_name'] ?? '';
  const index = charts(world).indexOf(name);
  if (index === -1) notFound(world, 'Chart', 'chart_name', name);
  const { time, own } = chartFields(index);
  const shape = world.choice('chart-data');
  if (shape === 'needs-parameter') readParams(call, { start_time: { ...ms, required: true } });
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
