import type { EndpointPath } from '../../contract/endpoints.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';
import { unknownEndpoint } from '../refusal.ts';
import type { Condition } from '../vocabulary.ts';
import {
  all,
  crashing,
  drop,
  edit,
  endpointIs,
  onAnswer,
  onBody,
  onRecord,
  put,
} from '../vocabulary.ts';
import { textOf } from '../json.ts';
import { faultsOf } from './fault.ts';
import type { Fault, FaultEntry } from './fault.ts';

/** The requirement that a purpose-only endpoint exists (§4.7). */
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

/** The endpoint is not there: its path is answered like any wrong one. */
function gone(endpoint: EndpointPath, requirement: RequirementId): [string, FaultEntry] {
  const here = endpointIs(endpoint);
  return [
    `gone-${requirement.slice(requirement.indexOf('/') + 1)}`,
    {
      title: `GET ${endpoint} does not exist`,
      kills: [requirement],
      hooks: onAnswer(
        (answer, context) => answer.status === 200 && here(context),
        (answer) => ({ ...answer, status: 404, value: unknownEndpoint(endpoint).body() }),
      ),
    },
  ];
}

/** The identifier in the path is written so. */
const written =
  (form: RegExp): Condition =>
  ({ path }) =>
    Object.values(path).some((id) => form.test(id));
const dotted = written(/\./);

/** Defects of one entity of many. All others, and most often all that are asked for first, are answered as they should. */
export const ONE_OF_MANY_FAULTS: readonly Fault[] = [
  ...faultsOf('2.8', {
    'history-dotted-ticker': {
      title: 'Rows of ETFs with a dot in their ticker carry the ticker of another one',
      kills: ['2.8/ticker-echo'],
      subtle: true,
      hooks: onRecord('etf-history-row', put('/ticker', 'IBIT'), dotted),
    },
  }),
  ...faultsOf('2.9', {
    'stock-short-status': {
      title: 'mkt_status of a company with a ticker of three letters is in capitals',
      kills: ['2.9/mkt-status'],
      subtle: true,
      profile: 'full',
      hooks: onRecord(
        'stock-snapshot',
        edit('/mkt_status', (value) => textOf(value).toUpperCase()),
        written(/^.{3}$/),
      ),
    },
  }),
  ...faultsOf('2.10', {
    'macro-one-event-without-previous': {
      title: 'The rows of one event have no previous',
      kills: ['2.10/previous'],
      subtle: true,
      profile: 'full',
      hooks: onRecord('macro-history-row', drop('/previous'), written(/^PPI/)),
    },
  }),
  ...faultsOf('4', {
    'index-short-crashes': {
      title: 'The constituents of an index with a ticker of two letters are an internal error',
      kills: ['4/no-5xx'],
      subtle: true,
      hooks: crashing(all(endpointIs('/indices/{index_ticker}/constituents'), written(/^..$/))),
    },
    'sector-payments-crashes': {
      title: 'The index of the sector Payments is an internal error',
      kills: ['4/no-5xx'],
      subtle: true,
      profile: 'full',
      hooks: crashing(
        all(endpointIs('/crypto-stocks/sector/{sector_name}/index'), written(/^Payments$/)),
      ),
    },
  }),
];

/** Defects of the charts of §4.6 and of §4.7. */
export const OTHER_AREA_FAULTS: readonly Fault[] = [
  ...faultsOf('4.6', {
    'charts-in-object': {
      title: 'The chart list is wrapped in an object',
      kills: ['4.6/analyses'],
      hooks: onBody(endpointIs('/analyses'), (value) => ({ charts: value })),
    },
    'chart-listed-without-data': {
      title: 'The first listed chart has no data',
      kills: ['4.6/charts-resolve'],
      subtle: true,
      hooks: {
        world: (world) => ({
          chartData: (name, now) =>
            name === world.chartNames[0] ? undefined : world.chartData(name, now),
        }),
      },
    },
  }),
  ...faultsOf('4.7', Object.fromEntries(PURPOSES.map((purpose) => gone(...purpose)))),
];
