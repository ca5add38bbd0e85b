import type { EndpointPath } from '../spec/endpoints.ts';

/** Static description of a property. */
export interface PropertyFacts {
  readonly name: string;
  /** What is generated; the title of its checks. */
  readonly title: string;
  /** Endpoints that it requests; empty when the endpoint is generated, too. */
  readonly endpoints: readonly EndpointPath[];
  /** Maximum number of requests in an unbounded run. */
  readonly requests: number;
}

/**
 * Properties with generated requests: one for each endpoint with parameters, one for identifiers, one for unspecified
 * parameters.
 */
export const DRAWN = [
  {
    name: 'currency-klines',
    title: 'any klines of a currency',
    endpoints: ['/currencies/{currency_id}/klines'],
    requests: 12,
  },
  {
    name: 'pairs',
    title: 'any pages of pairs',
    endpoints: ['/currencies/{currency_id}/pairs'],
    requests: 16,
  },
  {
    name: 'news',
    title: 'any pages of news',
    endpoints: ['/news'],
    requests: 22,
  },
  {
    name: 'featured-news',
    title: 'any pages of featured news',
    endpoints: ['/news/featured'],
    requests: 12,
  },
  {
    name: 'etf-summary',
    title: 'any ETF summary',
    endpoints: ['/etfs/summary-history'],
    requests: 16,
  },
  {
    name: 'etf-history',
    title: 'any history of an ETF',
    endpoints: ['/etfs/{ticker}/history'],
    requests: 10,
  },
  {
    name: 'stock-klines',
    title: 'any klines of a stock',
    endpoints: ['/crypto-stocks/{stock_ticker}/klines'],
    requests: 8,
  },
  {
    name: 'macro-history',
    title: 'any history of a macro event',
    endpoints: ['/macro/events/{event}/history'],
    requests: 8,
  },
  {
    name: 'identifiers',
    title: 'any identifier in a path',
    endpoints: [],
    requests: 8,
  },
  {
    name: 'unstated-parameters',
    title: 'any parameter that is not in the specification',
    endpoints: [],
    requests: 8,
  },
] as const satisfies readonly PropertyFacts[];

/** Properties by name. */
export type DrawnName = (typeof DRAWN)[number]['name'];

/** Names of all properties. */
export const ALL_DRAWN: readonly DrawnName[] = DRAWN.map(({ name }) => name);

/** Requests that property searches leave for later checks, such as those that advance the clock. */
export const LEFT_TO_OTHERS = 24;
