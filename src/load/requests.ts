import { endpoint, ENDPOINT_PATHS, requiredQuery, type EndpointPath } from '../spec/endpoints.ts';
import type { Fixtures } from '../target/discover.ts';
import { requestTarget } from '../http/request-url.ts';
import type { PlannedRequest } from './plan.ts';

/** The request that limit scenarios repeat. It has no parameters, so it works on every target. */
export const PLAIN: EndpointPath = '/analyses';

/** A search needs a word, although its parameters are not stated. */
const SEARCH: EndpointPath = '/news/search';
const queryOf = (path: EndpointPath): Readonly<Record<string, string | number>> =>
  path === SEARCH ? { keyword: 'bitcoin' } : requiredQuery(path);

/** How often users request an endpoint: snapshots most, then charts and news, lists rarely. */
const WEIGHTS: Readonly<Partial<Record<EndpointPath, number>>> = {
  '/currencies/{currency_id}/market-snapshot': 20,
  '/currencies/{currency_id}/klines': 12,
  '/news': 10,
  '/currencies/{currency_id}': 6,
  '/crypto-stocks/{stock_ticker}/market-snapshot': 6,
  '/currencies/{currency_id}/pairs': 5,
  '/etfs/summary-history': 4,
  '/etfs/{ticker}/history': 4,
  '/news/featured': 4,
  '/crypto-stocks/{stock_ticker}/klines': 4,
};
const USUAL_WEIGHT = 2;
/** Purpose-only endpoints (§4.7). */
const RARE_WEIGHT = 1;
/** Number of identifiers per kind; with more, caches would matter. */
const IDS = 3;

/** The plain request. */
export const plainRequests = (): PlannedRequest[] => [{ endpoint: PLAIN, path: PLAIN, weight: 1 }];

/** Requests for each endpoint and some of its identifiers. `missing` lists endpoints without a known identifier. */
export async function allRequests(
  fixtures: Fixtures,
  perEndpoint = IDS,
): Promise<{ requests: PlannedRequest[]; missing: string[] }> {
  const requests: PlannedRequest[] = [];
  const missing: string[] = [];
  for (const path of ENDPOINT_PATHS) {
    const { path: parameters, section } = endpoint(path);
    const [parameter] = Object.entries(parameters);
    const weight = WEIGHTS[path] ?? (section === '4.7' ? RARE_WEIGHT : USUAL_WEIGHT);
    const query = queryOf(path);
    if (parameter === undefined) {
      requests.push(planned(path, {}, query, weight));
      continue;
    }
    const [name, kind] = parameter;
    // Sequentially, because each list costs a request.
    const { ids, reason } = await fixtures.get(kind);
    if (ids.length === 0) missing.push(`${path}: ${reason ?? 'no identifier'}`);
    const chosen = ids.slice(0, perEndpoint);
    for (const id of chosen) {
      requests.push(planned(path, { [name]: id }, query, weight / chosen.length));
    }
  }
  return { requests, missing };
}

function planned(
  path: EndpointPath,
  parameters: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | number>>,
  weight: number,
): PlannedRequest {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  // The base does not matter: only path and query are kept.
  const { requestPath } = requestTarget('http://target.invalid', path, parameters, pairs);
  return { endpoint: path, path: requestPath, weight };
}
