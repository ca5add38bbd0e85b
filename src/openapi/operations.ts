import { endpoint, ENDPOINT_PATHS, requiredQuery, type EndpointPath } from '../spec/endpoints.ts';
import type { Node } from './node.ts';
import { parameters } from './parameters.ts';
import { responses } from './responses.ts';

type FirstSegment<Path extends string> = Path extends `/${infer First}/${string}`
  ? First
  : Path extends `/${infer Only}`
    ? Only
    : never;
type Area = FirstSegment<EndpointPath>;

/** Areas of §1, by the first segment of the path. */
export const TAGS: Readonly<Record<Area, { name: string; description: string }>> = {
  currencies: { name: 'Currencies', description: 'Currencies, their markets and pairs (§4.1).' },
  news: { name: 'News', description: 'News feeds (§4.2).' },
  etfs: { name: 'ETFs', description: 'ETFs of crypto assets (§4.3, §4.4).' },
  'crypto-stocks': { name: 'Crypto stocks', description: 'Companies and sectors (§4.5, §4.7).' },
  indices: { name: 'Indices', description: 'Indices of the service (§4.7).' },
  fundraising: { name: 'Fundraising', description: 'Fundraising projects (§4.7).' },
  macro: { name: 'Macro', description: 'Macroeconomic events (§4.6, §4.7).' },
  analyses: { name: 'Analyses', description: 'Analysis charts (§4.6, §4.7).' },
};

/** A parameter, the pointer to its value in the answer, and the operations that take it. */
type Link = readonly [parameter: string, pointer: string, ...to: readonly EndpointPath[]];

const LINKS: Readonly<Partial<Record<EndpointPath, Link>>> = {
  '/currencies/{currency_id}': [
    'currency_id',
    '/currency_id',
    '/currencies/{currency_id}/market-snapshot',
    '/currencies/{currency_id}/token-economics',
    '/currencies/{currency_id}/klines',
    '/currencies/{currency_id}/pairs',
    '/currencies/{currency_id}/fundraising',
  ],
  '/currencies/{currency_id}/fundraising': [
    'project_id',
    '/project_id',
    '/fundraising/projects/{project_id}',
  ],
  '/news': ['currency_id', '/list/0/matched_currencies/0/id', '/currencies/{currency_id}'],
  '/news/featured': ['currency_id', '/list/0/matched_currencies/0/id', '/currencies/{currency_id}'],
  '/etfs/{ticker}/history': ['ticker', '/0/ticker', '/etfs/{ticker}/market-snapshot'],
  '/crypto-stocks/{stock_ticker}/market-snapshot': [
    'stock_ticker',
    '/ticker',
    '/crypto-stocks/{stock_ticker}/klines',
    '/crypto-stocks/{stock_ticker}/market-cap',
  ],
  '/analyses': ['chart_name', '/0/chart_name', '/analyses/{chart_name}'],
  // The shapes of the lists below are not stated (§4.7). The links hold where a record carries its identifier under
  // the name that other resources use for it; a tool does not follow a link whose expression finds nothing.
  '/currencies': ['currency_id', '/0/currency_id', '/currencies/{currency_id}'],
  '/etfs': ['ticker', '/0/ticker', '/etfs/{ticker}/history', '/etfs/{ticker}/market-snapshot'],
  '/crypto-stocks': [
    'stock_ticker',
    '/0/ticker',
    '/crypto-stocks/{stock_ticker}/market-snapshot',
    '/crypto-stocks/{stock_ticker}/klines',
  ],
  '/indices': [
    'index_ticker',
    '/0/index_ticker',
    '/indices/{index_ticker}/constituents',
    '/indices/{index_ticker}/market-snapshot',
    '/indices/{index_ticker}/klines',
  ],
  '/crypto-stocks/sector': [
    'sector_name',
    '/0/sector_name',
    '/crypto-stocks/sector/{sector_name}/index',
  ],
  '/fundraising/projects': ['project_id', '/0/project_id', '/fundraising/projects/{project_id}'],
};

/** What the facts of an endpoint cannot say and a reader should know. */
const NOTES: Readonly<Partial<Record<EndpointPath, string>>> = {
  '/etfs/summary-history':
    'Not every asset is listed in every country: HK has BTC, ETH and SOL only. A valid symbol that is not listed in the country is refused with code 400001. Latest date first, trading days only.',
  '/etfs/{ticker}/history':
    'Newest first. Five figures of the current trading day are null until they settle on the next day.',
  '/news': 'Items are in the order of the platform.',
};

/** The paths of the document, one GET each. */
export function paths(): Node {
  return Object.fromEntries(ENDPOINT_PATHS.map((path) => [path, { get: operation(path) }]));
}

function operation(path: EndpointPath): Node {
  const facts = endpoint(path);
  const note = NOTES[path];
  const stated = parameters(facts);
  return {
    operationId: facts.operation,
    tags: [TAGS[path.split('/')[1] as Area].name],
    summary: `${facts.purpose.charAt(0).toUpperCase()}${facts.purpose.slice(1)}`,
    description: `Section ${facts.section} of the specification.${note === undefined ? '' : ` ${note}`}`,
    ...(stated.length === 0 ? {} : { parameters: stated }),
    responses: responses(path, facts, links(path)),
  };
}

function links(path: EndpointPath): Node {
  const [parameter = '', pointer = '', ...to] = LINKS[path] ?? [];
  return Object.fromEntries(
    to.map((one) => [
      endpoint(one).operation,
      {
        operationId: endpoint(one).operation,
        parameters: { [parameter]: `$response.body#${pointer}`, ...requiredQuery(one) },
      },
    ]),
  );
}
