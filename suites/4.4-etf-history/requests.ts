import {
  type Answer,
  type Ask,
  type CheckContext,
  answerOf,
  plain,
  Untested,
} from '../../src/ask/index.ts';
import { HISTORY, isDate, settledBy } from '../../src/judge/etf-rows.ts';
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
import { countriesBehind, mustSpanHoliday, datesOf } from '../families/trading-days.ts';
import { NEEDS_TIME } from '../../src/spec/cause.ts';
import { T1_FIELDS } from '../../src/spec/resources.ts';
import { DAY, isoDay } from '../../src/spec/time.ts';
import { isTradingDay, mayCloseEarly } from '../../src/spec/trading-days.ts';
import { COUNTRIES } from '../../src/spec/values.ts';
import { isObject, viewOf } from '../../src/judge/view.ts';
import { perObject } from '../../src/text/remembered.ts';
import { completes, figuresOf, todayNull } from './settlement.ts';

// Requests for the history of an ETF: the first one with rows, and others.

export const [NO_DATES, EMPTY_START] = badRanges(HISTORY_DAYS);

/** The history of the first ETF with enough rows. */
const plainHistory = (context: CheckContext): Promise<List> => richList(HISTORY, {}, context);

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

// Figures of an ETF settle a day later (rules 1 and 2). Finds histories with an unsettled row: now, on the next trading
// day of a test target with an adjustable clock, or in an earlier run against the same target.

type Session = CheckContext['session'];

/** Date of the unsettled row of an ETF history (rule 1), if there is one. */
function unsettledDate({ records }: Answer): string | undefined {
  for (const { value } of records) {
    if (!isObject(value) || !isDate(value['date'])) continue;
    if (T1_FIELDS.some((field) => value[field] === null)) return value['date'];
  }
  return undefined;
}

/** @throws Untested if no row is unsettled (ruling 17) */
function mustShowUnsettled(answer: Answer): void {
  if (unsettledDate(answer) !== undefined) return;
  throw new Untested(
    'no row is unsettled: today is not a trading day, or its figures are already settled; run again on a trading day',
  );
}

/** The plain history, if its newest row is unsettled. */
export const unsettled: Ask = async (context) => {
  const answer = await history(context);
  mustShowUnsettled(answer);
  return answer;
};

/** The snapshot and the history of the same ETF. */
export const snapshotAndHistory = async ({
  api,
}: CheckContext): Promise<readonly [Answer, Answer]> => [
  await api.get('/etfs/{ticker}/market-snapshot'),
  await plain(api, HISTORY),
];

/**
 * The snapshot, and the history, which shows whether anything is settled yet.
 * @throws Untested if the snapshot has none of the figures
 */
export const settledSnapshot: Ask = async (context) => {
  const answers = await snapshotAndHistory(context);
  if (figuresOf(answers[0].body, '').length === 0) {
    throw new Untested(
      'the snapshot has none of the settlement figures under the names in the specification',
    );
  }
  return answers;
};

/** The next trading day, if today's answer has no unsettled row (ruling 17). Free on a trading day. */
export const nextTradingDay: Ask = async (context) => {
  if (unsettledDate(await history(context)) !== undefined) {
    throw new Untested(
      "today's row is unsettled and was judged, so the next trading day is not needed",
    );
  }
  return historyBeforeSettlement(context);
};

/**
 * Histories of an ETF, one of them from before the session ended: the run may have asked in time, or advances the clock
 * of a test target.
 * @throws Untested if it was too late and the clock cannot be advanced
 */
export const inSession: Ask = async (context) => {
  const { session } = context;
  const { path } = await plainHistory(context);
  if (context.judged(todayNull) === undefined) {
    if (!session.http.clockControlled) {
      throw new Untested(
        'needs a request during trading hours: run again while New York trades',
        NEEDS_TIME,
      );
    }
    await session.http.advanceClock(untilSession(session.http.targetNow()));
    await context.api.get(HISTORY, {}, { fresh: true, path });
  }
  return historiesOf(session, new Set(Object.values(path)));
};

/**
 * All answers about ETFs with rows unsettled in an earlier run; sends nothing extra.
 * @throws Untested without an earlier run, or before the row is due
 */
export const seenUnsettled: Ask = async (context) => {
  const { session } = context;
  const [row] = session.earlierRows;
  if (row === undefined) {
    const date = unsettledDate(await history(context));
    throw date === undefined
      ? new Untested(
          'neither this run nor an earlier one against this target saw an unsettled row: run during a trading session, and again on the next trading day',
        )
      : new Untested(
          `the row of ${date} is still unsettled: run again on the next trading day, with an --output folder next to that of this run`,
          NEEDS_TIME,
        );
  }
  await history(context);
  const histories = historiesOf(session, new Set(session.earlierRows.map(({ ticker }) => ticker)));
  if (context.judged(completes) === undefined) {
    throw new Untested(
      `the row of ${row.ticker} for ${row.date} was unsettled in the run of ${row.run}: its settlement is not due yet, or no response contains the row`,
      NEEDS_TIME,
    );
  }
  return histories;
};

/**
 * A history with an unsettled row, and the same a day later, by advancing the clock of a test target. If that is not
 * possible, what an earlier run saw.
 */
export const dayAfter: Ask = async (context) => {
  const { api, session } = context;
  if (!session.http.clockControlled) return seenUnsettled(context);
  const { path } = await plainHistory(context);
  const before = await historyBeforeSettlement(context);
  const date = unsettledDate(before);
  if (date === undefined) throw new Untested('no row is unsettled');
  const now = session.http.targetNow();
  await session.http.advanceClock(DAY);
  const after = await api.get(HISTORY, {}, { fresh: true, path });
  if (datesOf(after).includes(date) && unsettledDate(after) !== date) return [before, after];
  // "The next day" may mean the next trading day, and any hour of it.
  await session.http.advanceClock(Math.max(0, settledBy(date, COUNTRIES) - now - DAY) + 1000);
  return [before, after, await api.get(HISTORY, {}, { fresh: true, path })];
};

/** All histories of some ETFs, without refusals: those of the limiter and of other keys say nothing about rows. */
function historiesOf(session: Session, tickers: ReadonlySet<string>): Answer[] {
  return session.exchanges
    .filter(({ endpoint, pathParameters }) => {
      return endpoint === HISTORY && tickers.has(pathParameters['ticker'] ?? '');
    })
    .filter((exchange) => viewOf(exchange, session.facts)?.ok === true)
    .map((exchange) => answerOf(exchange, session.facts, null));
}

/** How many trading days to try until a row is unsettled. */
const MAX_DAYS = 3;

/**
 * The history of the first ETF on a day with an unsettled row: now, or after advancing the clock of a test target.
 * Shared by all checks of a run.
 * @throws Untested if the clock cannot be advanced, or no row is unsettled on several trading days
 */
const historyBeforeSettlement = (context: CheckContext): Promise<Answer> =>
  unsettledHistory(context.session, context);

const unsettledHistory = perObject(async (session: Session, context: CheckContext) => {
  const { path, answer: first } = await plainHistory(context);
  let answer = first;
  for (let day = 0; unsettledDate(answer) === undefined; day += 1) {
    if (!session.http.clockControlled || day === MAX_DAYS) mustShowUnsettled(answer);
    await session.http.advanceClock(untilSession(session.http.targetNow()));
    // The same request on another day is a new one.
    answer = await context.api.get(HISTORY, {}, { fresh: true, path });
  }
  return answer;
});

/** Late in the New York session, summer and winter, with Hong Kong closed: 19:30 UTC, ms. */
const LATE_MS = 19.5 * 3_600_000;

/** Time until that hour on the next full trading day of both exchanges, ms. */
function untilSession(now: number): number {
  let late = Math.floor(now / DAY) * DAY + LATE_MS;
  if (late <= now) late += DAY;
  const trades = (date: string): boolean =>
    COUNTRIES.every((country) => isTradingDay(country, date)) && !mayCloseEarly(date);
  while (!trades(isoDay(late))) late += DAY;
  return late - now;
}
