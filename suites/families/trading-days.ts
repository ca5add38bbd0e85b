// Rules for lists with one row per trading day: the summary of §4.3 and the history of an ETF (§4.4).
import { isoDay } from '../../src/spec/time.ts';
import { FEW_TRADING_DAYS, MAX_ROUNDING } from '../numbers.ts';
import { exchangeHoliday, isTradingDay, isWeekend } from '../../src/spec/trading-days.ts';
import { type Country, COUNTRIES } from '../../src/spec/values.ts';
import type { Advice } from '../../src/requirements/definition.ts';
import { endpoint } from '../../src/spec/endpoints.ts';
import type { Context } from '../../src/judge/context.ts';
import { agree, decimalOf, lastDigit } from '../../src/judge/text/decimals.ts';
import {
  countriesOf,
  dayRows,
  daysBetween,
  holidaysWithin,
  isHoliday,
  listedCountries,
  newest,
  type DayRow,
  type HISTORY,
  type SUMMARY,
  isDate,
} from '../../src/judge/etf-rows.ts';
import { show, type FindingText } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach, type OwnJudgement } from '../../src/judge/judge.ts';
import { type View, isObject, viewOf } from '../../src/judge/view.ts';
import { Untested, type Answer, type CheckContext } from '../../src/ask/index.ts';

/** A list, with its names for inflow and cumulative inflow. */
interface DayList {
  readonly endpoint: typeof SUMMARY | typeof HISTORY;
  /** Such as `ETF summary`. */
  readonly name: string;
  readonly inflow: string;
  readonly cumulative: string;
}

/** Parameters that may exclude the newest rows. */
const CUTTING_PARAMETERS = ['end_date', 'limit'] as const;

/** Amounts are in USD: tolerate a cent, plus a millionth for rounding and floats. */
const RELATIVE = 1e-6;
const CENT = 0.01;

const ON_TRADING_DAYS: Advice = {
  why: 'A row for a day without trading distorts every average over trading days.',
  usually: [
    'Days are generated from the calendar and filled with zeros or the previous figures.',
    'The date is the batch date (UTC) instead of the trading day.',
    'The holidays of the other country are used.',
  ],
};

export function tradingDays(list: DayList) {
  const rowsOf = (view: View, context: Context): readonly DayRow[] =>
    view.exchange.endpoint === list.endpoint ? dayRows(view, context) : [];
  const response = { clauses: [`${endpoint(list.endpoint).section} response`] };

  return {
    /** Latest date first. `unique` judges equal dates. */
    order: {
      ...response,
      title: `${list.name} rows are sorted by date, newest first`,
      why: 'Clients take the first row to be the latest; in the reverse order, they show the oldest day.',
      usually: [
        'The list is sorted oldest first, as for a chart, or by date strings in a different format.',
        'The order is lost when `limit` or a range is sent.',
      ],
      judge: judgeEach((view, context, it) => {
        const rows = rowsOf(view, context);
        if (rows.length < 2) return;
        const faults = rows.flatMap((row, index) => {
          const before = rows[index - 1];
          return before !== undefined && row.date > before.date ? [{ ...row, before }] : [];
        });
        judgeRows(view, faults, it, ({ date, before }) => ({
          kind: 'later-row-after',
          facts: { more: andMore(faults) },
          expected: `a date up to ${before.date}`,
          actual: date,
        }));
      }),
    },

    unique: {
      title: `${list.name} has one row per trading day`,
      rulings: [22],
      why: 'Sums over all rows count a duplicated day twice.',
      usually: [
        'A correction is stored as a second row instead of replacing the first.',
        'Both the preliminary and the settled row of a day are returned.',
      ],
      judge: judgeEach((view, context, it) => {
        const rows = rowsOf(view, context);
        if (rows.length < 2) return;
        const first = new Map(rows.toReversed().map((row) => [row.date, row]));
        const faults = rows.filter((row) => first.get(row.date) !== row);
        judgeRows(view, faults, it, ({ date }) => ({
          kind: 'day-twice',
          facts: { more: andMore(faults) },
          expected: 'one row per date',
          actual: `another row for ${date}`,
        }));
      }),
    },

    weekends: {
      ...response,
      title: `${list.name} has no row for a Saturday or Sunday`,
      rulings: [18],
      ...ON_TRADING_DAYS,
      judge: judgeEach((view, context, it) => {
        const rows = rowsOf(view, context);
        if (rows.length === 0) return;
        const faults = rows.filter(({ date }) => isWeekend(date));
        judgeRows(view, faults, it, ({ date }) => ({
          kind: 'weekend',
          facts: { more: andMore(faults) },
          expected: 'trading days only',
          actual: `${date}, a ${new Date(date).getUTCDay() === 0 ? 'Sunday' : 'Saturday'}`,
        }));
      }),
    },

    /** Ruling 18: no row for a holiday. Judged only if the rows span one. */
    holidays: {
      ...response,
      hinderedBy: [`${endpoint(list.endpoint).section}/recent`],
      rulings: [18],
      ...ON_TRADING_DAYS,
      judge: judgeAll((views, context, it) => {
        const listed = listedCountries(views, context);
        for (const view of views) {
          const rows = rowsOf(view, context);
          const countries = countriesOf(view, listed);
          const dates = rows.map(({ date }) => date);
          if (holidaysWithin(dates, countries).length === 0) continue;
          const faults = rows.filter(({ date }) => isHoliday(date, countries));
          const [country = 'US'] = countries;
          judgeRows(view, faults, it, ({ date }) => ({
            kind: 'holiday',
            facts: { more: andMore(faults) },
            expected: `trading days of ${countries.join(' or ')} only`,
            actual: `${date}, ${exchangeHoliday(country, date) ?? 'a holiday'}`,
          }));
        }
      }),
    },

    /**
     * Ruling 17: the newest row is at most a few trading days old. A closed ETF gets no new rows, so the newest row of
     * all lists counts.
     */
    recent: {
      title: `The newest ${list.name} row is at most a few trading days old`,
      rulings: [17],
      judge: judgeAll((views, context, it) => {
        const lists = views.flatMap((view) => {
          if (CUTTING_PARAMETERS.some((name) => view.query.has(name))) return [];
          const date = newest(rowsOf(view, context));
          return date === undefined ? [] : [{ view, date }];
        });
        const [latest] = lists.toSorted((a, b) => b.date.localeCompare(a.date));
        if (latest === undefined) return;
        const { view, date } = latest;
        const countries = countriesOf(view, listedCountries(views, context));
        const today = isoDay(view.now);
        const missing = daysBetween(date, today).filter((day) =>
          countries.every((country) => isTradingDay(country, day)),
        ).length;
        it.expect(view, missing <= FEW_TRADING_DAYS, () => ({
          kind: 'rows-outdated',
          facts: { days: missing },
          expected: `a newest row at most ${FEW_TRADING_DAYS} trading days old`,
          actual: `${date}, seen on ${today}`,
          pointer: view.root,
        }));
      }),
    },

    /**
     * §2.8, ruling 22: cumulative inflow is that of the previous trading day plus the day's inflow. Compares days by
     * date, whatever their order, and only if no trading day lies between them.
     */
    cumulative: {
      rulings: [22],
      why: 'Daily and cumulative inflow are shown side by side; when they disagree, one is visibly wrong.',
      usually: [
        'A correction changed the daily figure but not the sum, or vice versa.',
        'The sum skips days on which a fund was listed or closed.',
        'One of the two columns is rounded.',
      ],
      judge: judgeAll((views, context, it) => {
        const listed = listedCountries(views, context);
        for (const view of views) {
          const countries = countriesOf(view, listed);
          const field = list.cumulative;
          const days = comparableDays(rowsOf(view, context), countries);
          const pairs = days.flatMap((row, index) => {
            const older = days[index + 1];
            if (row === undefined || older === undefined) return [];
            const now = decimalOf(row.fields[field]);
            const before = decimalOf(older.fields[field]);
            const inflow = decimalOf(row.fields[list.inflow]);
            if (now === undefined || before === undefined || inflow === undefined) return [];
            const skipped = daysBetween(older.date, row.date).some((day) =>
              countries.some((country) => isTradingDay(country, day)),
            );
            // Each of the three figures may be rounded.
            const rounded = [row.fields[field], older.fields[field], row.fields[list.inflow]]
              .map((figure) => Math.min(lastDigit(figure) ?? 0, MAX_ROUNDING))
              .reduce((sum, unit) => sum + unit);
            return skipped ? [] : [{ ...row, older, now, before, inflow, rounded }];
          });
          if (pairs.length === 0) continue;
          const faults = pairs.filter(({ now, before, inflow, rounded }) => {
            // The sum of two large figures may be small, so the tolerance follows the figures.
            const slack = RELATIVE * Math.max(Math.abs(before), Math.abs(inflow));
            return !agree(now, before + inflow, RELATIVE, CENT + slack + rounded);
          });
          judgeRows(view, faults, it, ({ date, fields, pointer, older, before, inflow }) => ({
            kind: 'cumulative-sum',
            facts: { field, date, before: older.date, more: andMore(faults) },
            expected: `${before} + ${inflow} = ${before + inflow}`,
            actual: show(fields[field]),
            pointer: `${pointer}/${field}`,
          }));
        }
      }),
    },
  } as const;
}

/** Number of further rows with the same fault, as a sentence suffix. */
const andMore = (faults: readonly unknown[]): string =>
  faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';

/** One finding per list, at the date of the first offending row. */
function judgeRows<Fault extends DayRow>(
  view: View,
  faults: readonly Fault[],
  it: OwnJudgement,
  text: (first: Fault) => FindingText,
): void {
  it.none(view, faults, (first) => ({ pointer: `${first.pointer}/date`, ...text(first) }));
}

/**
 * Rows by date, newest first. Rows to ignore (duplicate days, weekends, holidays) become `undefined`, so that their
 * neighbours are not compared.
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

// Requests for both lists, based on the dates in their answers.

/** Valid dates of an answer, newest first. */
export function datesOf({ records }: Answer): string[] {
  const dates = records.flatMap(({ value }) =>
    isObject(value) && isDate(value['date']) ? [value['date']] : [],
  );
  return dates.toSorted().toReversed();
}

/** Countries whose holidays may apply, as far as the ETF list shows. */
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

/** @throws Untested if the answer spans no holiday */
export function mustSpanHoliday(answer: Answer, countries: readonly Country[]): void {
  const dates = datesOf(answer);
  if (holidaysWithin(dates, countries).length > 0) return;
  throw new Untested(
    `no exchange holiday (${countries.join(', ')}) lies between ${dates.at(-1) ?? 'no row'} and ${dates[0] ?? 'no row'}`,
  );
}
