// Requests for the history of an ETF: the first one with rows, and others.
import type { Answer, Ask, CheckContext } from '../../src/ask/index.ts';
import { HISTORY } from '../../src/judge/etf-rows.ts';
import { HISTORY_DAYS } from '../../src/judge/series.ts';
import {
  anotherThan,
  badRanges,
  partsOf,
  rangedOrAlone,
  richList,
  together,
  type List,
} from '../families/series-requests.ts';
import { countriesBehind, mustSpanHoliday } from '../families/trading-days.ts';

export const [NO_DATES, EMPTY_START] = badRanges(HISTORY_DAYS);

/** The history of the first ETF with enough rows. */
export const plainHistory = (context: CheckContext): Promise<List> =>
  richList(HISTORY, {}, context);

const PARTS = partsOf(HISTORY_DAYS, {
  find: plainHistory,
  other: anotherThan(HISTORY_DAYS, plainHistory),
});

/** The same as an answer. At the end of the run all other answers are judged the same way. */
export const history = PARTS.plain;

/** The ETF list gives the country and so the trading calendar. */
export const historyAndList = async (context: CheckContext): Promise<readonly [Answer, Answer]> => [
  await history(context),
  await context.api.get('/etfs'),
];

/** @throws Untested if the plain history spans no holiday */
export const spanningHoliday: Ask = async (context) => {
  const [answer, list] = await historyAndList(context);
  mustSpanHoliday(answer, countriesBehind(answer, list, context));
  return [answer, list];
};

// The plain history is the control of its parts.

/** A range with a limit that cuts it. */
export const small = together(history, PARTS.small);

/** A range of another ETF that starts before the window, and one inside it. */
export const beyond = together(PARTS.beyond, PARTS.big);

/** The plain history and that of another ETF. */
export const ofTwo = together(history, beyond);

// A month has fewer trading days than the default limit, so 300, 50 and no limit return the same rows.
export const { withLimit } = PARTS;

/** The largest limit, in a range of another ETF if the service accepts the dates. */
export const largest = rangedOrAlone(PARTS.big, withLimit(HISTORY_DAYS.limit.maximum));
