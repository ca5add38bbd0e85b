import { DAY, HOUR, isoDay } from '../spec/time.ts';
import { exchangeHoliday, isPublished, isTradingDay } from '../spec/trading-days.ts';
import { COUNTRIES, type Country } from '../spec/values.ts';
import { isJudgeable, type Context } from './context.ts';
import { objectsOf } from './values-at.ts';
import { isObject, type View } from './view.ts';

/** The two endpoints that return ETF trading days (§4.3, §4.4). */
export const SUMMARY = '/etfs/summary-history';
export const HISTORY = '/etfs/{ticker}/history';

/** A row of §2.8 with a valid date. The field rules judge all other rows. */
export interface DayRow {
  /** JSON pointer of the row in the body as sent. */
  readonly pointer: string;
  /** A calendar day, `yyyy-MM-dd`. */
  readonly date: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Rows of a successful answer from either endpoint, in the order sent; empty for other exchanges. */
export const dayRows = (view: View, context: Context): readonly DayRow[] =>
  (['etf-summary-row', 'etf-history-row'] as const)
    .flatMap((resource) => objectsOf(view, context, resource))
    .flatMap(({ pointer, value }) =>
      isDate(value['date']) ? [{ pointer, date: value['date'], fields: value }] : [],
    );

export const historyRows = (view: View, context: Context): readonly DayRow[] =>
  view.exchange.endpoint === HISTORY ? dayRows(view, context) : [];

/** Whether a value is a calendar day `yyyy-MM-dd` between the years 1000 and 2999. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[12]\d{3}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && isoDay(time) === value;
}

export const daysAfter = (date: string, days: number): string =>
  isoDay(Date.parse(date) + days * DAY);

/** Days strictly between two dates, oldest first. Capped at 60 to bound the cost of hostile dates. */
export function daysBetween(older: string, newer: string): readonly string[] {
  const days: string[] = [];
  for (let day = daysAfter(older, 1); day < newer && days.length < 60; day = daysAfter(day, 1)) {
    days.push(day);
  }
  return days;
}

/** The newest date; `yyyy-MM-dd` sorts as text. */
export function newest(rows: readonly DayRow[]): string | undefined {
  return rows
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
}

const isCountry = (value: unknown): value is Country =>
  COUNTRIES.some((country) => country === value);

/**
 * Countries whose holidays may apply: the requested one for a summary, the listed one for an ETF, or both if unknown. A
 * finding must hold for all of them.
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
 * Exchange holidays between the oldest and the newest row, which a list of trading days must not contain. Only days on
 * which all of these countries' exchanges close.
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

/** Only published calendars are certain (ruling 18). */
export const isHoliday = (date: string, countries: readonly Country[]): boolean =>
  countries.every(
    (country) => isPublished(country, date) && exchangeHoliday(country, date) !== undefined,
  );

/**
 * When the row of a trading day must be complete (epoch ms): once the next trading day has ended in every time zone.
 * "Next day" may mean any hour of it, and after a Friday the next trading day.
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
 * Country by ticker, read from `GET /etfs`. Its shape is not specified (§2.12), so this searches for any object with a
 * ticker and a country code, and drops tickers with two countries.
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
