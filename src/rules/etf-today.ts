import { T1_FIELDS } from '../contract/resources.ts';
import { isPublished, isTradingDay, mayCloseEarly } from '../contract/trading-days.ts';
import type { Country } from '../contract/values.ts';
import type { Context } from './context.ts';
import { criteria } from './criterion.ts';
import { decimalOf } from './decimals.ts';
import {
  countriesOf,
  daysAfter,
  isoDate,
  listedCountries,
  newest,
  type DayRow,
} from './etf-rows.ts';
import { historyRows } from './etf-settlement.ts';
import type { Rule } from './judgement.ts';
import { HISTORY_DAYS } from './series.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';

/** What this file decides. */
export const ETF_TODAY = criteria('todayNull', 'todayRow');

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Whether the exchanges of all these countries trade on a day for sure. */
const tradesIn = (countries: readonly Country[], date: string): boolean =>
  countries.every((country) => isTradingDay(country, date) && isPublished(country, date));

/** The earliest end that a session may have, UTC hours: where summer time moves it the earlier one, and that of a half day. */
function earliestClose(country: Country, date: string): number {
  if (country === 'HK') return 4;
  return mayCloseEarly(date) ? 17 : 20;
}

/**
 * §4.4 rule 1: the figures of the current trading day are null. Whatever is taken for the day of a trading day and for its
 * end, a session that is not over yet belongs to it.
 */
const todayNull: Rule = {
  name: 'etf-today-null',
  judges: [ETF_TODAY.todayNull],
  all(views, context, into) {
    const listed = listedCountries(views, context);
    for (const view of views) {
      const countries = countriesOf(view, listed);
      for (const row of historyRows(view, context)) {
        if (!isOpen(row.date, countries, view.now)) continue;
        const figures = T1_FIELDS.map((field) => row.fields[field]);
        const filled = figures.map(decimalOf).filter((figure) => figure !== undefined);
        // What is settled in part, and 0 in place of null, is judged as such.
        const mixed = filled.length > 0 && filled.length < figures.length;
        if (mixed || (filled.length > 0 && filled.every((figure) => figure === 0))) continue;
        into.expect(ETF_TODAY.todayNull, view, filled.length === 0, () => ({
          message: `${place(view)}: the row of ${row.date} is settled before the session of the day is over`,
          expected: `${T1_FIELDS.join(', ')} null for the current trading day`,
          actual: `filled at ${new Date(view.now).toISOString()}`,
          pointer: `${row.pointer}/${T1_FIELDS[0]}`,
        }));
      }
    }
  },
};

/** Whether the session of a day is to come or under way, for sure. The date begins 14 hours earlier in the east of the world. */
function isOpen(date: string, countries: readonly Country[], now: number): boolean {
  const close = Math.min(...countries.map((country) => earliestClose(country, date)));
  const end = Date.parse(date) + close * HOUR_MS - MINUTE_MS;
  return now < end && date <= isoDate(now + 14 * HOUR_MS) && tradesIn(countries, date);
}

/**
 * The hour (UTC) from which the row of a day has to be there: two hours after the end of the session at least, so that whoever
 * writes it once trading is over has done so. Until midnight UTC the day is that of both exchanges' dates, or the one before,
 * whose row stays.
 */
const ROW_FROM: Readonly<Record<Country, number>> = { HK: 11, US: 23 };
/** Rows that show that an ETF is traded day by day. */
const ENOUGH_ROWS = 5;
/** A clock that is further off than this was moved, and the data need not follow it, ms. */
const MOVED_MS = HOUR_MS;

/**
 * §4.4 rule 1: a row exists for the current trading day. Judged in the evening of the day, when whoever waits for the end of
 * trading has one, of an ETF that trades day by day up to the day before, in a list that nothing cuts.
 */
const todayRow: Rule = {
  name: 'etf-today-row',
  judges: [ETF_TODAY.todayRow],
  all(views, context, into) {
    const listed = listedCountries(views, context);
    const lists = views.flatMap((view) => {
      const rows = wholeList(view, context);
      const last = newest(rows);
      return last === undefined ? [] : [{ view, rows, last }];
    });
    for (const { view, rows, last } of lists) {
      const countries = countriesOf(view, listed);
      const today = isoDate(view.now);
      const from = Math.max(...countries.map((country) => ROW_FROM[country]));
      if (view.now < Date.parse(today) + from * HOUR_MS || !tradesIn(countries, today)) continue;
      const there = rows.some(({ date }) => date === today);
      const dayByDay = countries.some((country) => last === tradingDayBefore(country, today));
      const follows =
        Math.abs(view.exchange.skewMs) <= MOVED_MS ||
        lists.some((other) => other.last !== last && isSameEtf(other.view, view));
      if (!there && !(dayByDay && follows && rows.every(isTradedAndSettled))) continue;
      into.expect(ETF_TODAY.todayRow, view, there, () => ({
        message: `${place(view)} has no row for the current trading day`,
        expected: `a row of ${today} with value_traded and volume`,
        actual: `${last} is the newest one at ${new Date(view.now).toISOString()}`,
        pointer: view.root,
      }));
    }
  },
};

/** The rows of an ETF history that no range or limit cuts; none where some cannot be read, or are too few. */
function wholeList(view: View, context: Context): readonly DayRow[] {
  const rows = historyRows(view, context);
  const whole = view.query.size === 0 && rows.length < HISTORY_DAYS.limit.fallback;
  return whole && rows.length === view.records.length && rows.length >= ENOUGH_ROWS ? rows : [];
}

/** A fund that is seldom traded may have no row yet, and an unsettled row may be that of what the service takes for today. */
const isTradedAndSettled = ({ fields }: DayRow): boolean =>
  (decimalOf(fields['value_traded']) ?? 0) > 0 &&
  T1_FIELDS.every((field) => decimalOf(fields[field]) !== undefined);

const isSameEtf = (one: View, other: View): boolean =>
  one.exchange.pathParameters['ticker'] === other.exchange.pathParameters['ticker'];

function tradingDayBefore(country: Country, date: string): string {
  let day = daysAfter(date, -1);
  for (let back = 0; back < 21 && !isTradingDay(country, day); back += 1) day = daysAfter(day, -1);
  return day;
}

export const ETF_TODAY_RULES: readonly Rule[] = [todayNull, todayRow];
