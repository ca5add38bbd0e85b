import type { EndpointPath } from '../spec/endpoints.ts';

/** A property: requests that are generated, to one endpoint if it names a path. */
const drawn = <const Name extends string>(
  name: Name,
  title: string,
  requests: number,
  path?: EndpointPath,
) => ({ name, title, requests, path });

/**
 * Properties with generated requests, and how many of them an unbounded run sends: one for each endpoint with parameters, one
 * for identifiers, one for unspecified parameters. The titles are those of their checks.
 */
export const DRAWN = [
  drawn('currency-klines', 'any klines of a currency', 12, '/currencies/{currency_id}/klines'),
  drawn('pairs', 'any pages of pairs', 16, '/currencies/{currency_id}/pairs'),
  drawn('news', 'any pages of news', 22, '/news'),
  drawn('featured-news', 'any pages of featured news', 12, '/news/featured'),
  drawn('etf-summary', 'any ETF summary', 16, '/etfs/summary-history'),
  drawn('etf-history', 'any history of an ETF', 10, '/etfs/{ticker}/history'),
  drawn('stock-klines', 'any klines of a stock', 8, '/crypto-stocks/{stock_ticker}/klines'),
  drawn('macro-history', 'any history of a macro event', 8, '/macro/events/{event}/history'),
  drawn('identifiers', 'any identifier in a path', 8),
  drawn('unstated-parameters', 'any parameter that is not in the specification', 8),
] as const;

/** Properties by name. */
export type DrawnName = (typeof DRAWN)[number]['name'];

/** The endpoint of a property; undefined if it is generated, too. */
export const pathOf = (name: DrawnName): EndpointPath | undefined =>
  DRAWN.find((one) => one.name === name)?.path;

/** Requests that properties leave for later checks, such as those that advance the clock. */
export const LEFT_TO_OTHERS = 24;
