// What the suites on ETFs share: the plain requests, and dates taken from the answers to them.
import { isTradingDay } from '../src/contract/trading-days.ts';
import { COUNTRIES, T1_FIELDS, type Country } from '../src/contract/values.ts';
import { countriesOf, isoDate, listedCountries } from '../src/rules/etf-rows.ts';
import { holidaysWithin } from '../src/rules/etf-series.ts';
import { isObject, viewOf } from '../src/rules/view.ts';
import { answerOf } from '../src/suite/answer.ts';
import { Untested, type Answer, type CheckContext, type Query } from '../src/suite/index.ts';

type SuiteSession = CheckContext['session'];

export const SUMMARY = '/etfs/summary-history';
export const HISTORY = '/etfs/{ticker}/history';
/** The summary request that all others are compared with. */
export const BASE = { symbol: 'BTC', country_code: 'US' } as const;

const DAY = 86_400_000;

export const baseSummary = ({ api }: CheckContext): Promise<Answer> => api.get(SUMMARY, BASE);
export const baseHistory = ({ api }: CheckContext): Promise<Answer> => api.get(HISTORY);

/** The body of a check that asks for one or more answers, which together keep its requirement. */
export const conforms =
  (ask: (context: CheckContext) => Promise<Answer | readonly Answer[]>) =>
  async (context: CheckContext): Promise<void> => {
    context.expect(await ask(context)).toConform();
  };

/** Dates of an answer, newest first. */
export function datesOf({ records }: Answer): string[] {
  const dates = records.flatMap(({ value }) =>
    isObject(value) && typeof value['date'] === 'string' ? [value['date']] : [],
  );
  return dates.toSorted().toReversed();
}

/**
 * A range in the older part of the days that an answer shows, with more than five days in it. It keeps away from both
 * ends of the window, where days come and go.
 * @throws Untested when there are too few days
 */
export function olderRange(
  answer: Answer,
  { session }: CheckContext,
): { start_date: string; end_date: string } {
  const certain = isoDate(session.http.targetNow() - 26 * DAY);
  const dates = datesOf(answer).filter((date) => date >= certain);
  const [end, start] = [dates[5], dates.at(-1)];
  if (end === undefined || start === undefined || dates.length < 13) {
    throw new Untested(
      `the list shows ${dates.length} days since ${certain}, too few to ask for a part of them`,
    );
  }
  return { start_date: start, end_date: end };
}

/** A range that begins 75 days ago, well beyond the month of §8, and ends inside of it. */
export function rangeBeyond({ session }: CheckContext): Query {
  const now = session.http.targetNow();
  return { start_date: isoDate(now - 75 * DAY), end_date: isoDate(now - 10 * DAY) };
}

/** The date of the unsettled row of an ETF history (§4.4 rule 1); undefined when all rows are settled. */
export function unsettledDate({ records }: Answer): string | undefined {
  for (const { value } of records) {
    if (!isObject(value) || typeof value['date'] !== 'string') continue;
    if (T1_FIELDS.some((field) => value[field] === null)) return value['date'];
  }
  return undefined;
}

/** @throws Untested when the answer has no unsettled row (ruling 17) */
export function mustShowUnsettled(answer: Answer): void {
  if (unsettledDate(answer) !== undefined) return;
  throw new Untested(
    'no row is unsettled: today is no trading day, or its figures are settled; run again on a trading day',
  );
}

/** Countries whose calendar may apply to the rows of an answer, as far as the ETF list says it. */
export function countriesBehind(
  answer: Answer,
  list: Answer | null,
  { session }: CheckContext,
): readonly Country[] {
  const view = viewOf(answer.exchange, session.facts);
  const listed = list === null ? undefined : viewOf(list.exchange, session.facts);
  const known = listedCountries(listed === undefined ? [] : [listed], session.context());
  return view === undefined ? COUNTRIES : countriesOf(view, known);
}

/** @throws Untested when no holiday lies between the days that an answer shows */
export function mustSpanHoliday(answer: Answer, countries: readonly Country[]): void {
  const dates = datesOf(answer);
  if (holidaysWithin(dates, countries).length > 0) return;
  throw new Untested(
    `no exchange holiday of ${countries.join(' and ')} lies between ${dates.at(-1) ?? 'no row'} and ${dates[0] ?? 'no row'}`,
  );
}

/** All answers of the run about the history of some ETFs. */
export function historiesOf(session: SuiteSession, tickers: ReadonlySet<string>): Answer[] {
  return session.exchanges
    .filter(({ endpoint, pathParameters }) => {
      return endpoint === HISTORY && tickers.has(pathParameters['ticker'] ?? '');
    })
    .filter((exchange) => viewOf(exchange, session.facts) !== undefined)
    .map((exchange) => answerOf(exchange, session.facts, null));
}

/** Most trading days that are tried before a row that stays settled is taken as the way of the target. */
const MOST_DAYS = 3;

const unsettledHistories = new WeakMap<SuiteSession, Promise<Answer>>();

/**
 * The history of the first ETF on a day whose row is not settled: now, or after the clock of a test target was moved to
 * the next trading day. All checks of a run share the answer.
 * @throws Untested when the clock cannot be moved, or when no row is unsettled on several trading days
 */
export function historyBeforeSettlement(context: CheckContext): Promise<Answer> {
  let found = unsettledHistories.get(context.session);
  if (found === undefined) {
    found = moveToUnsettled(context);
    unsettledHistories.set(context.session, found);
  }
  return found;
}

async function moveToUnsettled(context: CheckContext): Promise<Answer> {
  const { api, session } = context;
  let answer = await baseHistory(context);
  for (let day = 0; unsettledDate(answer) === undefined; day += 1) {
    if (!session.http.clockControlled || day === MOST_DAYS) mustShowUnsettled(answer);
    await session.http.advanceClock(untilTradingDay(session.http.targetNow()));
    // The same request on another day is another question.
    answer = await api.get(HISTORY, {}, { fresh: true });
  }
  return answer;
}

/** Time until noon (UTC) of the next day on which both exchanges trade, ms. */
function untilTradingDay(now: number): number {
  let noon = Math.floor(now / DAY) * DAY + 1.5 * DAY;
  while (!COUNTRIES.every((country) => isTradingDay(country, isoDate(noon)))) noon += DAY;
  return noon - now;
}
