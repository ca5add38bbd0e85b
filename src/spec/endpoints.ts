import type { ResourceName } from './resources.ts';
import { COUNTRIES, ETF_SYMBOLS, KLINE_INTERVALS, LANGUAGES, NEWS_CATEGORY_IDS } from './values.ts';
import { NEWS_MAX_ITEMS, type WindowName } from './limits.ts';

/** A query parameter of an endpoint, from its table in §4. */
export interface QueryParameter {
  readonly type: 'string' | 'integer' | 'timestamp' | 'date' | 'integer-list';
  readonly required?: true;
  readonly default?: string | number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Largest value allowed by any reading of the specification, if greater than the maximum (ruling 4). */
  readonly utmost?: number;
  readonly enum?: readonly (string | number)[];
  readonly caseInsensitive?: true;
}

/** Fixtures that fill the path parameters, named as in the target file. */
const FIXTURES = {
  currency_id: 'currencyIds',
  ticker: 'etfTickers',
  stock_ticker: 'stockTickers',
  index_ticker: 'indexTickers',
  sector_name: 'sectorNames',
  event: 'macroEvents',
  chart_name: 'chartNames',
  project_id: 'projectIds',
} as const;
export type FixtureKind = (typeof FIXTURES)[keyof typeof FIXTURES];

/** Shape of a successful response. `unstated` marks the purpose-only endpoints of §4.7. */
export interface ResponseShape {
  readonly kind: 'object' | 'array' | 'page' | 'unstated';
  readonly resource?: ResourceName;
  /** True for a ranking by a live value: neighbours may swap between two requests. */
  readonly ranked?: true;
}

export interface Endpoint {
  /** Operation id in the OpenAPI document; stable, because generated clients use it. */
  readonly operation: string;
  readonly section: '4.1' | '4.2' | '4.3' | '4.4' | '4.5' | '4.6' | '4.7';
  readonly purpose: string;
  /** Path parameters and the fixtures that fill them. */
  readonly path: Readonly<Record<string, FixtureKind>>;
  readonly query: Readonly<Record<string, QueryParameter>>;
  /** Recent window to which the records are limited. */
  readonly window?: WindowName;
  readonly response: ResponseShape;
}

/** What the table below says of an endpoint; the rest follows from its path. */
type Stated = Omit<Endpoint, 'path' | 'query'> & Partial<Pick<Endpoint, 'query'>>;

const limit = (fallback: number, maximum: number): QueryParameter => ({
  type: 'integer',
  default: fallback,
  maximum,
});
const klineQuery = {
  interval: { type: 'string', required: true, enum: KLINE_INTERVALS },
  start_time: { type: 'timestamp' },
  end_time: { type: 'timestamp' },
  limit: limit(100, 500),
} as const satisfies Record<string, QueryParameter>;
const unstated = (operation: string, purpose: string): Stated => ({
  operation,
  section: '4.7',
  purpose,
  response: { kind: 'unstated' },
});

/** All endpoints of §4 by path template. All are GET and need an API key. */
export const ENDPOINTS = {
  '/currencies/{currency_id}': {
    operation: 'getCurrency',
    section: '4.1',
    purpose: 'currency info',
    response: { kind: 'object', resource: 'currency-info' },
  },
  '/currencies/{currency_id}/market-snapshot': {
    operation: 'getCurrencyMarketSnapshot',
    section: '4.1',
    purpose: 'currency market snapshot',
    response: { kind: 'object', resource: 'currency-snapshot' },
  },
  '/currencies/{currency_id}/token-economics': {
    operation: 'getTokenEconomics',
    section: '4.1',
    purpose: 'token economics',
    response: { kind: 'object', resource: 'token-economics' },
  },
  '/currencies/{currency_id}/klines': {
    operation: 'listCurrencyKlines',
    section: '4.1',
    purpose: 'currency klines',
    query: klineQuery,
    window: 'klines',
    response: { kind: 'array', resource: 'kline' },
  },
  '/currencies/{currency_id}/pairs': {
    operation: 'listCurrencyPairs',
    section: '4.1',
    purpose: 'trading pairs',
    query: {
      page: { type: 'integer' },
      page_size: { type: 'integer', default: 20, maximum: 100 },
      order_by: { type: 'string' },
      exchange: { type: 'string' },
    },
    response: { kind: 'page', resource: 'trading-pair', ranked: true },
  },
  '/currencies/{currency_id}/fundraising': {
    operation: 'getCurrencyFundraising',
    section: '4.1',
    purpose: 'currency fundraising',
    response: { kind: 'object', resource: 'fundraising' },
  },
  '/news': {
    operation: 'listNews',
    section: '4.2',
    purpose: 'news',
    query: {
      category: { type: 'string', enum: NEWS_CATEGORY_IDS },
      language: { type: 'string', default: 'en', enum: LANGUAGES },
      currency_id: { type: 'string' },
      project_id: { type: 'string' },
      page: { type: 'integer', default: 1 },
      page_size: { type: 'integer', default: 20, maximum: 100, utmost: NEWS_MAX_ITEMS },
      start_time: { type: 'timestamp' },
      end_time: { type: 'timestamp' },
    },
    window: 'news',
    response: { kind: 'page', resource: 'news-item' },
  },
  '/news/featured': {
    operation: 'listFeaturedNews',
    section: '4.2',
    purpose: 'featured news',
    query: {
      page: { type: 'integer', required: true, minimum: 1 },
      page_size: { type: 'integer', required: true, minimum: 20, maximum: 100 },
      language: { type: 'string', default: 'en', enum: LANGUAGES },
      category: { type: 'integer-list', enum: NEWS_CATEGORY_IDS },
    },
    response: { kind: 'page', resource: 'featured-news-item' },
  },
  '/etfs/summary-history': {
    operation: 'listEtfSummaryHistory',
    section: '4.3',
    purpose: 'ETF summary history of one asset in one country',
    query: {
      symbol: { type: 'string', required: true, enum: ETF_SYMBOLS, caseInsensitive: true },
      country_code: { type: 'string', required: true, enum: COUNTRIES, caseInsensitive: true },
      start_date: { type: 'date' },
      end_date: { type: 'date' },
      limit: limit(50, 300),
    },
    window: 'etf',
    response: { kind: 'array', resource: 'etf-summary-row' },
  },
  '/etfs/{ticker}/history': {
    operation: 'listEtfHistory',
    section: '4.4',
    purpose: 'history of one ETF',
    query: { start_date: { type: 'date' }, end_date: { type: 'date' }, limit: limit(50, 300) },
    window: 'etf',
    response: { kind: 'array', resource: 'etf-history-row' },
  },
  '/crypto-stocks/{stock_ticker}/market-snapshot': {
    operation: 'getStockMarketSnapshot',
    section: '4.5',
    purpose: 'crypto stock market snapshot',
    response: { kind: 'object', resource: 'stock-snapshot' },
  },
  '/crypto-stocks/{stock_ticker}/klines': {
    operation: 'listStockKlines',
    section: '4.5',
    purpose: 'crypto stock klines',
    query: klineQuery,
    window: 'klines',
    response: { kind: 'array', resource: 'kline' },
  },
  '/macro/events/{event}/history': {
    operation: 'listMacroEventHistory',
    section: '4.6',
    purpose: 'history of one macro event',
    query: { start_date: { type: 'date' }, end_date: { type: 'date' }, limit: limit(50, 100) },
    response: { kind: 'array', resource: 'macro-history-row' },
  },
  '/analyses': {
    operation: 'listCharts',
    section: '4.6',
    purpose: 'list of analysis charts',
    response: { kind: 'array', resource: 'chart' },
  },
  '/crypto-stocks': unstated('listStocks', 'crypto stocks list'),
  '/crypto-stocks/{stock_ticker}/market-cap': unstated(
    'listStockMarketCap',
    'historical market cap of a company',
  ),
  '/crypto-stocks/sector': unstated('listStockSectors', 'crypto stock sectors'),
  '/crypto-stocks/sector/{sector_name}/index': unstated(
    'listSectorIndexHistory',
    'sector index history',
  ),
  '/indices': unstated('listIndices', 'index list'),
  '/indices/{index_ticker}/constituents': unstated(
    'listIndexConstituents',
    'index constituents and weights',
  ),
  '/indices/{index_ticker}/market-snapshot': unstated(
    'getIndexMarketSnapshot',
    'index market snapshot',
  ),
  '/indices/{index_ticker}/klines': unstated('listIndexKlines', 'index klines'),
  '/etfs': unstated('listEtfs', 'ETF list'),
  '/etfs/{ticker}/market-snapshot': unstated(
    'getEtfMarketSnapshot',
    'ETF market snapshot, latest settled figures',
  ),
  '/news/hot': unstated('listHotNews', 'hot news'),
  '/news/search': unstated('searchNews', 'news by keyword'),
  '/fundraising/projects': unstated('listFundraisingProjects', 'fundraising project list'),
  '/fundraising/projects/{project_id}': unstated(
    'getFundraisingProject',
    'fundraising project detail',
  ),
  '/macro/events': unstated('listMacroEvents', 'macro events by date'),
  '/analyses/{chart_name}': unstated('getChartData', 'data of one analysis chart'),
  '/currencies': unstated('listCurrencies', 'currency list'),
} as const satisfies Record<string, Stated>;

export type EndpointPath = keyof typeof ENDPOINTS;
export const ENDPOINT_PATHS = Object.keys(ENDPOINTS) as EndpointPath[];

const WITH_FIXTURES = new Map<EndpointPath, Endpoint>(
  ENDPOINT_PATHS.map((template) => {
    const named = Object.entries(FIXTURES).filter(([name]) => template.includes(`{${name}}`));
    return [template, { query: {}, ...ENDPOINTS[template], path: Object.fromEntries(named) }];
  }),
);

/**
 * An endpoint with the fixtures of its path.
 * @throws RangeError for a path that is not in §4
 */
export function endpoint(path: EndpointPath): Endpoint {
  const found = WITH_FIXTURES.get(path);
  if (found === undefined) throw new RangeError(`${path} is not an endpoint`);
  return found;
}

/**
 * The identifier in a path and the fixtures that fill it.
 * @throws TypeError for a path without one
 */
export function identifierOf(path: EndpointPath): { name: string; kind: FixtureKind } {
  const [[name, kind] = []] = Object.entries(endpoint(path).path);
  if (name === undefined || kind === undefined) throw new TypeError(`${path} has no identifier`);
  return { name, kind };
}

/** Default and bounds of a number in the table of an endpoint. */
export interface Bounds {
  readonly fallback: number | null;
  /** 1 if not specified. */
  readonly minimum: number;
  readonly maximum: number;
  /** Largest value allowed by any reading. */
  readonly utmost: number;
}

/**
 * Default and bounds of a query parameter.
 * @throws RangeError when it has no specified maximum
 */
export function boundsOf(path: EndpointPath, parameter: string): Bounds {
  const { default: fallback, minimum = 1, maximum, utmost } = endpoint(path).query[parameter] ?? {};
  if (maximum === undefined) throw new RangeError(`${path} states no maximum for ${parameter}`);
  return {
    fallback: typeof fallback === 'number' ? fallback : null,
    minimum,
    maximum,
    utmost: utmost ?? maximum,
  };
}

/** Required query parameters of an endpoint, with the first specified value of each. */
export function requiredQuery(path: EndpointPath): Readonly<Record<string, string | number>> {
  const required = Object.entries(endpoint(path).query).filter(([, facts]) => facts.required);
  return Object.fromEntries(
    required.map(([name, facts]) => [name, facts.enum?.[0] ?? facts.minimum ?? 1]),
  );
}

/** Ruling 11: not every currency has token economics or fundraising; a 404 in the error shape is correct then. */
export const mayBeAbsent = (path: EndpointPath | null): boolean =>
  path === '/currencies/{currency_id}/token-economics' ||
  path === '/currencies/{currency_id}/fundraising';
