import { T1_FIELDS } from '../contract/resources.ts';
import { isPublished, isTradingDay, mayCloseEarly } from '../contract/trading-days.ts';
import type { Country } from '../contract/values.ts';
import { criteria } from './criterion.ts';
import { decimalOf } from './decimals.ts';
import { countriesOf, isoDate, listedCountries } from './etf-rows.ts';
import { historyRows } from './etf-settlement.ts';
import type { Rule } from './judgement.ts';
import { place } from './transport.ts';

/** What this file decides. */
export const ETF_TODAY = criteria('todayNull');

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

export const ETF_TODAY_RULES: readonly Rule[] = [todayNull];
