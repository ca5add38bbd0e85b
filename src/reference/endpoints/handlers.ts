import { endpoint } from '../../spec/endpoints.ts';
import type { EndpointPath, QueryParameter } from '../../spec/endpoints.ts';
import { COUNTRIES, ETF_SYMBOLS, LANGUAGES } from '../../spec/values.ts';
import { Refusal } from '../refusal.ts';
import type { JsonObject } from '../world.ts';
import { entity, ranged, type Handler } from './call.ts';
import { NEWS } from './news.ts';
import { pairs } from './pairs.ts';

const currency = entity('currency_id', 'Currency', '/currencies');
const etf = entity('ticker', 'ETF', '/etfs');
const stock = entity('stock_ticker', 'Stock', '/crypto-stocks');
const index = entity('index_ticker', 'Index', '/indices');

/** Summary of one asset in one country; a pair that is not listed is refused as §4.3 rule 2 says. */
const etfSummary: Handler<readonly JsonObject[]> = ({ world, query, now }) => {
  const [asset = '', country = ''] = [query.text('symbol'), query.text('country_code')];
  const symbol = ETF_SYMBOLS.find((one) => one === asset);
  const code = COUNTRIES.find((one) => one === country);
  const rows =
    symbol === undefined || code === undefined ? undefined : world.etfSummary(symbol, code, now);
  if (rows !== undefined) return rows;
  throw new Refusal(
    'invalidFormat',
    `Unsupported ETF category: symbol=${asset}, country_code=${country}`,
    {
      field: 'symbol',
      value: asset,
      issue: `No ETF on ${asset} is listed in ${country}.`,
      suggestion: 'GET /etfs lists the ETFs of every country.',
    },
  );
};

/** One handler for each endpoint of §4. */
export const HANDLERS: Readonly<Record<EndpointPath, Handler>> = {
  '/currencies': ({ world, now }) => world.currencyList(now),
  '/currencies/{currency_id}': currency('currencyInfo'),
  '/currencies/{currency_id}/market-snapshot': currency('currencySnapshot'),
  '/currencies/{currency_id}/token-economics': currency('tokenEconomics'),
  '/currencies/{currency_id}/klines': ranged(currency('currencyKlines'), 'time', 'klines'),
  '/currencies/{currency_id}/pairs': pairs(currency('pairs')),
  '/currencies/{currency_id}/fundraising': currency('fundraising'),
  ...NEWS,
  '/etfs': ({ world }) =>
    world.etfs.map(({ country, ...listing }) => ({ ...listing, country_code: country })),
  '/etfs/summary-history': ranged(etfSummary, 'date', 'etf'),
  '/etfs/{ticker}/history': ranged(etf('etfHistory'), 'date', 'etf'),
  '/etfs/{ticker}/market-snapshot': etf('etfSnapshot'),
  '/crypto-stocks': ({ world, now }) => world.stockList(now),
  '/crypto-stocks/{stock_ticker}/market-snapshot': stock('stockSnapshot'),
  '/crypto-stocks/{stock_ticker}/klines': ranged(stock('stockKlines'), 'time', 'klines'),
  '/crypto-stocks/{stock_ticker}/market-cap': stock('stockMarketCap'),
  '/crypto-stocks/sector': ({ world, now }) => world.stockSectors(now),
  '/crypto-stocks/sector/{sector_name}/index': entity(
    'sector_name',
    'Sector',
    '/crypto-stocks/sector',
  )('sectorIndex'),
  '/macro/events': ({ world, now }) => world.macroCalendar(now),
  // No recent window is stated for macro history (§4.6); only `limit` bounds it.
  '/macro/events/{event}/history': ranged(
    entity('event', 'Event', '/macro/events')('macroHistory'),
    'date',
  ),
  '/analyses': ({ world }) => world.charts(),
  '/analyses/{chart_name}': entity('chart_name', 'Chart', '/analyses')('chartData'),
  '/indices': ({ world, now }) => world.indexList(now),
  '/indices/{index_ticker}/constituents': index('indexConstituents'),
  '/indices/{index_ticker}/market-snapshot': index('indexSnapshot'),
  '/indices/{index_ticker}/klines': index('indexKlines'),
  '/fundraising/projects': ({ world, now }) => world.fundraisingProjects(now),
  '/fundraising/projects/{project_id}': entity(
    'project_id',
    'Project',
    '/fundraising/projects',
  )('fundraisingProject'),
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
