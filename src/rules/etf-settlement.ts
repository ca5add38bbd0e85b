import { DAY } from '../contract/time.ts';
import { isTradingDay } from '../contract/trading-days.ts';
import { T1_FIELDS } from '../contract/resources.ts';
import { type Country } from '../contract/values.ts';
import type { Context } from './context.ts';
import { decimalOf } from './decimals.ts';
import {
  countriesOf,
  dayRows,
  daysAfter,
  HISTORY,
  isDate,
  isoDate,
  listedCountries,
  newest,
  type DayRow,
} from './etf-rows.ts';
import { isJudgeable } from './context.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const ETF_SETTLEMENT = criteria(
  't1Group',
  't1Filled',
  't1NewestOnly',
  't1NotZero',
  't1CurrentDay',
  't1Completes',
  'snapshotSettled',
);

const HOUR_MS = 3_600_000;

/** End of the session in UTC, hours after midnight of its date: the later one where summer time moves it. */
const CLOSES: Readonly<Record<Country, number>> = { US: 21, HK: 8 };

/** Settlement figures of a row that are null. The field rules judge a missing one. */
const nullsOf = ({ fields }: DayRow): readonly string[] =>
  T1_FIELDS.filter((field) => fields[field] === null);

/** A row is unsettled when at least one of its five figures is null. */
const isUnsettled = (row: DayRow): boolean => nullsOf(row).length > 0;

/** The rows of an ETF history; empty for other exchanges. */
export const historyRows = (view: View, context: Context): readonly DayRow[] =>
  view.exchange.endpoint === HISTORY ? dayRows(view, context) : [];

/** §4.4 rule 1, ruling 17: the five figures settle together, and the day's turnover and volume are there before. */
const unsettledRow: Rule = {
  name: 'etf-unsettled-row',
  judges: [ETF_SETTLEMENT.t1Group, ETF_SETTLEMENT.t1Filled],
  each(view, context, into) {
    for (const row of historyRows(view, context)) {
      const nulls = nullsOf(row);
      if (nulls.length === 0) continue;
      const filled = T1_FIELDS.filter((field) => !nulls.includes(field));
      into.expect(ETF_SETTLEMENT.t1Group, view, filled.length === 0, () => ({
        message: `${place(view)}: the row of ${row.date} is settled in part`,
        expected: `${T1_FIELDS.join(', ')} all null or all filled`,
        actual: `null: ${nulls.join(', ')}; filled: ${filled.join(', ')}`,
        pointer: `${row.pointer}/${nulls[0] ?? ''}`,
      }));
      for (const field of ['value_traded', 'volume']) {
        const value = row.fields[field];
        into.expect(ETF_SETTLEMENT.t1Filled, view, decimalOf(value) !== undefined, () => ({
          message: `${place(view)}: the unsettled row of ${row.date} has no ${field}`,
          expected: `${field} filled during the trading day`,
          actual: show(value),
          pointer: `${row.pointer}/${field}`,
        }));
      }
    }
  },
};

/** What an answer shows to be the newest row is so for those of the minutes before it, too, ms. */
const SAME_MINUTES_MS = 600_000;

/**
 * §4.4 rules 1 and 2, ruling 17: rows before the newest are settled once the next trading day of the country is over. A
 * row that another answer showed before, or in the same minutes, makes older ones settled too, so that a range in the past
 * cannot hide a null, whichever of the two was asked for first.
 */
const newestOnly: Rule = {
  name: 'etf-newest-only',
  judges: [ETF_SETTLEMENT.t1NewestOnly],
  all(views, context, into) {
    const listed = listedCountries(views, context);
    const lists = views.flatMap((view) => {
      const rows = historyRows(view, context);
      const last = newest(rows);
      const ticker = view.exchange.pathParameters['ticker'] ?? '';
      return last === undefined ? [] : [{ view, rows, last, ticker }];
    });
    // When each newest row of a ticker was shown first.
    const shown = new Map<string, Map<string, number>>();
    for (const { view, last, ticker } of lists) {
      const own = shown.get(ticker) ?? new Map<string, number>();
      shown.set(ticker, own.set(last, Math.min(view.now, own.get(last) ?? view.now)));
    }
    for (const { view, rows, last, ticker } of lists) {
      const latest = [...(shown.get(ticker) ?? [])].reduce(
        (most, [date, at]) => (date > most && at <= view.now + SAME_MINUTES_MS ? date : most),
        last,
      );
      const countries = countriesOf(view, listed);
      const due = rows.filter(
        ({ date }) => date < latest && settledBy(date, countries) <= view.now,
      );
      if (due.length === 0) continue;
      const [first, ...more] = due.filter(isUnsettled);
      into.expect(ETF_SETTLEMENT.t1NewestOnly, view, first === undefined, () => ({
        message: `${place(view)}: ${1 + more.length} row(s) are not settled although the next trading day is over`,
        expected: `no null in a row before the newest one, ${latest}, after the next trading day`,
        actual: `${first?.date ?? ''}: ${first === undefined ? '' : nullsOf(first).join(', ')} null`,
        pointer: first === undefined ? null : `${first.pointer}/${nullsOf(first)[0] ?? ''}`,
      }));
    }
  },
};

/** §4.4 rule 1, ruling 22: what is not known yet is null; all five 0 beside a turnover are figures that nobody has. */
const notZero: Rule = {
  name: 'etf-not-zero',
  judges: [ETF_SETTLEMENT.t1NotZero],
  each(view, context, into) {
    const rows = historyRows(view, context);
    const latest = newest(rows);
    for (const row of rows.filter(({ date }) => date === latest)) {
      if ((decimalOf(row.fields['value_traded']) ?? 0) <= 0) continue;
      const zero = T1_FIELDS.every((field) => decimalOf(row.fields[field]) === 0);
      into.expect(ETF_SETTLEMENT.t1NotZero, view, !zero, () => ({
        message: `${place(view)}: the newest row, of ${row.date}, has 0 for all settlement figures`,
        expected: `${T1_FIELDS.join(', ')} null until they are settled`,
        actual: `all five 0 beside a value_traded of ${show(row.fields['value_traded'])}`,
        pointer: `${row.pointer}/${T1_FIELDS[0]}`,
      }));
    }
  },
};

/** How long after the end of a session the row of the day may still be missing, hours. */
const ROW_LAG = 12;

/** The latest trading day whose session has ended for long enough to have a row, within three weeks. */
function lastClosed(country: Country, now: number): string | undefined {
  for (let back = 0; back <= 21; back += 1) {
    const date = isoDate(now - back * DAY);
    const closed = Date.parse(date) + (CLOSES[country] + ROW_LAG) * HOUR_MS <= now;
    if (closed && isTradingDay(country, date)) return date;
  }
  return undefined;
}

/**
 * §4.4 rule 1: the unsettled row is that of the current trading day. Until the session of a day has ended and its row
 * was made, the day before may still be the current one; a date that has begun nowhere yet is none.
 */
const currentDay: Rule = {
  name: 'etf-current-day',
  judges: [ETF_SETTLEMENT.t1CurrentDay],
  all(views, context, into) {
    const listed = listedCountries(views, context);
    for (const view of views) {
      const row = historyRows(view, context)
        .toSorted((a, b) => b.date.localeCompare(a.date))
        .find(isUnsettled);
      if (row === undefined) continue;
      const closed = countriesOf(view, listed)
        .flatMap((country) => lastClosed(country, view.now) ?? [])
        .toSorted();
      const [from] = closed;
      // The date begins 14 hours earlier in the east of the world than in UTC.
      const to = isoDate(view.now + 14 * HOUR_MS);
      if (from === undefined) continue;
      into.expect(ETF_SETTLEMENT.t1CurrentDay, view, row.date >= from && row.date <= to, () => ({
        message: `${place(view)}: the unsettled row is not that of the current trading day`,
        expected: from === to ? from : `a date from ${from} to ${to}`,
        actual: `${row.date}, seen at ${new Date(view.now).toISOString()}`,
        pointer: `${row.pointer}/date`,
      }));
    }
  },
};

/**
 * When the row of a trading day must be complete, epoch ms: when the next trading day has ended everywhere. "The next
 * day" may mean any hour of it, and the next day of trading after a Friday.
 */
export function settledBy(date: string, countries: readonly Country[]): number {
  let next = daysAfter(date, 1);
  for (let days = 0; days < 21; days += 1, next = daysAfter(next, 1)) {
    if (countries.every((country) => isTradingDay(country, next))) break;
  }
  return Date.parse(next) + DAY + 12 * HOUR_MS;
}

interface Pending {
  readonly date: string;
  /** Target's time when it was first seen, epoch ms. */
  readonly seenAt: number;
}

/**
 * §4.4 rule 1: a row that was seen unsettled is complete on the next day. Compares answers of one run, and rows that
 * earlier runs saw with all of them; judged when the row is seen complete, or when it is still not at the end of the next
 * trading day.
 */
const completes: Rule = {
  name: 'etf-completes',
  judges: [ETF_SETTLEMENT.t1Completes],
  all(views, context, into) {
    const listed = listedCountries(views, context);
    const pending = new Map<string, Pending[]>();
    for (const { ticker, date, seenAt } of context.earlierRows ?? []) {
      if (!isDate(date)) continue;
      pending.set(ticker, [...(pending.get(ticker) ?? []), { date, seenAt }]);
    }
    for (const view of views) {
      const rows = historyRows(view, context);
      if (view.exchange.endpoint !== HISTORY || !view.ok || !isJudgeable(view, context)) continue;
      const ticker = view.exchange.pathParameters['ticker'] ?? '';
      const open = pending.get(ticker) ?? [];
      for (const { date, seenAt } of open) {
        const deadline = settledBy(date, countriesOf(view, listed));
        // A row that was overdue when it was first seen is judged with the current trading day.
        judgeCompletion(view, rows, date, seenAt < deadline ? deadline : Infinity, into);
      }
      for (const { date } of rows.filter(isUnsettled)) {
        if (!open.some((one) => one.date === date)) open.push({ date, seenAt: view.now });
      }
      pending.set(ticker, open);
    }
  },
};

function judgeCompletion(
  view: View,
  rows: readonly DayRow[],
  date: string,
  deadline: number,
  into: Judgement,
): void {
  const row = rows.find((one) => one.date === date);
  if (row !== undefined && !isUnsettled(row)) into.judged(ETF_SETTLEMENT.t1Completes, view);
  if (view.now < deadline) return;
  if (row !== undefined && isUnsettled(row)) {
    into.found(ETF_SETTLEMENT.t1Completes, view, {
      message: `${place(view)}: the row of ${date} was not settled before and still is not`,
      expected: 'all five settlement figures filled on the next day',
      actual: `${nullsOf(row).join(', ')} null at ${new Date(view.now).toISOString()}`,
      pointer: `${row.pointer}/${nullsOf(row)[0] ?? ''}`,
    });
  }
  // A row can be missed only where rows on both sides of it are shown.
  const around = rows.some((one) => one.date > date) && rows.some((one) => one.date < date);
  if (row === undefined && around) {
    into.found(ETF_SETTLEMENT.t1Completes, view, {
      message: `${place(view)}: the row of ${date}, not settled before, is gone`,
      expected: `the row of ${date}, complete`,
      actual: `no row for ${date} at ${new Date(view.now).toISOString()}`,
      pointer: view.root,
    });
  }
}

/** Depth to which the snapshot, whose shape is not stated, is searched. */
const MAX_DEPTH = 4;

/** Settlement figures of a snapshot with their pointers, wherever they stand. */
export function figuresOf(
  value: unknown,
  at: string,
  depth = 0,
): readonly { readonly pointer: string; readonly value: unknown }[] {
  if (!isObject(value) || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (T1_FIELDS.some((field) => field === name)) return [{ pointer, value: inner }];
    return figuresOf(inner, pointer, depth + 1);
  });
}

/** §4.4 rule 2: the snapshot is where settled figures are found. Its other fields are not judged (ruling 16). */
const snapshot: Rule = {
  name: 'etf-snapshot-settled',
  judges: [ETF_SETTLEMENT.snapshotSettled],
  all(views, context, into) {
    const listed = listedCountries(views, context);
    for (const view of views) {
      if (view.exchange.endpoint !== '/etfs/{ticker}/market-snapshot') continue;
      if (!view.ok || !view.isJson || !isJudgeable(view, context)) continue;
      const figures = figuresOf(view.body, view.root);
      // An ETF that was listed today has no settled figures yet.
      if (
        figures.some(({ value }) => value === null) &&
        !hasSettled(view, views, listed, context)
      ) {
        continue;
      }
      for (const { pointer, value } of figures) {
        into.expect(ETF_SETTLEMENT.snapshotSettled, view, value !== null, () => ({
          message: `${place(view)}: a settlement figure is null`,
          expected: 'the latest settled figure',
          actual: 'null',
          pointer,
        }));
      }
    }
  },
};

/** True when a history shows a settled row of the same ETF that was due by the time of the snapshot. */
function hasSettled(
  view: View,
  views: readonly View[],
  listed: ReadonlyMap<string, Country>,
  context: Context,
): boolean {
  const { ticker } = view.exchange.pathParameters;
  const countries = countriesOf(view, listed);
  return views.some(
    (other) =>
      other.exchange.pathParameters['ticker'] === ticker &&
      historyRows(other, context).some(
        (row) =>
          T1_FIELDS.every((field) => decimalOf(row.fields[field]) !== undefined) &&
          settledBy(row.date, countries) <= view.now,
      ),
  );
}

export const ETF_SETTLEMENT_RULES: readonly Rule[] = [
  unsettledRow,
  newestOnly,
  notZero,
  currentDay,
  completes,
  snapshot,
];
