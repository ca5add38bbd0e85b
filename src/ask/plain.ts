import {
  boundsOf,
  ENDPOINT_PATHS,
  requiredQuery,
  type EndpointPath,
} from '../contract/endpoints.ts';
import type { Answer } from './answer.ts';
import type { Api, GetOptions, Query } from './api.ts';

/**
 * Query of the plain request of each endpoint: required parameters only, and the largest page of pairs. All checks that
 * need just an answer send it, so that it costs one request a run. The keyword of the news search is not stated (§4.7);
 * this one is usual.
 */
export const PLAIN_QUERY: Readonly<Record<EndpointPath, Query>> = {
  ...everyEndpoint(requiredQuery),
  '/currencies/{currency_id}/pairs': {
    page_size: boundsOf('/currencies/{currency_id}/pairs', 'page_size').maximum,
  },
  '/news/search': { keyword: 'bitcoin' },
};

function everyEndpoint<Of>(of: (path: EndpointPath) => Of): Record<EndpointPath, Of> {
  return Object.fromEntries(ENDPOINT_PATHS.map((path) => [path, of(path)])) as Record<
    EndpointPath,
    Of
  >;
}

/** Endpoints whose plain requests the profile `smoke` sends: one or two an area, and no list that is only browsed. */
export const SMOKE_ENDPOINTS: readonly EndpointPath[] = [
  '/currencies/{currency_id}',
  '/currencies/{currency_id}/market-snapshot',
  '/currencies/{currency_id}/klines',
  '/currencies/{currency_id}/pairs',
  '/news',
  '/news/featured',
  '/etfs/summary-history',
  '/etfs/{ticker}/history',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
  '/crypto-stocks/{stock_ticker}/klines',
  '/macro/events/{event}/history',
  '/analyses',
];

/** The plain request of an endpoint with the first fixtures. Throws as `Api.get` does. */
export function plain(api: Api, path: EndpointPath, options: GetOptions = {}): Promise<Answer> {
  return api.get(path, PLAIN_QUERY[path], options);
}
