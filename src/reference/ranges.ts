import { textOf } from './json.ts';
import type { WindowName } from '../spec/limits.ts';
import { WINDOWS } from '../spec/limits.ts';
import { DAY } from '../spec/time.ts';
import type { Call } from './endpoints/call.ts';
import { notAllowed } from './refusal.ts';
import type { JsonObject } from './world.ts';

/** Parameter names of a range: timestamps or dates. */
export type RangeNames = readonly ['start_time', 'end_time'] | readonly ['start_date', 'end_date'];

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
export function monthsBefore(now: number, months: number): number {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() - months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay));
}

/**
 * The requested range, clamped to the recent window when there is one. Undefined when neither end was sent. Behaviour beyond
 * the window is a setting (ruling 5), with one day of tolerance for clock differences.
 */
export function askedRange(
  call: Call,
  names: RangeNames,
  window: WindowName | undefined,
): Range | undefined {
  const start = endOf(call, names[0]);
  const end = endOf(call, names[1]);
  if (start === undefined && end === undefined) return undefined;
  if (start !== undefined && end !== undefined && start > end) {
    if (call.settings.invertedRange === 'empty') return NOTHING;
    throw notAllowed(names[0], start, 'The range ends before it starts.', `at most ${names[1]}`);
  }
  const earliest = window === undefined ? Number.NEGATIVE_INFINITY : windowStart(window, call.now);
  for (const [name, value] of [[names[0], start] as const, [names[1], end] as const]) {
    if (window === undefined || value === undefined || value >= earliest - DAY) continue;
    if (call.settings.beyondWindow === 'empty') return NOTHING;
    if (call.settings.beyondWindow === 'refuse') {
      const { text } = WINDOWS[window];
      throw notAllowed(name, value, 'The range reaches beyond the recent window.', text);
    }
  }
  return { from: Math.max(start ?? earliest, earliest), to: end ?? Number.POSITIVE_INFINITY };
}

function endOf(call: Call, name: string): number | undefined {
  const date = call.query.text(name);
  return date === undefined ? call.query.number(name) : Date.parse(date);
}

export interface RowOptions {
  readonly names: RangeNames;
  readonly window?: WindowName;
  /** Order of `rows`, which the answer keeps. */
  readonly order: 'oldest-first' | 'newest-first';
  /** Time of a row, epoch ms. */
  readonly at: (row: JsonObject) => number;
}

/** The rows inside the asked range, of which `limit` keeps one end (ruling 19), in the order of `rows`. */
export function rowsInRange(
  call: Call,
  rows: readonly JsonObject[],
  { names, window, order, at }: RowOptions,
): readonly JsonObject[] {
  const range = askedRange(call, names, window);
  const inside =
    range === undefined
      ? rows
      : rows.filter((row) => {
          const time = at(row);
          return time >= range.from && time <= range.to;
        });
  const limit = call.query.number('limit');
  if (limit === undefined || inside.length <= limit) return inside;
  const fromEnd = (call.settings.limitKeeps === 'newest') === (order === 'oldest-first');
  return fromEnd ? inside.slice(inside.length - limit) : inside.slice(0, limit);
}

/** Time of a row that has a `timestamp` in ms. */
export const byTimestamp = (row: JsonObject): number => Number(row['timestamp']);

/** Time of a row that has a `date` of the form yyyy-MM-dd. */
export const byDate = (row: JsonObject): number => Date.parse(textOf(row['date']));
