import { exchangeHoliday, isPublished, isTradingDay, isWeekend } from '../contract/trading-days.ts';
import type { Country } from '../contract/values.ts';
import type { Context } from './context.ts';
import { agree, decimalOf, lastDigit } from './decimals.ts';
import {
  countriesOf,
  dayRows,
  daysBetween,
  HISTORY,
  isDate,
  listedCountries,
  SUMMARY,
  type DayRow,
} from './etf-rows.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What the two lists of trading days have in common, and how each calls it. */
interface Days {
  readonly inflow: string;
  readonly cumulative: string;
  readonly judges: Readonly<Record<(typeof JUDGED)[number], Criterion>>;
}

const JUDGED = ['order', 'weekends', 'holidays', 'unique', 'cumulative'] as const;

/** The rows of §4.3. */
export const SUMMARY_ROWS: Days = {
  inflow: 'total_net_inflow',
  cumulative: 'cum_net_inflow',
  judges: criteria(...JUDGED),
};

/** The rows of §4.4. */
export const HISTORY_ROWS: Days = {
  inflow: 'net_inflow',
  cumulative: 'cum_inflow',
  judges: criteria(...JUDGED),
};

const both = (name: (typeof JUDGED)[number]): readonly Criterion[] => [
  SUMMARY_ROWS.judges[name],
  HISTORY_ROWS.judges[name],
];

/** The series of an exchange with its rows; `undefined` when there is nothing to judge. */
function seriesOf(
  view: View,
  context: Context,
): { readonly names: Days; readonly rows: readonly DayRow[] } | undefined {
  const { endpoint } = view.exchange;
  if (endpoint !== SUMMARY && endpoint !== HISTORY) return undefined;
  const rows = dayRows(view, context);
  return rows.length === 0
    ? undefined
    : { names: endpoint === SUMMARY ? SUMMARY_ROWS : HISTORY_ROWS, rows };
}

/** How many other rows have the same fault, as the end of a sentence. */
const andMore = (faults: readonly unknown[]): string =>
  faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';

/** Judges a list by its offending rows: one finding, at the first of them. */
function judgeRows<Fault extends { readonly row: DayRow; readonly field?: string }>(
  criterion: Criterion,
  view: View,
  faults: readonly Fault[],
  into: Judgement,
  text: (first: Fault) => { readonly message: string; expected: string; actual: string },
): void {
  into.judged(criterion, view);
  const [first] = faults;
  if (first === undefined) return;
  const { message, expected, actual } = text(first);
  into.found(criterion, view, {
    message: `${place(view)}: ${message}${andMore(faults)}`,
    expected,
    actual,
    pointer: `${first.row.pointer}/${first.field ?? 'date'}`,
  });
}

/** §4.3, §4.4 response: the latest date comes first. Equal dates have a requirement of their own. */
const order: Rule = {
  name: 'etf-order',
  judges: both('order'),
  each(view, context, into) {
    const series = seriesOf(view, context);
    if (series === undefined || series.rows.length < 2) return;
    const { names, rows } = series;
    const faults = rows.flatMap((row, index) => {
      const before = rows[index - 1];
      return before !== undefined && row.date > before.date ? [{ row, before }] : [];
    });
    judgeRows(names.judges.order, view, faults, into, ({ row, before }) => ({
      message: 'a row has a later date than the row before it',
      expected: `a date up to ${before.date}`,
      actual: row.date,
    }));
  },
};

/** §2.8 date: a trading day has one row. */
const dateUnique: Rule = {
  name: 'etf-date-unique',
  judges: both('unique'),
  each(view, context, into) {
    const series = seriesOf(view, context);
    if (series === undefined || series.rows.length < 2) return;
    const seen = new Set<string>();
    const faults = series.rows.flatMap((row) => {
      const twice = seen.has(row.date);
      seen.add(row.date);
      return twice ? [{ row }] : [];
    });
    judgeRows(series.names.judges.unique, view, faults, into, ({ row }) => ({
      message: 'a trading day has more than one row',
      expected: 'one row a date',
      actual: `another row for ${row.date}`,
    }));
  },
};

/** §4.3 response, ruling 18: Saturdays and Sundays are no trading days. */
const weekends: Rule = {
  name: 'etf-weekends',
  judges: both('weekends'),
  each(view, context, into) {
    const series = seriesOf(view, context);
    if (series === undefined) return;
    const faults = series.rows.filter(({ date }) => isWeekend(date)).map((row) => ({ row }));
    judgeRows(series.names.judges.weekends, view, faults, into, ({ row }) => ({
      message: 'there is a row for a day of the weekend',
      expected: 'trading days only',
      actual: `${row.date}, a ${weekdayName(row.date)}`,
    }));
  },
};

const weekdayName = (date: string): string =>
  new Date(Date.parse(date)).getUTCDay() === 0 ? 'Sunday' : 'Saturday';

/**
 * Holidays of the exchange that a list of trading days must have left out: those between its oldest and newest row, on
 * which the exchanges of all these countries are closed.
 */
export function holidaysWithin(dates: readonly string[], countries: readonly Country[]): string[] {
  const sorted = dates.filter(isDate).toSorted();
  const [oldest] = sorted;
  const last = sorted.at(-1);
  if (oldest === undefined || last === undefined) return [];
  return [...new Set([oldest, ...daysBetween(oldest, last), last])].filter((day) =>
    isHoliday(day, countries),
  );
}

/** Only a calendar that the exchange has published says so for sure (ruling 18). */
const isHoliday = (date: string, countries: readonly Country[]): boolean =>
  countries.every(
    (country) => isPublished(country, date) && exchangeHoliday(country, date) !== undefined,
  );

/** §4.3 response, ruling 18: no row for a holiday. Judged only where a holiday lies within the rows. */
const holidays: Rule = {
  name: 'etf-holidays',
  judges: both('holidays'),
  all(views, context, into) {
    const listed = listedCountries(views, context);
    for (const view of views) {
      const series = seriesOf(view, context);
      if (series === undefined) continue;
      const countries = countriesOf(view, listed);
      const dates = series.rows.map(({ date }) => date);
      if (holidaysWithin(dates, countries).length === 0) continue;
      const faults = series.rows
        .filter(({ date }) => isHoliday(date, countries))
        .map((row) => ({ row }));
      const [country = 'US'] = countries;
      judgeRows(series.names.judges.holidays, view, faults, into, ({ row }) => ({
        message: 'there is a row for an exchange holiday',
        expected: `trading days of ${countries.join(' or ')} only`,
        actual: `${row.date}, ${exchangeHoliday(country, row.date) ?? 'a holiday'}`,
      }));
    }
  },
};

/** Money is in USD: a cent, and a millionth for figures that went through a float or were rounded. */
const RELATIVE = 1e-6;
const CENT = 0.01;
/** Figures in whole dollars are usual; a coarser last digit is not taken for rounding. */
const MOST_ROUNDED = 1;

/**
 * §2.8, ruling 22: the cumulative inflow of a day is that of the trading day before plus the inflow of the day. Days
 * are compared by date, whatever the order of the list, and only when no trading day of the country lies between them.
 */
const cumulative: Rule = {
  name: 'etf-cumulative',
  judges: both('cumulative'),
  all(views, context, into) {
    const listed = listedCountries(views, context);
    for (const view of views) {
      const series = seriesOf(view, context);
      if (series !== undefined) judgeSums(view, series, countriesOf(view, listed), into);
    }
  },
};

function judgeSums(
  view: View,
  { names, rows }: { readonly names: Days; readonly rows: readonly DayRow[] },
  countries: readonly Country[],
  into: Judgement,
): void {
  const field = names.cumulative;
  const days = comparableDays(rows, countries);
  const pairs = days.flatMap((row, index) => {
    const older = days[index + 1];
    if (row === undefined || older === undefined) return [];
    const now = decimalOf(row.fields[field]);
    const before = decimalOf(older.fields[field]);
    const inflow = decimalOf(row.fields[names.inflow]);
    if (now === undefined || before === undefined || inflow === undefined) return [];
    const skipped = daysBetween(older.date, row.date).some((day) =>
      countries.some((country) => isTradingDay(country, day)),
    );
    // Each of the three figures may have been rounded where it was written.
    const rounded = [row.fields[field], older.fields[field], row.fields[names.inflow]]
      .map((figure) => Math.min(lastDigit(figure) ?? 0, MOST_ROUNDED))
      .reduce((sum, unit) => sum + unit);
    return skipped ? [] : [{ row, older, now, before, inflow, rounded, field }];
  });
  if (pairs.length === 0) return;
  const faults = pairs.filter(({ now, before, inflow, rounded }) => {
    // The sum of two large figures may be small: what is allowed follows from the figures, not from the sum.
    const slack = RELATIVE * Math.max(Math.abs(before), Math.abs(inflow));
    return !agree(now, before + inflow, RELATIVE, CENT + slack + rounded);
  });
  judgeRows(names.judges.cumulative, view, faults, into, ({ row, older, before, inflow }) => ({
    message: `${field} of ${row.date} is not that of ${older.date} plus the inflow of the day`,
    expected: `${before} + ${inflow} = ${before + inflow}`,
    actual: show(row.fields[field]),
  }));
}

/**
 * The rows by date, newest first. A row that should not be there stays as `undefined`, so that its neighbours are not
 * compared over it: a day with several rows, a weekend, a holiday of one of the countries.
 */
function comparableDays(
  rows: readonly DayRow[],
  countries: readonly Country[],
): readonly (DayRow | undefined)[] {
  const counts = new Map<string, number>();
  for (const { date } of rows) counts.set(date, (counts.get(date) ?? 0) + 1);
  return rows
    .toSorted((a, b) => b.date.localeCompare(a.date))
    .map((row) => {
      const single = counts.get(row.date) === 1;
      const trades = countries.every((country) => isTradingDay(country, row.date));
      return single && trades ? row : undefined;
    });
}

export const ETF_SERIES_RULES: readonly Rule[] = [
  order,
  dateUnique,
  weekends,
  holidays,
  cumulative,
];
