import { answersOf } from '../families/of-endpoint.ts';
import { check, each, serial, part } from '../../src/ask/index.ts';
import { PLAIN_REQUEST } from '../../src/requirements/advice.ts';
import {
  about,
  must,
  observe,
  should,
  type Definition,
} from '../../src/requirements/definition.ts';
import { STATUS } from '../../src/spec/finding.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { MACRO_RELEASES } from '../../src/judge/series.ts';
import { limitOf } from '../families/limit.ts';
import { rangeOf } from '../families/range.ts';
import { atPosition, shownAt } from '../families/resource-requests.ts';
import { orderOf } from '../families/series-order.ts';
import {
  all,
  big,
  bothEnds,
  cutByRestricted,
  EMPTY_START,
  everyChart,
  history,
  largest,
  listedChart,
  NO_DATES,
  small,
  withLimit,
} from './requests.ts';

const MACRO = '4.6 GET /macro/events/{event}/history';

const LIMIT = limitOf(MACRO_RELEASES, {
  without: 'Macro history without `limit` is',
  limit: 'A macro `limit`',
  bounds: '8 macro history limit',
});

/** Positions in the list of events, after the two used by other checks. More are requested with the restricted key. */
const POSITIONS = [2, 3];

const limits = (values: readonly (string | number)[]) => each(values, 'with limit=%j', withLimit);

/** Requirements of §4.6, in the order of its text. */
export const MACRO_AND_CHART_REQUIREMENTS = {
  ...about(['/macro/events/{event}/history'], {
    '4.6/macro-history': answersOf('/macro/events/{event}/history', {
      title: 'The history of a macro event returns 200 with an array',
      clauses: ['1 Macro'],
      checks: [
        check(history),
        part('of another event', big),
        ...each(
          POSITIONS,
          'of the event at place %s of the list',
          atPosition('/macro/events/{event}/history'),
        ),
      ],
    }),
    '4.6/macro-limit-default': must({
      ...LIMIT.byDefault,
      checks: [check(small), part('with the largest limit', all)],
    }),
    '4.6/macro-limit-exact': must({
      ...LIMIT.exact,
      checks: [check(small), part('with the restricted key and no range', cutByRestricted, serial)],
    }),
    '4.6/macro-limit-max': must({
      ...LIMIT.maximum,
      checks: limits([MACRO_RELEASES.limit.maximum + 1]),
    }),
    '4.6/macro-limit-max-accepted': must({
      ...LIMIT.accepted,
      checks: [check(largest), part('without a range', all)],
    }),
    '4.6/macro-limit-invalid': must({
      ...LIMIT.invalid,
      checks: [
        ...limits([0, -1, '']),
        ...each([NO_DATES, EMPTY_START], 'with the dates %j', (dates, context) =>
          withLimit('abc', context, dates),
        ),
      ],
    }),
    '4.6/macro-range': must({
      ...rangeOf(MACRO_RELEASES, 'macro rows'),
      checks: [
        part('with both ends and a limit', small),
        part('with both ends and the largest limit', big),
        part('with both ends', bothEnds),
      ],
    }),
    '4.6/macro-order': observe({
      title: 'Order of macro rows',
      clauses: [MACRO],
      checks: [check(history)],
      judge: orderOf(MACRO_RELEASES, 'Order of macro rows'),
    }),
  }),
  '4.6/analyses': answersOf('/analyses', {
    title: 'The chart list returns 200 with an array',
    clauses: ['1 Analysis charts'],
    checks: [check(shownAt('/analyses'))],
  }),
  '4.6/charts-resolve': should({
    title: 'A listed chart can be fetched',
    clauses: ['4.6 GET /analyses', '4.7 GET /analyses/{chart_name}'],
    endpoints: ['/analyses', '/analyses/{chart_name}'],
    needs: ['chartNames'],
    ...PLAIN_REQUEST,
    checks: [part('a listed chart', listedChart), part('every listed chart', everyChart)],
    // Their shape, and whether they have data today, is unspecified (ruling 16).
    judge: judgeAll((views, context, it) => {
      const listed = new Set<unknown>();
      for (const view of views) {
        for (const { value } of objectsOf(view, context, 'chart')) listed.add(value['chart_name']);
      }
      for (const view of views) {
        const { endpoint, pathParameters, role } = view.exchange;
        const name = pathParameters['chart_name'];
        if (endpoint !== '/analyses/{chart_name}' || role !== 'valid' || !listed.has(name))
          continue;
        // An error about parameters, which are unspecified, shows that the chart exists.
        if (!isJudgeable(view, context) || view.status === 400 || view.status === 422) continue;
        if (!view.isJson) continue;
        it.expect(view, view.ok && view.body !== null, () => ({
          kind: 'listed-chart-unknown',
          facts: { chart: show(name) },
          expected: 'status 200 with data',
          actual: view.ok ? `status ${view.status} with null` : `status ${view.status}`,
          ...(view.ok ? { pointer: '' } : { header: STATUS }),
        }));
      }
    }),
  }),
} as const satisfies Record<string, Definition>;
