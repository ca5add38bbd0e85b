import { textOf } from './json.ts';
import type { WindowName } from '../spec/limits.ts';
import { WINDOWS } from '../spec/limits.ts';
import { DAY } from '../spec/time.ts';
import { dayOf, monthsBefore as daysMonthsBefore, startOf } from './data/calendar.ts';
import type { Call } from './endpoints/call.ts';
import { notAllowed } from './refusal.ts';
import type { JsonObject } from './world.ts';

/** A range of time in epoch ms, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const NOTHING: Range = { from: 1, to: 0 };

/** Start of the recent window of §8 at `now`: calendar months for klines and ETFs, seven times 24 hours for news. */
export function windowStart(name: WindowName, now: number): number {
  if (name === 'news') return now - WINDOWS.news.maxMs;
  return monthsBefore(now, name === 'klines' ? 3 : 1);
}

/** 00:00 UTC on the same day `months` earlier, or on the last day of that month when it is shorter. */
export const monthsBefore = (now: number, months: number): number =>
  startOf(daysMonthsBefore(dayOf(now), months));

/** What the parameters of a range are: `start_time` and `end_time`, or `start_date` and `end_date`. */
export type RangeUnit = 'time' | 'date';

/**
 * The requested range, clamped to the recent window when there is one. Undefined when neither end was sent. Behaviour beyond
 * the window is a setting (ruling 5), with one day of tolerance for clock differences.
 */
export function askedRange(
  call: Call,
  unit: RangeUnit,
  window: WindowName | undefined,
): Range | undefined {
  const { query, settings, now } = call;
  const names = [`start_${unit}`, `end_${unit}`] as const;
  const endOf = (name: string): number | undefined => {
    const date = query.text(name);
    return date === undefined ? query.number(name) : Date.parse(date);
  };
  const [start, end] = [endOf(names[0]), endOf(names[1])];
  if (start === undefined && end === undefined) return undefined;
  if (start !== undefined && end !== undefined && start > end) {
    if (settings.invertedRange === 'empty') return NOTHING;
    throw notAllowed(names[0], start, 'The range ends before it starts.', `at most ${names[1]}`);
  }
  const earliest = window === undefined ? Number.NEGATIVE_INFINITY : windowStart(window, now);
  for (const [name, value] of [[names[0], start] as const, [names[1], end] as const]) {
    if (window === undefined || value === undefined || value >= earliest - DAY) continue;
    if (settings.beyondWindow === 'empty') return NOTHING;
    if (settings.beyondWindow === 'refuse') {
      const { text } = WINDOWS[window];
      throw notAllowed(name, value, 'The range reaches beyond the recent window.', text);
    }
  }
  return { from: Math.max(start ?? earliest, earliest), to: end ?? Number.POSITIVE_INFINITY };
}

/**
 * The rows inside the asked range, of which `limit` keeps one end (ruling 19), in their order: rows with a `timestamp` are the
 * oldest first, rows with a `date` the newest first.
 */
export function rowsInRange(
  call: Call,
  rows: readonly JsonObject[],
  unit: RangeUnit,
  window?: WindowName,
): readonly JsonObject[] {
  const range = askedRange(call, unit, window);
  const timeOf = unit === 'time' ? byTimestamp : byDate;
  const inside =
    range === undefined
      ? rows
      : rows.filter((row) => timeOf(row) >= range.from && timeOf(row) <= range.to);
  const limit = call.query.number('limit');
  if (limit === undefined || inside.length <= limit) return inside;
  const fromEnd = (call.settings.limitKeeps === 'newest') === (unit === 'time');
  return fromEnd ? inside.slice(inside.length - limit) : inside.slice(0, limit);
}

/** Time of a row that has a `timestamp` in ms. */
const byTimestamp = (row: JsonObject): number => Number(row['timestamp']);

/** Time of a row that has a `date` of the form yyyy-MM-dd. */
export const byDate = (row: JsonObject): number => Date.parse(textOf(row['date']));
