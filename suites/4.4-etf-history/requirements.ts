import { answersOf } from '../families/of-endpoint.ts';
import { alone, check, each, movingClock, part } from '../../src/ask/index.ts';
import { about, must, should } from '../../src/requirements/definition.ts';
import { HISTORY_DAYS } from '../../src/judge/series.ts';
import { limitOf } from '../families/limit.ts';
import { ownRows } from '../families/own-rows.ts';
import { rangeOf, windowOf } from '../families/range.ts';
import { atPosition } from '../families/resource-requests.ts';
import { tradingDays } from '../families/trading-days.ts';
import {
  historyAndList,
  beyond,
  EMPTY_START,
  history,
  largest,
  NO_DATES,
  ofTwo,
  small,
  spanningHoliday,
  withLimit,
  dayAfter,
  inSession,
  nextTradingDay,
  seenUnsettled,
  settledSnapshot,
  unsettled,
} from './requests.ts';
import {
  allOrNone,
  completes,
  currentDay,
  newestOnly,
  notZero,
  snapshotSettled,
  todayNull,
  turnoverFilled,
} from './settlement.ts';
import { VOLUME } from './volume.ts';

const ROWS = tradingDays({
  endpoint: '/etfs/{ticker}/history',
  name: 'ETF history',
  inflow: 'net_inflow',
  cumulative: 'cum_inflow',
});
const { maximum } = HISTORY_DAYS.limit;
const LIMIT = limitOf(HISTORY_DAYS, {
  without: 'ETF history without `limit` is',
  limit: 'An ETF history `limit`',
  bounds: '8 ETF history limit',
});
const WINDOW = windowOf(HISTORY_DAYS, {
  none: 'No ETF history row is',
  range: 'An ETF history range',
  stated: ['4.4 start_date', '4.4 end_date'],
  bounds: '8 ETF history limit',
});

const limits = (values: readonly (string | number)[]) =>
  each(values, 'limit=%s', (limit, context) => withLimit(limit)(context));

/** What hides an unsettled row, or the present day. */
const HIDING = ['recent', 't1-current-day', 't1-group', 't1-not-zero', 't1-today-null'].map(
  (name) => `4.4/${name}`,
);

const RULE_1 = { clauses: ['4.4 rule 1'], rulings: [17], hinderedBy: HIDING };

/** Requirements of §4.4, in the order of its text. */
export const ETF_HISTORY_REQUIREMENTS = about(['/etfs/{ticker}/history'], {
  // GET /etfs/{ticker}/history
  '4.4/history': answersOf('/etfs/{ticker}/history', {
    title: 'ETF history returns 200 with an array',
    clauses: ['4.4 response'],
    checks: [
      check(history),
      ...each([2, 3], 'of the ETF at place %s of the list', atPosition('/etfs/{ticker}/history')),
    ],
  }),

  // ticker
  '4.4/own-rows': must({
    title: 'Each ETF has its own rows',
    clauses: ['4.4 ticker'],
    rulings: [22],
    why: 'Two ETFs with the same turnover, assets and flows on every day are really one.',
    usually: [
      'The ticker in the path is written into the rows but not used in the query.',
      'The cache key lacks the ticker.',
      'Two tickers in the target file are listings of the same fund.',
    ],
    checks: [check(ofTwo)],
    judge: ownRows({ series: HISTORY_DAYS, figures: ['value_traded', 'net_assets', 'cum_inflow'] }),
  }),

  // start_date, end_date
  '4.4/range': must({
    ...rangeOf(HISTORY_DAYS, 'ETF rows'),
    checks: [
      part('with both ends and a limit', small),
      part('with both ends and the largest limit', beyond),
    ],
  }),
  '4.4/window': must({
    ...WINDOW.older,
    clauses: ['4.4 start_date', '4.4 response', '8 ETF history limit'],
    checks: [check(beyond)],
  }),
  '4.4/window-answer': must({ ...WINDOW.answer, checks: [check(beyond)] }),

  // limit
  '4.4/limit-default': must({
    ...LIMIT.byDefault,
    hinderedBy: ['4.4/recent'],
    checks: [check(small), part(`with limit=${maximum}`, withLimit(maximum))],
  }),
  '4.4/limit-exact': should({
    ...LIMIT.exact,
    checks: [part('inside of a range', small)],
  }),
  '4.4/limit-max': must({
    ...LIMIT.maximum,
    checks: [
      ...limits([2_147_483_648]),
      part(`limit=${maximum + 1} with invalid dates`, withLimit(maximum + 1, NO_DATES)),
    ],
  }),
  '4.4/limit-max-accepted': must({
    ...LIMIT.accepted,
    hinderedBy: ['4.4/recent'],
    checks: [check(largest), part('without a range', withLimit(maximum))],
  }),
  '4.4/limit-invalid': must({
    ...LIMIT.invalid,
    checks: [
      ...limits(['', '0', '-1']),
      part('limit="abc" with invalid dates', withLimit('abc', EMPTY_START)),
    ],
  }),

  // Response
  '4.4/order': must({ ...ROWS.order, checks: [check(history)] }),
  '4.4/weekends': must({ ...ROWS.weekends, checks: [check(history)] }),
  '4.4/holidays': should({
    ...ROWS.holidays,
    title: 'ETF history has no row for an exchange holiday in its country',
    checks: [check(spanningHoliday)],
  }),
  '4.4/date-unique': should({
    ...ROWS.unique,
    clauses: ['2.8 table 2 date'],
    checks: [check(history)],
  }),
  '4.4/recent': should({
    ...ROWS.recent,
    clauses: ['4.4 rule 1'],
    why: 'A history whose newest row is weeks old is no longer updated, unless the ETF was closed.',
    usually: [
      'The import failed and was not retried.',
      'All tickers in the target file belong to closed ETFs: add one that is still traded.',
    ],
    checks: [check(history)],
  }),
  '4.4/cumulative': should({
    ...ROWS.cumulative,
    title: "The cumulative inflow of an ETF grows by each day's inflow",
    clauses: ['2.8 table 2 cum_inflow', '2.8 table 2 net_inflow'],
    checks: [check(historyAndList)],
  }),

  // Rule 1
  '4.4/t1-group': must({
    title: 'The five settlement figures of a row are all null or all filled',
    ...RULE_1,
    why: 'Clients check one of the five figures for null and use the others: a half-settled row mixes figures from two days.',
    usually: [
      'One figure, often `currency_share` or `prem_dsc`, is computed by a separate job at a different time.',
      'A figure that cannot be computed stays null.',
    ],
    checks: [check(unsettled), part('on the next trading day', nextTradingDay, movingClock)],
    judge: allOrNone,
  }),
  '4.4/t1-filled': must({
    title: 'An unsettled row has `value_traded` and `volume`',
    ...RULE_1,
    why: 'The row for the current day exists to show its turnover and volume.',
    usually: ['The row is created at midnight, before the first trade.'],
    checks: [check(unsettled), part('on the next trading day', nextTradingDay, movingClock)],
    judge: turnoverFilled,
  }),
  '4.4/t1-not-zero': must({
    title: 'Settlement figures that are not known yet are null, not 0',
    clauses: ['4.4 rule 1'],
    rulings: [22],
    why: 'A 0 looks like a fund without flows or assets; only null means unknown.',
    usually: [
      'null is converted to 0 when read from the database.',
      'The row is created with default values.',
    ],
    checks: [check(history)],
    judge: notZero,
  }),
  '4.4/t1-current-day': should({
    title: 'The unsettled row belongs to the current trading day',
    ...RULE_1,
    why: 'An unsettled row for an earlier day means that its settlement was missed.',
    usually: [
      "The target's clock is wrong, or trading days are counted in UTC.",
      'Settlement is late; see 4.4/t1-completes.',
    ],
    checks: [check(unsettled), part('on the next trading day', nextTradingDay, movingClock)],
    judge: currentDay,
  }),
  '4.4/t1-today-null': must({
    title: 'The row of the current trading day is not settled before the session is over',
    clauses: ['4.4 rule 1'],
    hinderedBy: HIDING,
    shownBy: 'the history of an ETF during a trading session',
    rulings: [17, 22],
    why: "Flows are unknown until the session ends: clients mistake an estimate, or another day's figures, for settled data.",
    usually: [
      "The previous day's figures are carried over.",
      'An estimate is sent instead of null.',
    ],
    checks: [check(history), part('late in a session', inSession, movingClock)],
    judge: todayNull,
  }),
  '4.4/t1-completes': must({
    title: 'A row that was unsettled is complete on the next day',
    clauses: ['4.4 rule 1'],
    seenFirst: '4.4/t1-today-null',
    shownBy:
      'the history of an ETF while its newest row is unsettled, and again on the next trading day',
    rulings: [17],
    needs: ['etfTickers'],
    why: 'Clients that wait for settled figures wait forever.',
    usually: [
      'Settlement failed for this day.',
      'The batch runs later than the next day, for instance for funds in HK.',
      'A new row was written instead of completing the old one.',
    ],
    checks: [
      part('of a row that an earlier run saw unsettled', seenUnsettled, alone),
      check(dayAfter, movingClock),
    ],
    judge: completes,
  }),

  // Rule 2
  '4.4/t1-newest-only': must({
    title: 'Rows before the newest one are settled once the next trading day is over',
    clauses: ['4.4 rule 1', '4.4 rule 2'],
    rulings: [17],
    why: 'A day settles on the next trading day; a null in an older row is never filled.',
    usually: [
      'The batch failed on one day and was not retried.',
      "Days before a fund's launch are listed with nulls.",
      'The rows are in the wrong order, so the newest is not first.',
    ],
    checks: [check(history), part('on the next trading day', nextTradingDay, movingClock)],
    judge: newestOnly,
  }),
  '4.4/snapshot-settled': should({
    title: 'The market snapshot of an ETF has settled figures, not null',
    clauses: ['4.4 rule 2', '4.7 GET /etfs/{ticker}/market-snapshot'],
    endpoints: ['/etfs/{ticker}/market-snapshot'],
    shownBy: 'the snapshot of an ETF, and its history with a settled row',
    rulings: [16],
    why: 'The specification refers clients to the snapshot for settled figures.',
    usually: ['The snapshot uses the newest row of the history, settled or not.'],
    checks: [check(settledSnapshot)],
    judge: snapshotSettled,
  }),

  // Rule 3
  ...VOLUME,
});
