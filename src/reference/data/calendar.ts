import { DAY, HOUR, MINUTE } from '../../spec/time.ts';
import { isTradingDay } from '../../spec/trading-days.ts';
import type { Country } from '../../spec/values.ts';

/**
 * Days as absolute numbers: day 0 is 1970-01-01, in UTC. Values of the reference data are keyed by them, which keeps
 * histories the same when the clock moves.
 */

/** Day number of an instant (epoch ms). */
export const dayOf = (time: number): number => Math.floor(time / DAY);
/** 00:00 UTC of a day, epoch ms. */
export const startOf = (day: number): number => day * DAY;
/** The instant cut to its minute: the resolution at which live figures move. */
export const minuteOf = (time: number): number => Math.floor(time / MINUTE) * MINUTE;
/** A day as `yyyy-MM-dd`. */
export const isoDate = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
/** Day number of a calendar date; `month` counts from 1. */
export const dayNumber = (year: number, month: number, date: number): number =>
  Date.UTC(year, month - 1, date) / DAY;
/** 0 for Sunday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

/** The same date so many calendar months earlier; the last day of a shorter month (§8: "most recent 3 months"). */
export function monthsBefore(day: number, months: number): number {
  const date = new Date(day * DAY);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + 1 - months;
  const lastDate = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return dayNumber(year, month, Math.min(date.getUTCDate(), lastDate));
}

/** The n-th given weekday (0 Sunday) of a month, as a day number. */
export function nthWeekday(year: number, month: number, weekday: number, n: number): number {
  const first = dayNumber(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7;
}

const known = { US: new Map<number, boolean>(), HK: new Map<number, boolean>() };

/** Whether the country's exchange trades on this day. Every ETF asks for the same years. */
export function tradesOn(country: Country, day: number): boolean {
  const trades = known[country].get(day) ?? isTradingDay(country, isoDate(day));
  known[country].set(day, trades);
  return trades;
}

/** Days from `first` to `last`, both included. */
export const daysFrom = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** Those on which the country's exchange trades. */
export const tradingDays = (country: Country, first: number, last: number): number[] =>
  daysFrom(first, last).filter((day) => tradesOn(country, day));

/** Opening hours of a trading day, epoch ms. */
export interface Session {
  readonly opens: number;
  readonly closes: number;
}

/**
 * New York trading hours of a day: 09:30 to 16:00 local time, which summer time (second Sunday of March to first Sunday
 * of November) moves in UTC. Shortened sessions are not modelled.
 */
export function newYorkSession(day: number): Session {
  const year = new Date(day * DAY).getUTCFullYear();
  const summer = day >= nthWeekday(year, 3, 0, 2) && day < nthWeekday(year, 11, 0, 1);
  const offset = summer ? 4 : 5;
  return {
    opens: startOf(day) + (9.5 + offset) * HOUR,
    closes: startOf(day) + (16 + offset) * HOUR,
  };
}
