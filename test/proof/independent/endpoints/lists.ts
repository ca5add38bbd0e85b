import { numberOf, textValue, type Call } from '../core/call.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { noise } from '../core/random.ts';
import { currencies } from '../data/currencies.ts';
import { nameOf, slugOf, written } from '../data/names.ts';
import { newsAt } from '../data/news.ts';
import { indices, sectors, stocks } from '../data/others.ts';
import { candle, rounded } from '../data/prices.ts';
import { plusDays, utcDay } from '../data/calendar.ts';
import { projectId } from './fundraising.ts';
import { newsItem } from './news.ts';
import { paging, readParams } from './params.ts';
import { notFound, stockOf } from './stocks.ts';
import { envelope } from './write.ts';

/** Whether the lists whose shape nobody states are left empty. */
function bare(call: Call): boolean {
  return call.world.choice('purpose-empty') === 'empty';
}

/** Demands a parameter that nobody states, where the world has it so. */
function demand(call: Call, needed: boolean, name: string): void {
  if (needed) readParams(call, [{ name, kind: 'text', required: true }]);
}

/** GET /currencies */
export function currencyList(call: Call): Json {
  const { world } = call;
  const choice = world.choice('currency-list');
  demand(call, choice === 'needs-parameter', 'exchange');
  const list = bare(call) ? [] : currencies(world);
  if (choice === 'texts') return list.map(({ id }) => id);
  const rows = list.map(({ id, name, symbol, index }): JsonObject => {
    const full_name = written(world, name);
    if (choice === 'id-and-symbol') return { symbol, name: full_name, id };
    if (choice === 'symbol-first')
      return { symbol, slug: slugOf(name), currency_id: id, rank: index + 1 };
    if (choice === 'numeric-id')
      return { id: index + 1, currency_id: id, currency_name: full_name };
    if (choice === 'by-symbol') return { name: symbol.toLowerCase(), full_name, currency_id: id };
    return { currency_id: id, name: full_name, symbol };
  });
  if (choice === 'list-object') return { list: rows };
  if (choice !== 'paged') return rows;
  const values = readParams(call, paging());
  return envelope(
    rows,
    numberOf({ ...call, values }, 'page', 1),
    numberOf({ ...call, values }, 'page_size', 20),
  );
}

/** GET /crypto-stocks */
export function stockList(call: Call): Json {
  const { world } = call;
  const choice = world.choice('stock-list');
  demand(call, choice === 'needs-parameter', 'sector');
  const list = bare(call) ? [] : stocks(world);
  if (choice === 'texts') return list.map(({ ticker }) => ticker);
  const rows = list.map(({ ticker, name, index, sector }): JsonObject => {
    const shown = written(world, name);
    if (choice === 'id-and-symbol') return { id: 100 + index, symbol: ticker, name: shown };
    if (choice === 'exchange-prefixed') return { symbol: `NASDAQ:${ticker}`, ticker, name: shown };
    return { ticker, name: shown, exchange: 'NASDAQ', sector };
  });
  return choice === 'list-object' ? { list: rows, total: rows.length } : rows;
}

/** GET /crypto-stocks/{stock_ticker}/market-cap */
export function stockMarketCap(call: Call): Json {
  const one = stockOf(call);
  if (bare(call)) return [];
  return Array.from({ length: 30 }, (_, n) => ({
    date: plusDays(utcDay(call.now), -n),
    ticker: one.ticker,
    market_cap: Math.round(1e9 * (1 + noise(one.ticker, n))),
  }));
}

function sectorPath(call: Call, name: string): string {
  return call.world.choice('sector-list') === 'display-and-path' ? slugOf(name) : name;
}

/** GET /crypto-stocks/sector */
export function sectorList(call: Call): Json {
  const { world } = call;
  const choice = world.choice('sector-list');
  demand(call, choice === 'needs-parameter', 'date');
  const list = bare(call) ? [] : sectors(world);
  if (choice === 'texts') return list;
  return list.map((name): JsonObject => {
    if (choice === 'display-and-path') return { display_name: name, sector_name: slugOf(name) };
    const members = stocks(world).filter(({ sector }) => sector === name);
    return choice === 'with-members'
      ? { sector_name: name, stocks: members.map(({ ticker }) => ticker) }
      : { sector_name: name, count: members.length };
  });
}

/** GET /crypto-stocks/sector/{sector_name}/index */
export function sectorIndex(call: Call): Json {
  const wanted = call.path['sector_name'] ?? '';
  const found = sectors(call.world).find((name) => sectorPath(call, name) === wanted);
  if (found === undefined) throw notFound(call, 'Sector', 'sector_name', wanted);
  if (bare(call)) return [];
  return series(call, found, 'value');
}

function series(call: Call, name: string, field: string): JsonObject[] {
  const { world, now } = call;
  return Array.from({ length: 30 }, (_, n) => {
    const one = candle(world, name, 1000, plusDays(utcDay(now), -n));
    return field === 'kline'
      ? { timestamp: one.time, open: one.open, high: one.high, low: one.low, close: one.close }
      : { date: utcDay(one.time), [field]: one.close };
  });
}

/** GET /indices */
export function indexList(call: Call): Json {
  const { world } = call;
  const choice = world.choice('index-list');
  demand(call, choice === 'needs-parameter', 'category');
  const list = bare(call) ? [] : indices(world);
  if (choice === 'texts') return list.map(({ ticker }) => ticker);
  const rows = list.map(({ ticker, name }, index): JsonObject =>
    choice === 'id-and-name' ? { id: index + 1, name, index_ticker: ticker } : { ticker, name },
  );
  return choice === 'list-object' ? { list: rows } : rows;
}

/** GET /indices/{index_ticker}/constituents, /market-snapshot and /klines */
export function indexPart(part: 'constituents' | 'snapshot' | 'klines'): (call: Call) => Json {
  return (call) => {
    const ticker = call.path['index_ticker'] ?? '';
    const found = indices(call.world).find((one) => one.ticker === ticker);
    if (found === undefined) throw notFound(call, 'Index', 'index_ticker', ticker);
    if (bare(call)) return part === 'snapshot' ? {} : [];
    if (part === 'klines') return series(call, ticker, 'kline');
    if (part === 'snapshot')
      return { ticker, price: rounded(1000 * (1 + noise(ticker))), change_pct_24h: 0.4 };
    return [0, 1, 2, 3].map((index) => ({
      symbol: nameOf(index)[1],
      weight: [40, 30, 20, 10][index],
    }));
  };
}

/** GET /news/hot and /news/search */
export function newsList(kind: 'hot' | 'search'): (call: Call) => Json {
  return (call) => {
    const { world, now } = call;
    // Without a keyword there is nothing to search for.
    if (kind === 'search') readParams(call, [{ name: 'keyword', kind: 'text', required: true }]);
    const word = textValue(call, 'keyword') ?? '';
    const items = (bare(call) ? [] : newsAt(world, now, call.count))
      .slice(0, 20)
      .map((one) => newsItem(world, one, 'en'));
    const found = items.filter(
      ({ title }) => typeof title === 'string' && title.toLowerCase().includes(word.toLowerCase()),
    );
    return envelope(found, 1, 20);
  };
}

/** GET /fundraising/projects */
export function projectList(call: Call): Json {
  const { world } = call;
  const choice = world.choice('project-list');
  demand(call, choice === 'needs-parameter', 'round');
  const size = bare(call) ? 0 : world.count('projects');
  const rows = Array.from({ length: size }, (_, index): JsonObject => {
    const [name] = nameOf(index);
    return choice === 'id-and-slug'
      ? {
          id: index + 1,
          slug: slugOf(name),
          project_id: projectId(index),
          name: written(world, name),
        }
      : { project_id: projectId(index), project_name: written(world, name) };
  });
  return choice === 'paged' ? envelope(rows, 1, 300) : rows;
}

/** GET /fundraising/projects/{project_id} */
export function projectDetail(call: Call): Json {
  const { world } = call;
  const id = call.path['project_id'] ?? '';
  const index = Array.from({ length: world.count('projects') }, (_, n) => projectId(n)).indexOf(id);
  if (index === -1) throw notFound(call, 'Project', 'project_id', id);
  return { project_id: id, project_name: written(world, nameOf(index)[0]), rounds: [] };
}
