// Settlement, §4.4 rules 1 and 2: five figures of a day are null until the next trading day.
import { ROW_LAG_HOURS, SAME_MINUTES_MS } from '../numbers.ts';
import { T1_FIELDS } from '../../src/spec/resources.ts';
import { DAY, HOUR, MINUTE, isoDay } from '../../src/spec/time.ts';
import { isPublished, isTradingDay, mayCloseEarly } from '../../src/spec/trading-days.ts';
import type { Country } from '../../src/spec/values.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import type { EarlierRow } from '../../src/judge/facts.ts';
import { groupBy } from '../../src/text/group-by.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import {
  countriesOf,
  HISTORY,
  historyRows,
  isDate,
  listedCountries,
  newest,
  settledBy,
  type DayRow,
} from '../../src/judge/etf-rows.ts';
import { MAX_DEPTH } from '../../src/judge/values-at.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach } from '../../src/judge/judge.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** End of the session in UTC hours, the later one if daylight saving time moves it. */
const CLOSES: Readonly<Record<Country, number>> = { US: 21, HK: 8 };

/** Settlement figures that are null. The field rules judge missing ones. */
const nullsOf = ({ fields }: DayRow): readonly string[] =>
  T1_FIELDS.filter((field) => fields[field] === null);

/** Whether at least one of the five figures is null. */
const isUnsettled = (row: DayRow): boolean => nullsOf(row).length > 0;

/** Rule 1, ruling 17: the five figures settle together. */
export const allOrNone = judgeEach((view, context, it) => {
  for (const row of historyRows(view, context)) {
    const nulls = nullsOf(row);
    if (nulls.length === 0) continue;
    const filled = T1_FIELDS.filter((field) => (row.fields[field] ?? null) !== null);
    it.expect(view, filled.length === 0, () => ({
      kind: 'settled-in-part',
      facts: { date: row.date },
      expected: `${T1_FIELDS.join(', ')} all null or all filled`,
      actual: `null: ${nulls.join(', ')}; filled: ${filled.join(', ')}`,
      pointer: `${row.pointer}/${nulls[0] ?? ''}`,
    }));
  }
});

/** Rule 1, ruling 17: turnover and volume are present before a day settles. */
export const turnoverFilled = judgeEach((view, context, it) => {
  for (const row of historyRows(view, context).filter(isUnsettled)) {
    for (const field of ['value_traded', 'volume']) {
      const value = row.fields[field];
      it.expect(view, decimalOf(value) !== undefined, () => ({
        kind: 'unsettled-field-empty',
        facts: { date: row.date, field },
        expected: `${field} filled during the trading day`,
        actual: show(value),
        pointer: `${row.pointer}/${field}`,
      }));
    }
  }
});

/**
 * Rules 1 and 2, ruling 17: rows before the newest are settled once the next trading day is over. The newest row may
 * come from another answer, earlier or within minutes, so that a range in the past cannot hide a null.
 */
export const newestOnly = judgeAll((views, context, it) => {
  const listed = listedCountries(views, context);
  const lists = views.flatMap((view) => {
    const rows = historyRows(view, context);
    const last = newest(rows);
    const ticker = view.exchange.pathParameters['ticker'] ?? '';
    return last === undefined ? [] : [{ view, rows, last, ticker }];
  });
  for (const { view, rows, last, ticker } of lists) {
    const latest = lists.reduce(
      (most, other) =>
        other.ticker === ticker && other.last > most && other.view.now <= view.now + SAME_MINUTES_MS
          ? other.last
          : most,
      last,
    );
    const countries = countriesOf(view, listed);
    const due = rows.filter(({ date }) => date < latest && settledBy(date, countries) <= view.now);
    if (due.length === 0) continue;
    const late = due.filter(isUnsettled);
    it.none(view, late, (row) => ({
      kind: 'unsettled-late',
      facts: { rows: late.length },
      expected: `no null in any row before the newest one, ${latest}, once the next trading day is over`,
      actual: `${row.date}: ${nullsOf(row).join(', ')} null`,
      pointer: `${row.pointer}/${nullsOf(row)[0] ?? ''}`,
    }));
  }
});

/** Rule 1, ruling 22: unknown figures are null. Five zeros next to a turnover are made up. */
export const notZero = judgeEach((view, context, it) => {
  const rows = historyRows(view, context);
  const latest = newest(rows);
  for (const row of rows.filter(({ date }) => date === latest)) {
    if ((decimalOf(row.fields['value_traded']) ?? 0) <= 0) continue;
    const zero = T1_FIELDS.every((field) => decimalOf(row.fields[field]) === 0);
    it.expect(view, !zero, () => ({
      kind: 'zero-for-null',
      facts: { date: row.date },
      expected: `${T1_FIELDS.join(', ')} null until they are settled`,
      actual: `all five 0 with a value_traded of ${show(row.fields['value_traded'])}`,
      pointer: `${row.pointer}/${T1_FIELDS[0]}`,
    }));
  }
});

/** The latest trading day that ended long enough ago to have a row, within three weeks. */
function lastClosed(country: Country, now: number): string | undefined {
  for (let back = 0; back <= 21; back += 1) {
    const date = isoDay(now - back * DAY);
    const closed = Date.parse(date) + (CLOSES[country] + ROW_LAG_HOURS) * HOUR <= now;
    if (closed && isTradingDay(country, date)) return date;
  }
  return undefined;
}

/**
 * Rule 1: the unsettled row is that of the current trading day. Until a session has ended and its row exists, the
 * previous day may still be current; a date that has not begun anywhere is not.
 */
export const currentDay = judgeAll((views, context, it) => {
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
    // Dates begin up to 14 hours before UTC.
    const to = isoDay(view.now + 14 * HOUR);
    if (from === undefined) continue;
    it.expect(view, row.date >= from && row.date <= to, () => ({
      kind: 'unsettled-other-day',
      expected: from === to ? from : `a date from ${from} to ${to}`,
      actual: `${row.date}, seen at ${new Date(view.now).toISOString()}`,
      pointer: `${row.pointer}/date`,
    }));
  }
});

/**
 * Whether the session of a day is certainly not over: its earliest end allows for daylight saving time and half days.
 * Dates begin up to 14 hours before UTC.
 */
function isOpen(date: string, countries: readonly Country[], now: number): boolean {
  const closes = { HK: 4, US: mayCloseEarly(date) ? 17 : 20 };
  const end =
    Date.parse(date) + Math.min(...countries.map((country) => closes[country])) * HOUR - MINUTE;
  return (
    now < end &&
    date <= isoDay(now + 14 * HOUR) &&
    countries.every((country) => isTradingDay(country, date) && isPublished(country, date))
  );
}

/**
 * Rule 1: figures of the current trading day are null. However a service defines the day and its end, a session in
 * progress belongs to it.
 */
export const todayNull = judgeAll((views, context, it) => {
  const listed = listedCountries(views, context);
  for (const view of views) {
    const countries = countriesOf(view, listed);
    for (const row of historyRows(view, context)) {
      if (!isOpen(row.date, countries, view.now)) continue;
      const figures = T1_FIELDS.map((field) => row.fields[field]);
      const known = figures.map(decimalOf).filter((figure) => figure !== undefined);
      // `allOrNone` and `notZero` judge these.
      const mixed = known.length > 0 && known.length < figures.length;
      if (mixed || (known.length > 0 && known.every((figure) => figure === 0))) continue;
      it.expect(view, known.length === 0, () => ({
        kind: 'settled-early',
        facts: { date: row.date },
        expected: `${T1_FIELDS.join(', ')} null for the current trading day`,
        actual: `filled at ${new Date(view.now).toISOString()}`,
        pointer: `${row.pointer}/${T1_FIELDS[0]}`,
      }));
    }
  }
});

/**
 * Rule 1: an unsettled row is complete the next day. Compares answers of this run and rows from earlier runs; judged
 * once the row is complete, or still incomplete at the end of the next trading day.
 */
export const completes = judgeAll((views, context, it) => {
  const listed = listedCountries(views, context);
  const pending: Map<string, Pick<EarlierRow, 'date' | 'seenAt'>[]> = groupBy(
    (context.earlierRows ?? []).filter(({ date }) => isDate(date)),
    (row) => row.ticker,
  );
  for (const view of views) {
    const rows = historyRows(view, context);
    if (view.exchange.endpoint !== HISTORY || !view.ok || !isJudgeable(view, context)) continue;
    const ticker = view.exchange.pathParameters['ticker'] ?? '';
    const open = pending.get(ticker) ?? [];
    for (const { date, seenAt } of open) {
      const dueBy = settledBy(date, countriesOf(view, listed));
      // `currentDay` judges rows that were overdue when first seen.
      const deadline = seenAt < dueBy ? dueBy : Infinity;
      const row = rows.find((one) => one.date === date);
      if (row !== undefined && !isUnsettled(row)) it.judged(view);
      if (view.now < deadline) continue;
      if (row !== undefined && isUnsettled(row)) {
        it.found(view, {
          kind: 'still-unsettled',
          facts: { date },
          expected: 'all five settlement figures filled on the next day',
          actual: `${nullsOf(row).join(', ')} null at ${new Date(view.now).toISOString()}`,
          pointer: `${row.pointer}/${nullsOf(row)[0] ?? ''}`,
        });
      }
      // A row is missing only if rows on both sides of it are shown.
      const around = rows.some((one) => one.date > date) && rows.some((one) => one.date < date);
      if (row === undefined && around) {
        it.found(view, {
          kind: 'unsettled-row-gone',
          facts: { date },
          expected: `the row of ${date}, complete`,
          actual: `no row for ${date} at ${new Date(view.now).toISOString()}`,
          pointer: view.root,
        });
      }
    }
    for (const { date } of rows.filter(isUnsettled)) {
      if (!open.some((one) => one.date === date)) open.push({ date, seenAt: view.now });
    }
    pending.set(ticker, open);
  }
});

/** Settlement figures anywhere in a snapshot, with their pointers. */
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

/** Rule 2: the snapshot has the settled figures. Its other fields are not judged (ruling 16). */
export const snapshotSettled = judgeAll((views, context, it) => {
  const listed = listedCountries(views, context);
  for (const view of views) {
    if (view.exchange.endpoint !== '/etfs/{ticker}/market-snapshot') continue;
    if (!view.ok || !view.isJson || !isJudgeable(view, context)) continue;
    const figures = figuresOf(view.body, view.root);
    // An ETF listed today has no settled figures yet.
    if (figures.some(({ value }) => value === null) && !hasSettled(view, views, listed, context)) {
      continue;
    }
    for (const { pointer, value } of figures) {
      it.expect(view, value !== null, () => ({
        kind: 'settlement-null',
        expected: 'the latest settled figure',
        actual: 'null',
        pointer,
      }));
    }
  }
});

/** Whether a history has a settled row of the same ETF that was due by the time of the snapshot. */
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
