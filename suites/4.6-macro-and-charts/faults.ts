import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { refusing, withoutMaximum } from '../families/pages/paging-faults.ts';
import {
  all,
  asked,
  crashing,
  endpointIs,
  not,
  notAsked,
  onRecord,
  put,
  setting,
  over,
} from '../../src/reference/vocabulary.ts';

const MACRO: EndpointPath = '/macro/events/{event}/history';
const macro = endpointIs(MACRO);

/** Faults in §4.6. */
export const MACRO_FAULTS: readonly Fault[] = faultsOf({
  'macro-never-released': {
    title: '`actual` is null in all rows of macro history',
    kills: ['2.10/released'],
    hooks: onRecord('macro-history-row', put('/actual', null)),
  },
  'macro-default-limit': {
    title: 'Without `limit`, macro history returns 20 rows',
    kills: ['4.6/macro-limit-default'],
    hooks: setting('limit', '20', all(macro, notAsked('limit'))),
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
