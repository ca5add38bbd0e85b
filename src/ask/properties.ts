import type { EndpointPath } from '../contract/endpoints.ts';

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

/** The limiter against a model of it: any steps with several keys at once. */
export const LIMITER = {
  name: 'limiter',
  title: 'any traffic of several keys',
  endpoints: [],
  requests: 64,
} as const satisfies PropertyFacts;

export const PROPERTIES = [...DRAWN, LIMITER] as const;

/** Properties whose requests are made up. */
export type DrawnName = (typeof DRAWN)[number]['name'];
export type PropertyName = (typeof PROPERTIES)[number]['name'];

/** Their names: what holds for every answer holds for theirs. */
export const ALL_DRAWN: readonly DrawnName[] = DRAWN.map(({ name }) => name);

/** Requests with valid keys that all properties together may ask for in a run without a bound. */
export const ALL_REQUESTS = PROPERTIES.reduce((sum, { requests }) => sum + requests, 0);

/**
 * Requests that a property may ask for when `left` remain in the run: its share of what the properties are given. A few
 * are left to the checks that come after them.
 */
export function shareOf(requests: number, left: number): number {
  const given = Math.min(ALL_REQUESTS, Math.max(0, left - LEFT_TO_OTHERS));
  return Math.floor((requests * given) / ALL_REQUESTS);
}

const LEFT_TO_OTHERS = 4;
