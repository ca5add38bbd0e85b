import { DAY, isoDay } from './time.ts';
import type { Country } from './values.ts';

/**
 * Trading calendars of the two listing countries (§4.3: weekends and holidays are not trading days): the New York Stock
 * Exchange for US, Hong Kong Exchanges for HK. Dates are `yyyy-MM-dd` in the exchange's time zone. Days with a
 * shortened session are trading days. Lunar holidays of Hong Kong are known for 2020 to 2035; outside these years only
 * rule-based holidays are reported.
 */

/** Weekday of a real calendar date, 0 for Sunday; `undefined` for anything else, such as 2026-02-30. */
function weekdayOf(isoDate: string): number | undefined {
  const time = /^(?!00)\d{4}-\d{2}-\d{2}$/.test(isoDate) ? Date.parse(isoDate) : Number.NaN;
  return Number.isNaN(time) || isoDay(time) !== isoDate ? undefined : weekday(time);
}

/** True for a Saturday or Sunday; false for other days and for invalid dates. */
export function isWeekend(isoDate: string): boolean {
  const weekday = weekdayOf(isoDate);
  return weekday === 0 || weekday === 6;
}

/**
 * Name of the holiday on which the country's exchange is closed on this weekday. `undefined` on trading days, on
 * weekends (see `isWeekend`) and for invalid dates.
 */
export function exchangeHoliday(country: Country, isoDate: string): string | undefined {
  return isWorkday(isoDate) ? holidaysOf(country, isoDate).get(isoDate) : undefined;
}

/** True for a real date from Monday to Friday. */
function isWorkday(isoDate: string): boolean {
  const weekday = weekdayOf(isoDate);
  return weekday !== undefined && weekday !== 0 && weekday !== 6;
}

/** First and last year with published holidays; others are computed. */
const PUBLISHED: Readonly<Record<Country, readonly [number, number]>> = {
  US: [2018, 2028],
  HK: [2020, 2027],
};

/** True when the exchange has published its holidays of that year. */
export function isPublished(country: Country, isoDate: string): boolean {
  const [first, last] = PUBLISHED[country];
  const year = weekdayOf(isoDate) === undefined ? Number.NaN : Number(isoDate.slice(0, 4));
  return year >= first && year <= last;
}

/** True when the country's exchange trades on this date: neither weekend nor holiday (§4.3). */
export function isTradingDay(country: Country, isoDate: string): boolean {
  return isWorkday(isoDate) && !holidaysOf(country, isoDate).has(isoDate);
}

/** True for a day on which New York may close at 13:00: around Independence Day, Thanksgiving and Christmas. */
export function mayCloseEarly(isoDate: string): boolean {
  const day = isoDate.slice(5);
  if (['07-02', '07-03', '07-05', '12-23', '12-24', '12-26', '12-31'].includes(day)) return true;
  return day >= '11-23' && day <= '11-29' && weekdayOf(isoDate) === 5;
}

const cache = new Map<string, ReadonlyMap<string, string>>();

/** Holidays of the year of a date, by date. */
function holidaysOf(country: Country, isoDate: string): ReadonlyMap<string, string> {
  const year = Number(isoDate.slice(0, 4));
  const key = `${country}${year}`;
  let holidays = cache.get(key);
  if (holidays === undefined) {
    holidays = country === 'US' ? newYork(year) : hongKong(year);
    cache.set(key, holidays);
  }
  return holidays;
}

const at = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day);
const weekday = (time: number): number => new Date(time).getUTCDay();

/** The n-th given weekday of a month; n = -1 means the last one. */
function nthWeekday(year: number, month: number, wanted: number, n: number): number {
  if (n > 0) {
    const first = at(year, month, 1);
    return first + ((wanted - weekday(first) + 7) % 7) * DAY + (n - 1) * 7 * DAY;
  }
  const last = at(year, month + 1, 1) - DAY;
  return last - ((weekday(last) - wanted + 7) % 7) * DAY;
}

/** Easter Sunday of the Gregorian calendar (the anonymous computus). */
function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  return at(year, month, ((h + l - 7 * m + 114) % 31) + 1);
}

/** Exceptional closures of the New York Stock Exchange. */
const NEW_YORK_SPECIAL: Readonly<Record<string, string>> = {
  '2018-12-05': 'National Day of Mourning',
  '2025-01-09': 'National Day of Mourning',
};

function newYork(year: number): ReadonlyMap<string, string> {
  const holidays = new Map<string, string>();
  // A holiday on a Saturday is observed on Friday, one on a Sunday on Monday.
  const observed = (time: number, name: string): void => {
    const shift = weekday(time) === 6 ? -DAY : weekday(time) === 0 ? DAY : 0;
    holidays.set(isoDay(time + shift), name);
  };
  // New Year's Day on a Saturday is not observed, because Friday is the last day of the year.
  if (weekday(at(year, 1, 1)) !== 6) observed(at(year, 1, 1), "New Year's Day");
  holidays.set(isoDay(nthWeekday(year, 1, 1, 3)), 'Martin Luther King Jr. Day');
  holidays.set(isoDay(nthWeekday(year, 2, 1, 3)), "Presidents' Day");
  holidays.set(isoDay(easterSunday(year) - 2 * DAY), 'Good Friday');
  holidays.set(isoDay(nthWeekday(year, 5, 1, -1)), 'Memorial Day');
  if (year >= 2022) observed(at(year, 6, 19), 'Juneteenth');
  observed(at(year, 7, 4), 'Independence Day');
  holidays.set(isoDay(nthWeekday(year, 9, 1, 1)), 'Labor Day');
  holidays.set(isoDay(nthWeekday(year, 11, 4, 4)), 'Thanksgiving Day');
  observed(at(year, 12, 25), 'Christmas Day');
  for (const [date, name] of Object.entries(NEW_YORK_SPECIAL)) {
    if (date.startsWith(`${year}-`)) holidays.set(date, name);
  }
  return holidays;
}

/**
 * Lunar dates as month-day: New Year (1/1), Buddha's birthday (4/8), Tuen Ng (5/5), Mid-Autumn (8/15), Chung Yeung
 * (9/9).
 */
const LUNAR: Readonly<Record<number, readonly [string, string, string, string, string]>> = {
  2020: ['01-25', '04-30', '06-25', '10-01', '10-25'],
  2021: ['02-12', '05-19', '06-14', '09-21', '10-14'],
  2022: ['02-01', '05-08', '06-03', '09-10', '10-04'],
  2023: ['01-22', '05-26', '06-22', '09-29', '10-23'],
  2024: ['02-10', '05-15', '06-10', '09-17', '10-11'],
  2025: ['01-29', '05-05', '05-31', '10-06', '10-29'],
  2026: ['02-17', '05-24', '06-19', '09-25', '10-18'],
  2027: ['02-06', '05-13', '06-09', '09-15', '10-08'],
  2028: ['01-26', '05-02', '05-28', '10-03', '10-26'],
  2029: ['02-13', '05-20', '06-16', '09-22', '10-16'],
  2030: ['02-03', '05-09', '06-05', '09-12', '10-05'],
  2031: ['01-23', '05-28', '06-24', '10-01', '10-24'],
  2032: ['02-11', '05-16', '06-12', '09-19', '10-12'],
  2033: ['01-31', '05-06', '06-01', '09-08', '10-01'],
  2034: ['02-19', '05-25', '06-20', '09-27', '10-20'],
  2035: ['02-08', '05-15', '06-10', '09-16', '10-09'],
};

/** The day of the solar term Ching Ming in April; the usual approximation, exact for 2001 to 2099. */
function chingMing(year: number): number {
  const c = year % 100;
  return Math.floor(c * 0.2422 + 4.81) - Math.floor(c / 4);
}

function hongKong(year: number): ReadonlyMap<string, string> {
  const easter = easterSunday(year);
  const named: [number, string][] = [
    [at(year, 1, 1), "New Year's Day"],
    [easter - 2 * DAY, 'Good Friday'],
    [easter + DAY, 'Easter Monday'],
    [at(year, 4, chingMing(year)), 'Ching Ming Festival'],
    [at(year, 5, 1), 'Labour Day'],
    [at(year, 7, 1), 'Establishment Day'],
    [at(year, 10, 1), 'National Day'],
    [at(year, 12, 25), 'Christmas Day'],
    [at(year, 12, 26), 'First weekday after Christmas'],
  ];
  const lunar = LUNAR[year];
  if (lunar !== undefined) {
    const [newYear, buddha, tuenNg, midAutumn, chungYeung] = lunar;
    const on = (monthDay: string): number => Date.parse(`${year}-${monthDay}T00:00:00Z`);
    named.push(
      [on(newYear), 'Lunar New Year'],
      [on(newYear) + DAY, 'Second day of Lunar New Year'],
      [on(newYear) + 2 * DAY, 'Third day of Lunar New Year'],
      [on(buddha), "Buddha's Birthday"],
      [on(tuenNg), 'Tuen Ng Festival'],
      [on(midAutumn) + DAY, 'Day after Mid-Autumn Festival'],
      [on(chungYeung), 'Chung Yeung Festival'],
    );
  }
  const holidays = new Map<string, string>();
  const moved: [number, string][] = [];
  for (const [time, name] of named) {
    if (weekday(time) === 0 || holidays.has(isoDay(time))) moved.push([time, name]);
    else holidays.set(isoDay(time), name);
  }
  // A holiday on a Sunday or on another holiday is observed on the next day that is neither.
  for (const [time, name] of moved) {
    let kept = time;
    while (weekday(kept) === 0 || holidays.has(isoDay(kept))) kept += DAY;
    holidays.set(isoDay(kept), name);
  }
  return holidays;
}
