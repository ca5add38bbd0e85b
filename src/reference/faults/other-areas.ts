import type { EndpointPath } from '../../contract/endpoints.ts';
import type { RequirementId } from '../../contract/requirements.ts';
import { unknownEndpoint } from '../refusal.ts';
import {
  all,
  asked,
  crashing,
  endpointIs,
  ignoring,
  notAsked,
  onAnswer,
  onBody,
  onQuery,
  onRows,
} from '../vocabulary.ts';
import { faultsOf } from './fault.ts';
import type { Fault, FaultEntry } from './fault.ts';
import { klineFaults } from './klines.ts';
import { overMaximum, withoutMaximum } from './paging.ts';

const MACRO: EndpointPath = '/macro/events/{event}/history';
const macro = endpointIs(MACRO);

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

/** Defects of §4.5, §4.6 and §4.7. */
export const OTHER_AREA_FAULTS: readonly Fault[] = [
  ...faultsOf('4.5', {
    'stock-snapshot-in-array': {
      title: 'The stock snapshot is an array of one object',
      kills: ['4.5/market-snapshot'],
      hooks: onBody(endpointIs('/crypto-stocks/{stock_ticker}/market-snapshot'), (value) => [
        value,
      ]),
    },
    'stock-klines-in-object': {
      title: 'Klines of stocks are wrapped in an object',
      kills: ['4.5/klines'],
      hooks: onBody(endpointIs('/crypto-stocks/{stock_ticker}/klines'), (value) => ({
        klines: value,
      })),
    },
    ...klineFaults('stock', '/crypto-stocks/{stock_ticker}/klines', '4.5'),
  }),
  ...faultsOf('4.6', {
    'macro-in-object': {
      title: 'Macro history is wrapped in an object',
      kills: ['4.6/macro-history'],
      hooks: onBody(macro, (value) => ({ rows: value })),
    },
    'macro-default-limit': {
      title: 'Without limit, macro history has 20 rows',
      kills: ['4.6/macro-limit-default'],
      hooks: onQuery(all(macro, notAsked('limit')), (query) => query.set('limit', '20')),
    },
    'macro-one-short': {
      title: 'A macro limit gives one row less',
      kills: ['4.6/macro-limit-exact'],
      hooks: onRows(all(macro, asked('limit')), (rows) => rows.slice(0, -1)),
    },
    'macro-no-maximum': {
      title: 'A macro limit above 100 is used as it is',
      kills: ['4.6/macro-limit-max'],
      hooks: withoutMaximum(MACRO, 'limit'),
    },
    'macro-100-refused': {
      title: 'A macro limit of exactly 100 is refused',
      kills: ['4.6/macro-limit-max-accepted'],
      subtle: true,
      hooks: overMaximum(all(macro, asked('limit', '100')), 'limit'),
    },
    'macro-zero-crash': {
      title: 'A macro limit of zero is an internal error',
      kills: ['4.6/macro-limit-invalid'],
      subtle: true,
      hooks: crashing(all(macro, asked('limit', '0'))),
    },
    'macro-start-ignored': {
      title: 'start_date of macro history is ignored',
      kills: ['4.6/macro-range'],
      hooks: ignoring('start_date', macro),
    },
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
