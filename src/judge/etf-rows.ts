import { DAY, HOUR } from '../spec/time.ts';
import { exchangeHoliday, isPublished, isTradingDay } from '../spec/trading-days.ts';
import { COUNTRIES, type Country } from '../spec/values.ts';
import { isJudgeable, type Context } from './context.ts';
import { isObject, type View } from './view.ts';

/** The two endpoints whose rows are trading days of ETFs (§4.3, §4.4). */
export const SUMMARY = '/etfs/summary-history';
export const HISTORY = '/etfs/{ticker}/history';

/** A row of §2.8 that is an object and has a date of the stated form. The field rules judge other rows. */
export interface DayRow {
  /** Pointer of the row in the body as sent. */
  readonly pointer: string;
  /** `yyyy-MM-dd`, a day of the calendar. */
  readonly date: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The rows of a successful answer of one of the two endpoints, in the order sent; empty for other exchanges. */
export function dayRows(view: View, context: Context): readonly DayRow[] {
  const { endpoint } = view.exchange;
  if (endpoint !== SUMMARY && endpoint !== HISTORY) return [];
  if (!view.ok || !view.isJson || view.wrapped || !isJudgeable(view, context)) return [];
  return view.records.flatMap(({ pointer, value }) => {
    if (!isObject(value)) return [];
    const { date } = value;
    return isDate(date) ? [{ pointer, date, fields: value }] : [];
  });
}

/** The rows of an ETF history; empty for other exchanges. */
export const historyRows = (view: View, context: Context): readonly DayRow[] =>
  view.exchange.endpoint === HISTORY ? dayRows(view, context) : [];

/** True for a text `yyyy-MM-dd` that is a day of the calendar between the years 1000 and 2999. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[12]\d{3}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && isoDate(time) === value;
}

/** The UTC day of an instant (epoch ms) as `yyyy-MM-dd`. */
export const isoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day `days` later. */
export const daysAfter = (date: string, days: number): string =>
  isoDate(Date.parse(date) + days * DAY);

/** Days strictly between two days, oldest first; at most 60, so that hostile dates cost nothing. */
export function daysBetween(older: string, newer: string): readonly string[] {
  const days: string[] = [];
  for (let day = daysAfter(older, 1); day < newer && days.length < 60; day = daysAfter(day, 1)) {
    days.push(day);
  }
  return days;
}

/** The newest of some dates; `yyyy-MM-dd` sorts as text. */
export function newest(rows: readonly DayRow[]): string | undefined {
  return rows
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
}

export const isCountry = (value: unknown): value is Country =>
  COUNTRIES.some((country) => country === value);

/**
 * Countries whose calendar may apply to the rows of an answer: that of the request for the summary, that of the ETF
 * list for one ETF, and both when the list does not say. A rule may only find what holds in every one of them.
 */
export function countriesOf(view: View, listed: ReadonlyMap<string, Country>): readonly Country[] {
  if (view.exchange.endpoint === SUMMARY) {
    const asked = view.query.get('country_code')?.toUpperCase();
    return isCountry(asked) ? [asked] : COUNTRIES;
  }
  const country = listed.get(view.exchange.pathParameters['ticker'] ?? '');
  return country === undefined ? COUNTRIES : [country];
}

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
export const isHoliday = (date: string, countries: readonly Country[]): boolean =>
  countries.every(
    (country) => isPublished(country, date) && exchangeHoliday(country, date) !== undefined,
  );

/**
 * When the row of a trading day must be complete, epoch ms: when the next trading day has ended everywhere. "The next
 * day" may mean any hour of it, and the next day of trading after a Friday.
 */
export function settledBy(date: string, countries: readonly Country[]): number {
  let next = daysAfter(date, 1);
  for (let days = 0; days < 21; days += 1, next = daysAfter(next, 1)) {
    if (countries.every((country) => isTradingDay(country, next))) break;
  }
  return Date.parse(next) + DAY + 12 * HOUR;
}

const TICKER_NAMES = ['ticker', 'etf_ticker'];
const COUNTRY_NAMES = ['country_code', 'country'];
const MAX_DEPTH = 6;

/**
 * Country by ticker, as far as answers of `GET /etfs` show it. The shape of the list is not stated (§2.12), so objects
 * with a ticker and a country code are looked for at any place; a ticker with two countries is left out.
 */
export function listedCountries(
  views: readonly View[],
  context: Context,
): ReadonlyMap<string, Country> {
  const found = new Map<string, Country | null>();
  for (const view of views) {
    if (view.exchange.endpoint !== '/etfs' || !view.ok || !isJudgeable(view, context)) continue;
    collect(view.body, 0, (ticker, country) => {
      const known = found.get(ticker);
      found.set(ticker, known === undefined || known === country ? country : null);
    });
  }
  return new Map([...found].flatMap(([ticker, country]) => (country ? [[ticker, country]] : [])));
}

function collect(
  value: unknown,
  depth: number,
  note: (ticker: string, country: Country) => void,
): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) collect(element, depth + 1, note);
  } else if (isObject(value)) {
    const ticker = TICKER_NAMES.map((name) => value[name]).find((one) => typeof one === 'string');
    const country = COUNTRY_NAMES.map((name) => value[name])
      .map((one) => (typeof one === 'string' ? one.toUpperCase() : one))
      .find(isCountry);
    if (typeof ticker === 'string' && country !== undefined) note(ticker, country);
    else for (const inner of Object.values(value)) collect(inner, depth + 1, note);
  }
}
