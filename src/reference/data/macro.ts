import { DAY } from '../../spec/time.ts';
import type { World } from '../world.ts';
import { dayNumber, isoDate, nthWeekday, weekdayOf } from './calendar.ts';
import { daily } from './memo.ts';
import { noise, round, stream, unit } from './prng.ts';

/** Releases on or before a day, newest first: at most `count`, each with a number in the series that is fixed for all time. */
type Releases = (
  until: number,
  count: number,
) => readonly { readonly day: number; readonly index: number }[];

/** Rows that a history holds: more than the maximum limit of 100 (§8). */
const ROWS = 160;
/** Days ahead that the calendar shows: what is announced. */
const AHEAD = 14;
/** Days back that the calendar shows. */
const BACK = 45;

const monthly =
  (dayIn: (year: number, month: number) => number): Releases =>
  (until, count) => {
    const date = new Date(until * DAY);
    const newest = date.getUTCFullYear() * 12 + date.getUTCMonth();
    return Array.from({ length: count + 1 }, (_, back) => newest - back)
      .map((index) => ({ day: dayIn(Math.floor(index / 12), (index % 12) + 1), index }))
      .filter(({ day }) => day <= until)
      .slice(0, count);
  };

const weekly =
  (weekday: number): Releases =>
  (until, count) => {
    const last = until - weekdayOf(until - weekday);
    return Array.from({ length: count }, (_, back) => last - 7 * back).map((day) => ({
      day,
      index: Math.floor(day / 7),
    }));
  };

/** Offices release on working days: a Saturday moves to Friday, a Sunday to Monday. */
const onDate = (date: number): Releases =>
  monthly((year, month) => {
    const day = dayNumber(year, month, date);
    return { 6: day - 1, 0: day + 1 }[weekdayOf(day)] ?? day;
  });
const onFirstFriday = monthly((year, month) => nthWeekday(year, month, 5, 1));

type MacroEvent = readonly [center: number, swing: number, decimals: number, releases: Releases];

const EVENTS: ReadonlyMap<string, MacroEvent> = new Map<string, MacroEvent>([
  ['CPI YoY', [3.1, 1.6, 1, onDate(12)]],
  ['Core CPI YoY', [3.2, 1.2, 1, onDate(12)]],
  ['PPI MoM', [0.2, 0.6, 1, onDate(14)]],
  ['Nonfarm Payrolls', [140_000, 160_000, 0, onFirstFriday]],
  ['Unemployment Rate', [4.2, 0.7, 1, onFirstFriday]],
  ['Retail Sales MoM', [0.3, 0.9, 1, onDate(16)]],
  ['Core PCE Price Index YoY', [2.9, 1, 1, onDate(27)]],
  ['ISM Manufacturing PMI', [49.6, 4, 1, onDate(2)]],
  ['Initial Jobless Claims', [228_000, 26_000, 0, weekly(4)]],
  ['Michigan Consumer Sentiment', [66, 13, 1, onDate(25)]],
]);

/** Macroeconomic events (§2.10, §4.6, §4.7). A row exists from its release date on (UTC). */
export function createMacro(
  seed: number,
): Pick<World, 'macroEvents' | 'macroCalendar' | 'macroHistory'> {
  const calendar = daily((_key, today) => {
    const byDay = new Map<number, string[]>();
    for (const [name, [, , , releases]] of EVENTS)
      for (const { day } of releases(today + AHEAD, 12))
        if (day >= today - BACK) byDay.set(day, [...(byDay.get(day) ?? []), name]);
    return [...byDay]
      .toSorted(([a], [b]) => b - a)
      .map(([day, events]) => ({ date: isoDate(day), events }));
  });
  return {
    macroEvents: [...EVENTS.keys()],
    macroCalendar: (now) => calendar('', now),
    macroHistory: daily((name, today) => {
      const known = EVENTS.get(name);
      if (known === undefined) return undefined;
      const [center, swing, decimals, releases] = known;
      const source = stream(seed, 'macro', name);
      const surprise = stream(seed, 'macro-surprise', name);
      const actual = (index: number): number =>
        round(
          center + swing * (0.75 * noise(source, index / 7) + 0.25 * noise(source + 1, index)),
          decimals,
        );
      return releases(today, ROWS).map(({ day, index }) => ({
        date: isoDate(day),
        actual: actual(index),
        forecast: round(actual(index) + swing * 0.2 * (2 * unit(surprise, index) - 1), decimals),
        // What the release before it said.
        previous: actual(index - 1),
      }));
    }),
  };
}
