import type { EndpointPath } from '../spec/endpoints.ts';

/** What is known of a property without drawing anything. */
export interface PropertyFacts {
  readonly name: string;
  /** What is drawn, as the title of its checks. */
  readonly title: string;
  /** Endpoints that it asks; empty for those that draw the endpoint as well. */
  readonly endpoints: readonly EndpointPath[];
  /** Requests that it may ask for in a run without a bound. */
  readonly requests: number;
}

/** Properties whose requests are made up: one for each endpoint with parameters, one for identifiers, one for parameters that are not stated. */
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
    title: 'any parameter that is not stated',
    endpoints: [],
    requests: 8,
  },
] as const satisfies readonly PropertyFacts[];

/** Properties by name. */
export type DrawnName = (typeof DRAWN)[number]['name'];

/** Their names: what holds for every answer holds for theirs. */
export const ALL_DRAWN: readonly DrawnName[] = DRAWN.map(({ name }) => name);

/** Requests that searches leave to what comes after them: what moves the clock is last, and asks for some days. */
export const LEFT_TO_OTHERS = 24;
