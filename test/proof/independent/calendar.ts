import { DAY, times } from './core.ts';

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

/** Days on which exchanges are closed, apart from weekends; many of Hong Kong follow the moon. */
const HOLIDAYS: Readonly<Record<Country, readonly Day[]>> = {
  US: `2024-01-01 2024-01-15 2024-02-19 2024-03-29 2024-05-27 2024-06-19 2024-07-04 2024-09-02 2024-11-28
    2024-12-25 2025-01-01 2025-01-20 2025-02-17 2025-04-18 2025-05-26 2025-06-19 2025-07-04 2025-09-01 2025-11-27
    2025-12-25 2026-01-01 2026-01-19 2026-02-16 2026-04-03 2026-05-25 2026-06-19 2026-07-03 2026-09-07 2026-11-26
    2026-12-25 2027-01-01 2027-01-18 2027-02-15 2027-03-26 2027-05-31 2027-06-18 2027-07-05 2027-09-06 2027-11-25
    2027-12-24 2028-01-17 2028-02-21 2028-04-14 2028-05-29 2028-06-19 2028-07-04 2028-09-04 2028-11-23
    2028-12-25`.split(/\s+/),
  HK: `2025-01-01 2025-01-29 2025-01-30 2025-01-31 2025-04-04 2025-04-18 2025-04-21 2025-05-01 2025-05-05
    2025-07-01 2025-10-01 2025-10-07 2025-10-29 2025-12-25 2025-12-26 2026-01-01 2026-02-17 2026-02-18 2026-02-19
    2026-04-03 2026-04-06 2026-04-07 2026-05-01 2026-05-25 2026-06-19 2026-07-01 2026-10-01 2026-10-19 2026-12-25
    2027-01-01 2027-02-08 2027-02-09 2027-03-26 2027-03-29 2027-04-05 2027-05-13 2027-06-09 2027-07-01 2027-09-16
    2027-10-01 2027-10-08 2027-12-27`.split(/\s+/),
};

/** Whether the exchanges of a country are open on a day. */
export const isTradingDay = (country: Country, day: Day): boolean =>
  new Date(startOf(day)).getUTCDay() % 6 !== 0 && !HOLIDAYS[country].includes(day);

/** Trading days from one day to another, both included, oldest first. */
export const tradingDays = (country: Country, from: Day, to: Day): Day[] =>
  times(Math.max(0, (startOf(to) - startOf(from)) / DAY + 1), (n) => plusDays(from, n)).filter(
    (day) => isTradingDay(country, day),
  );

/** The next trading day, or with -1 the one before. */
export function tradingDayNext(country: Country, day: Day, step: 1 | -1 = 1): Day {
  const next = plusDays(day, step);
  return isTradingDay(country, next) ? next : tradingDayNext(country, next, step);
}
