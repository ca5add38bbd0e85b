import { check, each, part } from '../ask/index.ts';
import {
  beyond,
  big,
  EMPTY_START,
  largest,
  listing,
  NO_DATES,
  overInMixedCase,
  small,
  withLimit,
} from '../ask/requests/etf-summary.ts';
import { SUMMARY_DAYS } from '../rules/series.ts';
import { about, must, should } from './definition.ts';
import { limitOf, limitPartOf, rangeOf, windowOf } from './families/series.ts';

const { maximum } = SUMMARY_DAYS.limit;
const LIMIT = limitOf(SUMMARY_DAYS, {
  without: 'ETF summary without limit is',
  limit: 'An ETF summary limit',
  bounds: '8 ETF summary limit',
});
const WINDOW = windowOf(SUMMARY_DAYS, {
  none: 'No ETF summary row is',
  range: 'An ETF summary range',
  stated: ['4.3 start_date', '4.3 end_date'],
  bounds: '8 ETF summary limit',
});

const limits = (values: readonly (string | number)[]) =>
  each(values, 'limit=%s', (limit, context) => withLimit(limit)(context));

/** Requirements of §4.3 on parts of a list: window, range and limit. */
export const ETF_SUMMARY_PART_REQUIREMENTS = about(['/etfs/summary-history'], {
  '4.3/window': must({
    ...WINDOW.older,
    clauses: ['4.3 start_date', '8 ETF summary limit'],
    checks: [check(beyond)],
  }),
  '4.3/window-answer': must({ ...WINDOW.answer, checks: [check(beyond)] }),
  '4.3/range': must({
    ...rangeOf(SUMMARY_DAYS, 'rows'),
    checks: [
      part('with start_date alone, of LINK in US', (context) => listing('LINK in US', context)),
      part('with end_date alone, of AVAX in US', (context) => listing('AVAX in US', context)),
      part('with both ends and a limit', small),
      part('with both ends and the largest limit', big),
    ],
  }),
  '4.3/limit-default': must({
    ...LIMIT.byDefault,
    checks: [check(small), part(`beside limit=${maximum}`, withLimit(maximum))],
  }),
  '4.3/limit-exact': must({
    ...LIMIT.exact,
    checks: [
      part('with limit alone, of DOGE in US', (context) => listing('DOGE in US', context)),
      part('inside of a range', small),
      ...limits([2]),
    ],
  }),
  '4.3/limit-max': must({
    ...LIMIT.maximum,
    checks: [part(`limit=${maximum + 1}`, overInMixedCase), ...limits([2_147_483_648])],
  }),
  '4.3/limit-max-accepted': must({
    ...LIMIT.accepted,
    checks: [check(largest), part('without a range', withLimit(maximum))],
  }),
  '4.3/limit-invalid': must({
    ...LIMIT.invalid,
    checks: [
      ...limits(['-1', 'abc']),
      part('limit=0 beside dates that are none', withLimit(0, NO_DATES)),
      part('an empty limit beside dates that are none', withLimit('', EMPTY_START)),
    ],
  }),
  '4.3/limit-part': should({
    ...limitPartOf(SUMMARY_DAYS, 'ETF summary limit'),
    checks: [part('inside of a range', small), ...limits([2])],
  }),
});
