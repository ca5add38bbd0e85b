import { DAY } from '../core/clock.ts';

/** A day without a time, `yyyy-MM-dd`. */
export type Day = string;
export type Country = 'US' | 'HK';

const ZONES: Readonly<Record<Country, string>> = { US: 'America/New_York', HK: 'Asia/Hong_Kong' };

const formats = new Map<string, Intl.DateTimeFormat>();

let kept = { time: Number.NaN, zone: '', parts: {} as Record<string, string> };

/** Year to minute in a zone. The last answer is kept: one request asks for the same moment over and over. */
function parts(time: number, zone: string): Record<string, string> {
  const minute = Math.floor(time / 60_000);
  if (kept.time === minute && kept.zone === zone) return kept.parts;
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(zone, format);
  }
  const found = format.formatToParts(time).map(({ type, value }) => [type, value] as const);
  kept = { time: minute, zone, parts: Object.fromEntries(found) };
  return kept.parts;
}

/** The day that a country has at a time. */
export function dayIn(country: Country, time: number): Day {
  const { year, month, day } = parts(time, ZONES[country]);
  return `${year}-${month}-${day}`;
}

/** Minutes since midnight in a country. */
export function minuteIn(country: Country, time: number): number {
  const { hour, minute } = parts(time, ZONES[country]);
  return Number(hour) * 60 + Number(minute);
}

/** The day of a time in UTC. */
export function utcDay(time: number): Day {
  return new Date(time).toISOString().slice(0, 10);
}

/** Midnight UTC at the beginning of a day, epoch ms. */
export function startOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** A day some days later, or earlier. */
export function plusDays(day: Day, days: number): Day {
  return utcDay(startOf(day) + days * DAY);
}

/** The same day some months earlier, or the month's last when it has no such day. */
export function minusMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return utcDay(Date.UTC(year, month - 1 - months, Math.min(date, last)));
}

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && utcDay(time) === text;
}

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

function nth(year: number, month: number, weekday: number, count: number): Day {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return utcDay(Date.UTC(year, month - 1, 1 + ((weekday - first + 7) % 7) + 7 * (count - 1)));
}

function lastMonday(year: number, month: number): Day {
  const last = new Date(Date.UTC(year, month, 0));
  return plusDays(utcDay(last.getTime()), -((last.getUTCDay() + 6) % 7));
}

/** A holiday on a weekend moves to the Friday before or the Monday after. */
function observed(day: Day): Day {
  const weekday = new Date(startOf(day)).getUTCDay();
  if (weekday === 6) return plusDays(day, -1);
  return weekday === 0 ? plusDays(day, 1) : day;
}

function holidaysOfUs(year: number): Day[] {
  const newYear = `${year}-01-01`;
  return [
    // Markets stay open on the last of December when New Year is a Saturday.
    new Date(startOf(newYear)).getUTCDay() === 6 ? newYear : observed(newYear),
    nth(year, 1, 1, 3),
    nth(year, 2, 1, 3),
    plusDays(easter(year), -2),
    lastMonday(year, 5),
    observed(`${year}-06-19`),
    observed(`${year}-07-04`),
    nth(year, 9, 1, 1),
    nth(year, 11, 4, 4),
    observed(`${year}-12-25`),
  ];
}

/** Days on which the exchange of Hong Kong is closed, apart from weekends; many follow the moon. */
const HOLIDAYS_OF_HK = new Set<Day>(
  `2025-01-01 2025-01-29 2025-01-30 2025-01-31 2025-04-04 2025-04-18 2025-04-21 2025-05-01 2025-05-05
   2025-07-01 2025-10-01 2025-10-07 2025-10-29 2025-12-25 2025-12-26
   2026-01-01 2026-02-17 2026-02-18 2026-02-19 2026-04-03 2026-04-06 2026-04-07 2026-05-01 2026-05-25
   2026-06-19 2026-07-01 2026-10-01 2026-10-19 2026-12-25
   2027-01-01 2027-02-08 2027-02-09 2027-03-26 2027-03-29 2027-04-05 2027-05-13 2027-06-09 2027-07-01
   2027-09-16 2027-10-01 2027-10-08 2027-12-27`.split(/\s+/),
);

const holidays = new Map<number, ReadonlySet<Day>>();

/** Whether the exchanges of a country are open on a day. */
export function isTradingDay(country: Country, day: Day): boolean {
  const weekday = new Date(startOf(day)).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  if (country === 'HK') return !HOLIDAYS_OF_HK.has(day);
  const year = Number(day.slice(0, 4));
  let known = holidays.get(year);
  if (known === undefined) {
    known = new Set(holidaysOfUs(year));
    holidays.set(year, known);
  }
  return !known.has(day);
}

/** Trading days from one day to another, both included, oldest first. */
export function tradingDays(country: Country, from: Day, to: Day): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) {
    if (isTradingDay(country, day)) days.push(day);
  }
  return days;
}

/** The trading day before a day. */
export function tradingDayBefore(country: Country, day: Day): Day {
  let before = plusDays(day, -1);
  while (!isTradingDay(country, before)) before = plusDays(before, -1);
  return before;
}

/** The trading day after a day. */
export function tradingDayAfter(country: Country, day: Day): Day {
  let after = plusDays(day, 1);
  while (!isTradingDay(country, after)) after = plusDays(after, 1);
  return after;
}
