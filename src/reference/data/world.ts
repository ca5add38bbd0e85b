import type { World } from '../world.ts';
import { createCharts } from './charts.ts';
import { createCurrencies } from './currencies.ts';
import { currencyInfo, tokenEconomics } from './currency-info.ts';
import { createEtfs } from './etfs.ts';
import { createFundraising } from './fundraising.ts';
import { createIndices } from './indices.ts';
import { createMacro } from './macro.ts';
import { bounded } from './memo.ts';
import { createNews } from './news.ts';
import { createPairs, EXCHANGE_NAMES } from './pairs.ts';
import { createSnapshots } from './snapshots.ts';
import { createStocks } from './stocks.ts';
import type { JsonObject } from '../world.ts';

/**
 * Builds the data of a seed. Cheap: everything is worked out when it is first asked for, then kept for its minute or
 * its day. Answers are shared between callers and must not be changed. `now` is epoch ms from 2024-01-01 on.
 */
export function createWorld(seed: number): World {
  const currencies = createCurrencies(seed);
  const byId = new Map(currencies.map((currency) => [currency.id, currency]));
  const snapshots = createSnapshots(seed, currencies);
  const pairs = createPairs(seed);
  const fundraising = createFundraising(seed, currencies);
  const news = createNews(seed, currencies, fundraising);
  const etfs = createEtfs(seed, currencies);
  const stocks = createStocks(seed);
  const indices = createIndices(seed, currencies);
  const macro = createMacro(seed);
  const charts = createCharts(seed, currencies, etfs);
  const infos = bounded<string, JsonObject>(currencies.length);
  const economics = bounded<string, JsonObject>(currencies.length);
  const currencyList = currencies.map(({ id, symbol, name }) => ({
    currency_id: id,
    symbol,
    name,
  }));

  return {
    seed,
    currencyIds: currencies.map(({ id }) => id),
    stockTickers: stocks.tickers,
    indexTickers: indices.tickers,
    sectorNames: stocks.sectorNames,
    macroEvents: macro.events,
    chartNames: charts.names,
    projectIds: fundraising.projectIds,
    exchanges: EXCHANGE_NAMES,
    etfs: etfs.list,

    currencyList: () => currencyList,
    currencyInfo(id) {
      const currency = byId.get(id);
      return currency && infos.get(id, () => currencyInfo(seed, currency));
    },
    currencySnapshot(id, now) {
      const currency = byId.get(id);
      return currency && snapshots.of(currency, now);
    },
    tokenEconomics(id) {
      const currency = byId.get(id);
      return currency && economics.get(id, () => tokenEconomics(seed, currency));
    },
    currencyKlines: (id, now) => byId.get(id)?.klines.at(now),
    pairs(id, now) {
      const currency = byId.get(id);
      return currency && pairs.of(currency, now);
    },
    fundraising: (id) => fundraising.ofCurrency(id),

    news: (now) => news.all(now),
    featuredNews: (now) => news.featured(now),
    hotNews: (now) => news.hot(now),

    etfSummary: (symbol, country, now) => etfs.summary(symbol, country, now),
    etfHistory: (ticker, now) => etfs.history(ticker, now),
    etfSnapshot: (ticker, now) => etfs.snapshot(ticker, now),

    stockList: () => stocks.list(),
    stockSnapshot: (ticker, now) => stocks.snapshot(ticker, now),
    stockMarketCap: (ticker, now) => stocks.marketCap(ticker, now),
    stockKlines: (ticker, now) => stocks.klines(ticker, now),
    stockSectors: () => stocks.sectors(),
    sectorIndex: (name, now) => stocks.sectorIndex(name, now),

    indexList: () => indices.list(),
    indexConstituents: (ticker, now) => indices.constituents(ticker, now),
    indexSnapshot: (ticker, now) => indices.snapshot(ticker, now),
    indexKlines: (ticker, now) => indices.klines(ticker, now),

    fundraisingProjects: () => fundraising.projects(),
    fundraisingProject: (id) => fundraising.project(id),

    macroCalendar: (now) => macro.calendar(now),
    macroHistory: (event, now) => macro.history(event, now),

    charts: () => charts.list(),
    chartData: (name, now) => charts.data(name, now),
  };
}
