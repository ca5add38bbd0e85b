// Figures of an ETF settle a day later (rules 1 and 2): histories with an unsettled row, now, on the next trading day of a
// test target whose clock can be moved, or in an earlier run of the same target.
import {
  answerOf,
  plain,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
} from '../../src/ask/index.ts';
import { NEEDS_TIME } from '../../src/spec/cause.ts';
import { T1_FIELDS } from '../../src/spec/resources.ts';
import { DAY } from '../../src/spec/time.ts';
import { isTradingDay, mayCloseEarly } from '../../src/spec/trading-days.ts';
import { COUNTRIES } from '../../src/spec/values.ts';
import { HISTORY, isDate, isoDate, settledBy } from '../../src/judge/etf-rows.ts';
import { isObject, viewOf } from '../../src/judge/view.ts';
import { datesOf } from '../families/trading-days-requests.ts';
import { history, plainHistory } from './requests.ts';
import { completes, figuresOf, todayNull } from './settlement.ts';

type Session = CheckContext['session'];

/** The date of the unsettled row of an ETF history (rule 1); undefined when all rows are settled. */
function unsettledDate({ records }: Answer): string | undefined {
  for (const { value } of records) {
    if (!isObject(value) || !isDate(value['date'])) continue;
    if (T1_FIELDS.some((field) => value[field] === null)) return value['date'];
  }
  return undefined;
}

/** @throws Untested when the answer has no unsettled row (ruling 17) */
function mustShowUnsettled(answer: Answer): void {
  if (unsettledDate(answer) !== undefined) return;
  throw new Untested(
    'no row is unsettled: today is not a trading day, or its figures are already settled; run again on a trading day',
  );
}

/** The plain history, where its newest row is unsettled. */
export const unsettled: Ask = async (context) => {
  const answer = await history(context);
  mustShowUnsettled(answer);
  return answer;
};

/** The snapshot, and the history of the same ETF. */
export const besideSnapshot = async ({ api }: CheckContext): Promise<readonly [Answer, Answer]> => [
  await api.get('/etfs/{ticker}/market-snapshot'),
  await plain(api, HISTORY),
];

/**
 * The snapshot, which has no row that settles later, and the history, which tells whether anything is settled yet.
 * @throws Untested when the snapshot has none of the figures
 */
export const settledSnapshot: Ask = async (context) => {
  const answers = await besideSnapshot(context);
  if (figuresOf(answers[0].body, '').length === 0) {
    throw new Untested('the snapshot has none of the settlement figures under their names');
  }
  return answers;
};

/** The next trading day, when today's answer had no unsettled row (ruling 17). Costs nothing on a trading day. */
export const nextTradingDay: Ask = async (context) => {
  if (unsettledDate(await history(context)) !== undefined) {
    throw new Untested("today's row is unsettled and was judged");
  }
  return historyBeforeSettlement(context);
};

/**
 * The histories of an ETF, one of them before the session of a trading day is over: the run may have asked then, or the clock
 * of a test target is moved there.
 * @throws Untested when the moment was another one and the clock cannot be moved
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
 * Whatever this run asked about the ETFs that an earlier one saw unsettled; nothing is asked for their sake alone.
 * @throws Untested without an earlier run, or before the row is due
 */
export const seenUnsettled: Ask = async (context) => {
  const { session } = context;
  const [row] = session.earlierRows;
  if (row === undefined) {
    throw new Untested(
      'no earlier run of this target saw an unsettled row: run again on the next trading day',
      NEEDS_TIME,
    );
  }
  await history(context);
  const histories = historiesOf(session, new Set(session.earlierRows.map(({ ticker }) => ticker)));
  if (context.judged(completes) === undefined) {
    throw new Untested(
      `the row of ${row.date} of ${row.ticker}, which the run of ${row.run} saw unsettled, is not due yet or not among the answers`,
      NEEDS_TIME,
    );
  }
  return histories;
};

/**
 * A history with an unsettled row, and the same a day later, when the clock of a test target can be moved.
 * @throws Untested when it cannot
 */
export const dayAfter: Ask = async (context) => {
  const { api, session } = context;
  if (!session.http.clockControlled) {
    throw new Untested('needs a day to pass on the target: run again tomorrow', NEEDS_TIME);
  }
  const { path } = await plainHistory(context);
  const before = await historyBeforeSettlement(context);
  const date = unsettledDate(before);
  if (date === undefined) throw new Untested('no row is unsettled');
  const now = session.http.targetNow();
  await session.http.advanceClock(DAY);
  const after = await api.get(HISTORY, {}, { fresh: true, path });
  if (datesOf(after).includes(date) && unsettledDate(after) !== date) return [before, after];
  // "The next day" may be the next day of trading, and any hour of it.
  await session.http.advanceClock(Math.max(0, settledBy(date, COUNTRIES) - now - DAY) + 1000);
  return [before, after, await api.get(HISTORY, {}, { fresh: true, path })];
};

/** All answers of the run about the history of some ETFs. */
function historiesOf(session: Session, tickers: ReadonlySet<string>): Answer[] {
  return session.exchanges
    .filter(({ endpoint, pathParameters }) => {
      return endpoint === HISTORY && tickers.has(pathParameters['ticker'] ?? '');
    })
    .filter((exchange) => viewOf(exchange, session.facts) !== undefined)
    .map((exchange) => answerOf(exchange, session.facts, null));
}

/** Most trading days that are tried before a row that stays settled is taken as the way of the target. */
const MOST_DAYS = 3;

const unsettledHistories = new WeakMap<Session, Promise<Answer>>();

/**
 * The history of the first ETF on a day whose row is not settled: now, or after the clock of a test target was moved to
 * the next trading day. All checks of a run share the answer.
 * @throws Untested when the clock cannot be moved, or when no row is unsettled on several trading days
 */
function historyBeforeSettlement(context: CheckContext): Promise<Answer> {
  let found = unsettledHistories.get(context.session);
  if (found === undefined) {
    found = moveToUnsettled(context);
    unsettledHistories.set(context.session, found);
  }
  return found;
}

async function moveToUnsettled(context: CheckContext): Promise<Answer> {
  const { api, session } = context;
  const { path, answer: first } = await plainHistory(context);
  let answer = first;
  for (let day = 0; unsettledDate(answer) === undefined; day += 1) {
    if (!session.http.clockControlled || day === MOST_DAYS) mustShowUnsettled(answer);
    await session.http.advanceClock(untilSession(session.http.targetNow()));
    // The same request on another day is another question.
    answer = await api.get(HISTORY, {}, { fresh: true, path });
  }
  return answer;
}

/** Late in the session of New York, in summer and in winter: 19:30 UTC, ms. Hong Kong has closed then. */
const LATE_MS = 19.5 * 3_600_000;

/** Time until that hour comes next on a day on which both exchanges trade, to the usual end, ms. */
function untilSession(now: number): number {
  let late = Math.floor(now / DAY) * DAY + LATE_MS;
  if (late <= now) late += DAY;
  const trades = (date: string): boolean =>
    COUNTRIES.every((country) => isTradingDay(country, date)) && !mayCloseEarly(date);
  while (!trades(isoDate(late))) late += DAY;
  return late - now;
}
