import { boundsOf, ENDPOINT_PATHS, requiredQuery, type EndpointPath } from '../spec/endpoints.ts';
import type { Answer } from './answer.ts';
import type { Api, GetOptions, Query } from './api.ts';
import { each, type Check } from './check.ts';

/**
 * Query of the plain request of each endpoint: required parameters only, and the largest page of pairs. Shared by all
 * checks that need any answer, so it is sent once per run. The parameter of the news search is not specified (§4.7);
 * `keyword` is common.
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

/** The plain request of an endpoint with the first fixtures. Throws like `Api.get`. */
export function plain(api: Api, path: EndpointPath, options: GetOptions = {}): Promise<Answer> {
  return api.get(path, PLAIN_QUERY[path], options);
}

/** One check per endpoint, of its plain request. */
export const plainOf = (
  paths: readonly EndpointPath[],
  options: GetOptions = {},
): readonly Check[] => each(paths, '%s', (path, { api }) => plain(api, path, options));
