import { endpoint } from '../../contract/endpoints.ts';
import type { EndpointPath, QueryParameter } from '../../contract/endpoints.ts';
import { LANGUAGES } from '../../contract/values.ts';
import type { Handler } from './call.ts';
import * as charts from './charts.ts';
import * as currencies from './currencies.ts';
import * as etfs from './etfs.ts';
import * as indices from './indices.ts';
import * as macro from './macro.ts';
import * as news from './news.ts';
import * as projects from './projects.ts';
import * as stocks from './stocks.ts';

/** One handler for each of the 31 endpoints of §4. */
export const HANDLERS: Readonly<Record<EndpointPath, Handler>> = {
  '/currencies/{currency_id}': currencies.currencyInfo,
  '/currencies/{currency_id}/market-snapshot': currencies.currencySnapshot,
  '/currencies/{currency_id}/token-economics': currencies.tokenEconomics,
  '/currencies/{currency_id}/klines': currencies.currencyKlines,
  '/currencies/{currency_id}/pairs': currencies.pairs,
  '/currencies/{currency_id}/fundraising': currencies.fundraising,
  '/news': news.news,
  '/news/featured': news.featuredNews,
  '/etfs/summary-history': etfs.etfSummaryHistory,
  '/etfs/{ticker}/history': etfs.etfHistory,
  '/crypto-stocks/{stock_ticker}/market-snapshot': stocks.stockSnapshot,
  '/crypto-stocks/{stock_ticker}/klines': stocks.stockKlines,
  '/macro/events/{event}/history': macro.macroHistory,
  '/analyses': charts.charts,
  '/crypto-stocks': stocks.stockList,
  '/crypto-stocks/{stock_ticker}/market-cap': stocks.stockMarketCap,
  '/crypto-stocks/sector': stocks.stockSectors,
  '/crypto-stocks/sector/{sector_name}/index': stocks.sectorIndex,
  '/indices': indices.indexList,
  '/indices/{index_ticker}/constituents': indices.indexConstituents,
  '/indices/{index_ticker}/market-snapshot': indices.indexSnapshot,
  '/indices/{index_ticker}/klines': indices.indexKlines,
  '/etfs': etfs.etfList,
  '/etfs/{ticker}/market-snapshot': etfs.etfSnapshot,
  '/news/hot': news.hotNews,
  '/news/search': news.newsSearch,
  '/fundraising/projects': projects.projectList,
  '/fundraising/projects/{project_id}': projects.projectDetail,
  '/macro/events': macro.macroCalendar,
  '/analyses/{chart_name}': charts.chartData,
  '/currencies': currencies.currencyList,
};

const NEWS_PAGING: Readonly<Record<string, QueryParameter>> = {
  language: { type: 'string', default: 'en', enum: LANGUAGES },
  page: { type: 'integer', default: 1 },
  page_size: { type: 'integer', default: 20, maximum: 100 },
};

/** Parameters of endpoints whose parameters the specification leaves open (§4.7): this server's own. */
const OWN_PARAMETERS: Readonly<Partial<Record<EndpointPath, typeof NEWS_PAGING>>> = {
  '/news/hot': NEWS_PAGING,
  '/news/search': { keyword: { type: 'string', required: true }, ...NEWS_PAGING },
};

/** The parameter rules that this server applies to an endpoint. */
export function parameterRules(path: EndpointPath): Readonly<Record<string, QueryParameter>> {
  return OWN_PARAMETERS[path] ?? endpoint(path).query;
}
