// What a run asks of the history of an ETF (§4.4): the first one with rows, and others beside it.
import type { Answer, Ask, CheckContext, GetOptions, Query } from '../index.ts';
import { Untested } from '../index.ts';
import { countriesBehind, HISTORY, mustSpanHoliday, rangeBeyond } from './etf.ts';
import { badRanges, bigPart, otherPath, richList, smallPart, type List } from './series.ts';

const NONE: Query = {};
export const [NO_DATES, EMPTY_START] = badRanges(HISTORY);

/** The history of the first ETF that has enough rows. */
export const plainHistory = (context: CheckContext): Promise<List> =>
  richList(HISTORY, NONE, context);

/** The same, as an answer. Every other answer of the run is judged in the same way when the run ends. */
export const history = async (context: CheckContext): Promise<Answer> =>
  (await plainHistory(context)).answer;

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

const ofTicker =
  (pick: (tickers: readonly string[]) => string | undefined): Ask =>
  async ({ api }) => {
    const tickers = await api.fixtures('etfTickers');
    const ticker = pick(tickers);
    if (ticker === undefined) {
      throw new Untested(
        `there are ${tickers.length} ETF tickers: add more to fixtures.etfTickers`,
      );
    }
    return api.get(HISTORY, {}, { path: { ticker } });
  };

/** Other ETFs of the target: the rows of a second and a last one show what the first does not. */
export const OTHER_ETFS: readonly (readonly [string, Ask])[] = [
  ['for the second ETF', ofTicker((tickers) => tickers[1])],
  ['for the last ETF', ofTicker((tickers) => (tickers.length > 2 ? tickers.at(-1) : undefined))],
];

/** The plain request, and one with what is made of its answer. The plain one is the control of the other. */
const beside =
  (more: (base: Answer, context: CheckContext) => Query, options: GetOptions = {}) =>
  async (context: CheckContext): Promise<readonly Answer[]> => {
    const { path, answer } = await plainHistory(context);
    const query = more(answer, context);
    return [answer, await context.api.get(HISTORY, query, { ...options, path })];
  };

const ofOther = async (
  query: Query,
  context: CheckContext,
  options: GetOptions = {},
): Promise<Answer> => {
  const path = await otherPath(HISTORY, await plainHistory(context), context);
  return context.api.get(HISTORY, query, { ...options, path });
};

/** A failure of the server is an answer to a request out of bounds. */
const whatever = { anyAnswer: true } as const;

/** A range with a limit that cuts it. */
export const small = beside((answer, context) => smallPart(HISTORY, answer, context));

/** A range of another ETF with the largest limit, which cuts nothing. */
const big = (context: CheckContext): Promise<Answer> => ofOther(bigPart(HISTORY, context), context);

/** A range of another ETF that begins before the window, and one inside of it. */
export const beyond = async (context: CheckContext): Promise<readonly Answer[]> => [
  await ofOther(rangeBeyond(context), context, whatever),
  await big(context),
];

/** The plain history beside that of another ETF. */
export const ofTwo: Ask = async (context) => [await history(context), ...(await beyond(context))];

/** One end of a range, or both of them, and no limit. */
export const ends = (...names: readonly ('start_date' | 'end_date')[]): Ask =>
  beside((_answer, context) => {
    const range = bigPart(HISTORY, context);
    return Object.fromEntries(names.map((name) => [name, range[name]]));
  });

// A month holds fewer trading days than the default, so 300, 50 and no limit show the same rows.
export const withLimit = (
  limit: string | number,
  more: Query = {},
): ((context: CheckContext) => Promise<readonly Answer[]>) =>
  beside(() => ({ limit, ...more }), whatever);

/** The largest limit. Dates of another form than expected may be refused; then the limit is asked for alone. */
export const largest: Ask = async (context) => {
  const ranged = await big(context);
  return ranged.status === 200 ? ranged : withLimit(300)(context);
};
