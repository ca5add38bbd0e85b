import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { overMaximum, refusing, withoutMaximum } from '../families/pages/paging-faults.ts';
import {
  all,
  asked,
  crashing,
  endpointIs,
  ignoring,
  not,
  notAsked,
  onBody,
  onRecord,
  onRows,
  put,
  setting,
  over,
} from '../../src/reference/vocabulary.ts';

const MACRO: EndpointPath = '/macro/events/{event}/history';
const macro = endpointIs(MACRO);

/** Faults in §4.6. */
export const MACRO_FAULTS: readonly Fault[] = faultsOf('4.6', {
  'macro-never-released': {
    title: '`actual` is null in all rows of macro history',
    kills: ['2.10/released'],
    hooks: onRecord('macro-history-row', put('/actual', null)),
  },
  'macro-in-object': {
    title: 'Macro history is wrapped in an object',
    kills: ['4.6/macro-history'],
    hooks: onBody(macro, (value) => ({ rows: value })),
  },
  'macro-default-limit': {
    title: 'Without `limit`, macro history returns 20 rows',
    kills: ['4.6/macro-limit-default'],
    hooks: setting('limit', '20', all(macro, notAsked('limit'))),
  },
  'macro-default-unlimited': {
    title: 'Without `limit`, macro history returns as many rows as with the largest `limit`',
    kills: ['4.6/macro-limit-default'],
    hooks: setting('limit', '100', all(macro, notAsked('limit'))),
  },
  'macro-one-short': {
    title: 'A macro limit returns one row too few',
    kills: ['4.6/macro-limit-exact'],
    hooks: onRows(all(macro, asked('limit')), (rows) => rows.slice(0, -1)),
  },
  'macro-small-limit-ignored': {
    title: 'A macro limit below 10 returns 10 rows',
    kills: ['4.6/macro-limit-exact'],
    hooks: setting('limit', '10', all(macro, over('limit', 0), not(over('limit', 9)))),
  },
  'macro-no-maximum': {
    title: 'A macro limit above 100 is used unchanged',
    kills: ['4.6/macro-limit-max'],
    hooks: withoutMaximum(MACRO, 'limit'),
  },
  'macro-101-not-found': {
    title: 'A macro limit above 100 is refused as not found',
    kills: ['4.6/macro-limit-max'],
    hooks: refusing(all(macro, over('limit', 100))),
  },
  'macro-capped-at-default': {
    title: 'A macro limit above the default of 50 returns 50 rows',
    kills: ['4.6/macro-limit-max-accepted'],
    hooks: setting('limit', '50', all(macro, over('limit', 50), not(over('limit', 100)))),
  },
  'macro-100-refused': {
    title: 'A macro limit of exactly 100 is refused',
    kills: ['4.6/macro-limit-max-accepted'],
    hooks: overMaximum(all(macro, asked('limit', '100')), 'limit'),
  },
  'macro-zero-crash': {
    title: 'A macro limit of zero causes an internal error',
    kills: ['4.6/macro-limit-invalid', '4/no-5xx'],
    hooks: crashing(all(macro, asked('limit', '0'))),
  },
  'macro-zero-unlimited': {
    title: 'A macro limit of zero returns all rows',
    kills: ['4.6/macro-limit-invalid'],
    hooks: [
      withoutMaximum(MACRO, 'limit'),
      setting('limit', '100', all(macro, over('limit', 100))),
      setting('limit', '1000000', all(macro, asked('limit', '0'))),
    ],
  },
  'macro-end-ignored': {
    title: 'end_date of macro history is ignored',
    kills: ['4.6/macro-range'],
    hooks: ignoring('end_date', macro),
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
    hooks: {
      world: (world) => ({
        chartData: (name, now) =>
          name === world.chartNames[0] ? undefined : world.chartData(name, now),
      }),
    },
  },
});
