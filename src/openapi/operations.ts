import { endpoint, ENDPOINT_PATHS } from '../spec/endpoints.ts';
import type { EndpointPath } from '../spec/endpoints.ts';
import type { Examples } from './examples.ts';
import type { Node } from './node.ts';
import { parameters } from './parameters.ts';
import type { Patterns } from './parameters.ts';
import { responses } from './responses.ts';

/** Areas of §1, by the first segment of the path. */
export const TAGS: Readonly<Record<string, { name: string; description: string }>> = {
  currencies: { name: 'Currencies', description: 'Currencies, their markets and pairs (§4.1).' },
  news: { name: 'News', description: 'News feeds (§4.2).' },
  etfs: { name: 'ETFs', description: 'ETFs of crypto assets (§4.3, §4.4).' },
  'crypto-stocks': { name: 'Crypto stocks', description: 'Companies and sectors (§4.5, §4.7).' },
  indices: { name: 'Indices', description: 'Indices of the service (§4.7).' },
  fundraising: { name: 'Fundraising', description: 'Fundraising projects (§4.7).' },
  macro: { name: 'Macro', description: 'Macroeconomic events (§4.6, §4.7).' },
  analyses: { name: 'Analyses', description: 'Analysis charts (§4.6, §4.7).' },
};

/** Where an answer holds the identifier that another operation asks for. */
interface LinkFacts {
  readonly to: readonly EndpointPath[];
  readonly parameter: string;
  readonly from: string;
}

const LINKS: Readonly<Partial<Record<EndpointPath, LinkFacts>>> = {
  '/currencies/{currency_id}': {
    to: [
      '/currencies/{currency_id}/market-snapshot',
      '/currencies/{currency_id}/token-economics',
      '/currencies/{currency_id}/klines',
      '/currencies/{currency_id}/pairs',
      '/currencies/{currency_id}/fundraising',
    ],
    parameter: 'currency_id',
    from: '$response.body#/currency_id',
  },
  '/currencies/{currency_id}/fundraising': {
    to: ['/fundraising/projects/{project_id}'],
    parameter: 'project_id',
    from: '$response.body#/project_id',
  },
  '/news': {
    to: ['/currencies/{currency_id}'],
    parameter: 'currency_id',
    from: '$response.body#/list/0/matched_currencies/0/id',
  },
  '/news/featured': {
    to: ['/currencies/{currency_id}'],
    parameter: 'currency_id',
    from: '$response.body#/list/0/matched_currencies/0/id',
  },
  '/etfs/{ticker}/history': {
    to: ['/etfs/{ticker}/market-snapshot'],
    parameter: 'ticker',
    from: '$response.body#/0/ticker',
  },
  '/crypto-stocks/{stock_ticker}/market-snapshot': {
    to: ['/crypto-stocks/{stock_ticker}/klines', '/crypto-stocks/{stock_ticker}/market-cap'],
    parameter: 'stock_ticker',
    from: '$response.body#/ticker',
  },
  '/analyses': {
    to: ['/analyses/{chart_name}'],
    parameter: 'chart_name',
    from: '$response.body#/0/chart_name',
  },
  // The shapes of the lists below are not stated (§4.7). The links hold where a record carries its identifier under
  // the name that other resources use for it; a tool does not follow a link whose expression finds nothing.
  '/currencies': {
    to: ['/currencies/{currency_id}'],
    parameter: 'currency_id',
    from: '$response.body#/0/currency_id',
  },
  '/etfs': {
    to: ['/etfs/{ticker}/history', '/etfs/{ticker}/market-snapshot'],
    parameter: 'ticker',
    from: '$response.body#/0/ticker',
  },
  '/crypto-stocks': {
    to: ['/crypto-stocks/{stock_ticker}/market-snapshot', '/crypto-stocks/{stock_ticker}/klines'],
    parameter: 'stock_ticker',
    from: '$response.body#/0/ticker',
  },
  '/indices': {
    to: [
      '/indices/{index_ticker}/constituents',
      '/indices/{index_ticker}/market-snapshot',
      '/indices/{index_ticker}/klines',
    ],
    parameter: 'index_ticker',
    from: '$response.body#/0/index_ticker',
  },
  '/crypto-stocks/sector': {
    to: ['/crypto-stocks/sector/{sector_name}/index'],
    parameter: 'sector_name',
    from: '$response.body#/0/sector_name',
  },
  '/fundraising/projects': {
    to: ['/fundraising/projects/{project_id}'],
    parameter: 'project_id',
    from: '$response.body#/0/project_id',
  },
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
export function paths(examples: Examples, patterns: Patterns): Node {
  return Object.fromEntries(
    ENDPOINT_PATHS.map((path) => [path, { get: operation(path, examples, patterns) }]),
  );
}

function operation(path: EndpointPath, examples: Examples, patterns: Patterns): Node {
  const facts = endpoint(path);
  const note = NOTES[path];
  const stated = parameters(facts, examples, patterns);
  return {
    operationId: facts.operation,
    tags: [TAGS[path.split('/')[1] ?? '']?.name],
    summary: `${facts.purpose.charAt(0).toUpperCase()}${facts.purpose.slice(1)}`,
    description: `Section ${facts.section} of the specification.${note === undefined ? '' : ` ${note}`}`,
    ...(stated.length === 0 ? {} : { parameters: stated }),
    responses: responses(path, facts, links(path)),
  };
}

function links(path: EndpointPath): Node {
  const facts = LINKS[path];
  if (facts === undefined) return {};
  return Object.fromEntries(
    facts.to.map((to) => [
      endpoint(to).operation,
      {
        operationId: endpoint(to).operation,
        parameters: { [facts.parameter]: facts.from, ...requiredQuery(to) },
      },
    ]),
  );
}

/** Required query parameters with a single allowed value, so that the linked request is complete. */
function requiredQuery(path: EndpointPath): Node {
  return Object.fromEntries(
    Object.entries(endpoint(path).query).flatMap(([name, { required, enum: values }]) =>
      required === true && values?.length === 1 ? [[name, values[0]]] : [],
    ),
  );
}
