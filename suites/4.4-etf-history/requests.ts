// What a run asks of the history of an ETF: the first one with rows, and others beside it.
import type { Answer, Ask, CheckContext, Query } from '../../src/ask/index.ts';
import { HISTORY } from '../../src/judge/etf-rows.ts';
import { HISTORY_DAYS } from '../../src/judge/series.ts';
import {
  anotherThan,
  badRanges,
  partsOf,
  rangedOrAlone,
  richList,
  together,
  whatever,
  type List,
} from '../families/series-requests.ts';
import { countriesBehind, mustSpanHoliday } from '../families/trading-days-requests.ts';

export const [NO_DATES, EMPTY_START] = badRanges(HISTORY_DAYS);

/** The history of the first ETF that has enough rows. */
export const plainHistory = (context: CheckContext): Promise<List> =>
  richList(HISTORY, {}, context);

const PARTS = partsOf(HISTORY_DAYS, {
  find: plainHistory,
  other: anotherThan(HISTORY_DAYS, plainHistory),
});

/** The same, as an answer. Every other answer of the run is judged in the same way when the run ends. */
export const history = PARTS.plain;

/** The list says in which country the ETF trades, and so which days follow each other. */
export const besideList = async (context: CheckContext): Promise<readonly [Answer, Answer]> => [
  await history(context),
  await context.api.get('/etfs'),
];

/** @throws Untested when no holiday lies between the rows of the plain history */
export const spanningHoliday: Ask = async (context) => {
  const [answer, list] = await besideList(context);
  mustSpanHoliday(answer, countriesBehind(answer, list, context));
  return [answer, list];
};

// A part of the plain history stands beside it: the plain one is its control.

/** A range with a limit that cuts it. */
export const small = together(history, PARTS.small);

/** A range of another ETF that begins before the window, and one inside of it. */
export const beyond = together(PARTS.beyond, PARTS.big);

/** The plain history beside that of another ETF. */
export const ofTwo = together(history, beyond);

// A month holds fewer trading days than the default, so 300, 50 and no limit show the same rows.
export const withLimit = (limit: string | number, more: Query = {}) =>
  together(history, (context) => PARTS.again({ limit, ...more }, context, whatever));

/** The largest limit, in a range of another ETF where dates are taken as expected. */
export const largest = rangedOrAlone(PARTS.big, withLimit(HISTORY_DAYS.limit.maximum));
