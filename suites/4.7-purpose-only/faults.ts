import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import { faultsOf, type Fault, type FaultEntry } from '../../src/reference/faults/fault.ts';
import { unknownEndpoint } from '../../src/reference/refusal.ts';
import { endpointIs, onSuccess } from '../../src/reference/vocabulary.ts';

/** Requirements that the purpose-only endpoints exist (§4.7). */
const PURPOSES: readonly (readonly [EndpointPath, RequirementId])[] = [
  ['/crypto-stocks', '4.7/crypto-stocks'],
  ['/crypto-stocks/{stock_ticker}/market-cap', '4.7/market-cap'],
  ['/crypto-stocks/sector', '4.7/sectors'],
  ['/crypto-stocks/sector/{sector_name}/index', '4.7/sector-index'],
  ['/indices', '4.7/indices'],
  ['/indices/{index_ticker}/constituents', '4.7/index-constituents'],
  ['/indices/{index_ticker}/market-snapshot', '4.7/index-snapshot'],
  ['/indices/{index_ticker}/klines', '4.7/index-klines'],
  ['/etfs', '4.7/etfs'],
  ['/etfs/{ticker}/market-snapshot', '4.7/etf-snapshot'],
  ['/news/hot', '4.7/hot-news'],
  ['/news/search', '4.7/news-search'],
  ['/fundraising/projects', '4.7/projects'],
  ['/fundraising/projects/{project_id}', '4.7/project'],
  ['/macro/events', '4.7/macro-events'],
  ['/analyses/{chart_name}', '4.7/chart-data'],
  ['/currencies', '4.7/currencies'],
];

/** Answers as for an unknown path. */
function removed(endpoint: EndpointPath, requirement: RequirementId): [string, FaultEntry] {
  const here = endpointIs(endpoint);
  return [
    `gone-${requirement.slice(requirement.indexOf('/') + 1)}`,
    {
      title: `GET ${endpoint} does not exist`,
      kills: [requirement],
      hooks: onSuccess(here, (answer) => ({
        ...answer,
        status: 404,
        value: unknownEndpoint(endpoint).body(),
      })),
    },
  ];
}

/** Faults in §4.7. */
export const PURPOSE_ONLY_FAULTS: readonly Fault[] = faultsOf({
  ...Object.fromEntries(PURPOSES.map((purpose) => removed(...purpose))),
  'sectors-as-page': {
    title: 'The sector list is an HTML page',
    kills: ['4.7/sectors'],
    hooks: onSuccess(endpointIs('/crypto-stocks/sector'), (answer) => ({
      ...answer,
      text: '<!doctype html><title>Sectors</title>',
    })),
  },
});
