import { DAY } from './core.ts';
import HOLIDAYS from './holidays.json' with { type: 'json' };

/** A day without a time, `yyyy-MM-dd`. */
export type Day = string;
/** Where there are exchanges. */
export type Country = 'US' | 'HK';

const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
const CLOCKS = { US: clockOf('America/New_York'), HK: clockOf('Asia/Hong_Kong') };

/** The day that a country has at a time, and the minutes since its midnight. */
export function localTime(country: Country, time: number): { today: Day; minute: number } {
  const text = CLOCKS[country].format(time);
  return {
    today: text.slice(0, 10),
    minute: Number(text.slice(11, 13)) * 60 + Number(text.slice(14)),
  };
}

/** The day of a time in UTC. */
export const utcDay = (time: number): Day => new Date(time).toISOString().slice(0, 10);

/** Midnight UTC at the beginning of a day, epoch ms. */
export const startOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** A day some days later, or earlier. */
export const plusDays = (day: Day, days: number): Day => utcDay(startOf(day) + days * DAY);

/** The same day some months earlier, or the month's last when it has no such day. */
export function minusMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return utcDay(Date.UTC(year, month - 1 - months, Math.min(date, last)));
}

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOf(text) : Number.NaN;
  return !Number.isNaN(time) && utcDay(time) === text;
}

/** Whether the exchanges of a country are open on a day: neither on weekends nor on the holidays of 2024 to 2028. */
export const isTradingDay = (country: Country, day: Day): boolean =>
  new Date(startOf(day)).getUTCDay() % 6 !== 0 && !HOLIDAYS[country].includes(day);

/** The next trading day, or with -1 the one before. */
export function tradingDayNext(country: Country, day: Day, step: 1 | -1 = 1): Day {
  const next = plusDays(day, step);
  return isTradingDay(country, next) ? next : tradingDayNext(country, next, step);
}
