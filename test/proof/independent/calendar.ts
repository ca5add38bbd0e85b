import { DAY } from './core.ts';

/** A day without a time, `yyyy-MM-dd`. */
export type Day = string;
/** Where there are exchanges. */
export type Country = 'US' | 'HK';

const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
const CLOCKS = { US: clockOf('America/New_York'), HK: clockOf('Asia/Hong_Kong') };
const shown = { US: new Map<number, string>(), HK: new Map<number, string>() };

/** The day that a country has at a time, and the minutes since its midnight. */
export function localTime(country: Country, time: number): { today: Day; minute: number } {
  // One request asks for the same moment over and over.
  const known = shown[country];
  const moment = Math.floor(time / 60_000);
  const text = known.get(moment) ?? CLOCKS[country].format(time);
  if (!known.has(moment)) known.clear();
  known.set(moment, text);
  const [today = '', clock = ''] = text.split(' ');
  const [hour, minute] = clock.split(':').map(Number);
  return { today, minute: Number(hour) * 60 + Number(minute) };
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

const weekdayOf = (day: Day): number => new Date(startOf(day)).getUTCDay();

function easter(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return utcDay(Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1));
}

/** The first such weekday on a day or after it. */
const weekdayFrom = (day: Day, weekday: number): Day =>
  plusDays(day, (weekday - weekdayOf(day) + 7) % 7);

/** A holiday on a weekend moves to the Friday before or the Monday after. */
const observed = (day: Day): Day => plusDays(day, { 6: -1, 0: 1 }[weekdayOf(day)] ?? 0);

const holidaysOfUs = (year: number): readonly Day[] => [
  // Markets stay open on the last of December when New Year is a Saturday.
  weekdayOf(`${year}-01-01`) === 6 ? '' : observed(`${year}-01-01`),
  weekdayFrom(`${year}-01-15`, 1),
  weekdayFrom(`${year}-02-15`, 1),
  plusDays(easter(year), -2),
  weekdayFrom(`${year}-05-25`, 1),
  observed(`${year}-06-19`),
  observed(`${year}-07-04`),
  weekdayFrom(`${year}-09-01`, 1),
  weekdayFrom(`${year}-11-22`, 4),
  observed(`${year}-12-25`),
];

/** Days on which the exchange of Hong Kong is closed, apart from weekends; many follow the moon. */
const HOLIDAYS_OF_HK = new Set<Day>(
  `2025-01-01 2025-01-29 2025-01-30 2025-01-31 2025-04-04 2025-04-18 2025-04-21 2025-05-01 2025-05-05
   2025-07-01 2025-10-01 2025-10-07 2025-10-29 2025-12-25 2025-12-26
   2026-01-01 2026-02-17 2026-02-18 2026-02-19 2026-04-03 2026-04-06 2026-04-07 2026-05-01 2026-05-25
   2026-06-19 2026-07-01 2026-10-01 2026-10-19 2026-12-25
   2027-01-01 2027-02-08 2027-02-09 2027-03-26 2027-03-29 2027-04-05 2027-05-13 2027-06-09 2027-07-01
   2027-09-16 2027-10-01 2027-10-08 2027-12-27`.split(/\s+/),
);

const holidays = new Map<string, readonly Day[]>();

/** Whether the exchanges of a country are open on a day. */
export function isTradingDay(country: Country, day: Day): boolean {
  if ([0, 6].includes(weekdayOf(day))) return false;
  if (country === 'HK') return !HOLIDAYS_OF_HK.has(day);
  const year = day.slice(0, 4);
  const known = holidays.get(year) ?? holidaysOfUs(Number(year));
  holidays.set(year, known);
  return !known.includes(day);
}

/** Trading days from one day to another, both included, oldest first. */
export function tradingDays(country: Country, from: Day, to: Day): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) {
    if (isTradingDay(country, day)) days.push(day);
  }
  return days;
}

/** The next trading day, or with -1 the one before. */
export function tradingDayNext(country: Country, day: Day, step: 1 | -1 = 1): Day {
  const next = plusDays(day, step);
  return isTradingDay(country, next) ? next : tradingDayNext(country, next, step);
}
