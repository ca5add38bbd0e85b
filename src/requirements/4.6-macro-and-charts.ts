import { check, each, full, part, smoke, type Check } from '../ask/index.ts';
import { everyChart, listedChart } from '../ask/requests/charts.ts';
import {
  all,
  big,
  byRestricted,
  cut,
  cutByRestricted,
  EMPTY_START,
  ends,
  eventAt,
  history,
  largest,
  NO_DATES,
  small,
  withLimit,
} from '../ask/requests/macro.ts';
import { shownAt } from '../ask/requests/resources.ts';
import { MARKET_VALUES } from '../rules/market-values.ts';
import { ORDERING } from '../rules/ordering.ts';
import { MACRO_RELEASES } from '../rules/series.ts';
import { ANSWERED } from '../rules/shapes.ts';
import { PLAIN_REQUEST } from './advice.ts';
import { about, must, should, observe, type Definition } from './definition.ts';
import { limitOf, rangeOf } from './families/series.ts';

const MACRO = '4.6 GET /macro/events/{event}/history';
const macro = ['macroEvents'] as const;

const LIMIT = limitOf(MACRO_RELEASES, {
  without: 'Macro history without limit is',
  limit: 'A macro limit',
  bounds: '8 macro history limit',
});

/** Places in the list of events: what holds for one or two of them may not hold for the others. */
const PLACES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const limits = (values: readonly (string | number)[], options: Pick<Check, 'profile'> = {}) =>
  each(values, 'with limit=%j', withLimit, options);

/** Requirements of §4.6. */
export const MACRO_AND_CHART_REQUIREMENTS = {
  ...about(['/macro/events/{event}/history'], {
    '4.6/macro-history': must({
      title: 'The history of a macro event answers 200 with an array',
      defect: 'schema',
      clauses: [MACRO, '1 Macro'],
      needs: macro,
      ...PLAIN_REQUEST,
      checks: [
        check(history, smoke),
        part('of another event', big),
        ...each(PLACES, 'of the event at place %s of the list', eventAt, full),
      ],
      judge: ANSWERED['/macro/events/{event}/history'],
    }),
    '4.6/macro-limit-default': must({
      ...LIMIT.byDefault,
      checks: [check(small), part('beside the largest limit', all, full)],
    }),
    '4.6/macro-limit-exact': must({
      ...LIMIT.exact,
      checks: [
        check(small),
        part('with the restricted key and no range', cutByRestricted),
        ...each([1, 30], 'with limit=%j and no range', cut, full),
      ],
    }),
    '4.6/macro-limit-max': must({
      ...LIMIT.maximum,
      checks: [
        ...limits([MACRO_RELEASES.limit.maximum + 1]),
        ...limits([200, 1000, 2_147_483_648], full),
      ],
    }),
    '4.6/macro-limit-max-accepted': must({
      ...LIMIT.accepted,
      checks: [check(largest), part('without a range', all, full)],
    }),
    '4.6/macro-limit-invalid': must({
      ...LIMIT.invalid,
      checks: [
        ...limits([0]),
        ...limits([-1, 'abc', '', '1.5', '1e2'], full),
        ...each(
          [NO_DATES, EMPTY_START],
          'beside the dates %j',
          (dates, context) => withLimit('abc', context, dates),
          full,
        ),
        ...each(
          [
            { limit: 'abc', ...EMPTY_START },
            { limit: '', ...NO_DATES },
          ],
          'with the restricted key and %j',
          byRestricted,
        ),
      ],
    }),
    '4.6/macro-range': must({
      ...rangeOf(MACRO_RELEASES, 'macro rows'),
      checks: [
        part('with both ends and a limit', small),
        part('with both ends and the largest limit', big),
        part('with both ends', ends('start_date', 'end_date'), full),
        part('with start_date alone', ends('start_date'), full),
        part('with end_date alone', ends('end_date'), full),
      ],
    }),
    '4.6/macro-order': observe({
      title: 'Order of macro rows',
      clauses: [MACRO],
      needs: macro,
      checks: [check(history)],
      judge: ORDERING.macroOrder,
    }),
  }),
  '4.6/analyses': must({
    title: 'The chart list answers 200 with an array',
    defect: 'schema',
    clauses: ['4.6 GET /analyses', '1 Analysis charts'],
    endpoints: ['/analyses'],
    ...PLAIN_REQUEST,
    checks: [check(shownAt('/analyses'), smoke)],
    judge: ANSWERED['/analyses'],
  }),
  '4.6/charts-resolve': should({
    title: 'A listed chart name has data',
    clauses: ['4.6 GET /analyses', '4.7 GET /analyses/{chart_name}'],
    endpoints: ['/analyses', '/analyses/{chart_name}'],
    needs: ['chartNames'],
    ...PLAIN_REQUEST,
    checks: [part('a listed chart', listedChart), part('every listed chart', everyChart, full)],
    judge: MARKET_VALUES.chartsResolve,
  }),
} as const satisfies Record<string, Definition>;
