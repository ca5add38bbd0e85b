import { DAY } from '../../spec/time.ts';
import type { Json, JsonObject } from '../world.ts';
import { dayNumber, dayOf, isoDate, nthWeekday } from './calendar.ts';
import { latest } from './memo.ts';
import { noise, round, stream, unit } from './prng.ts';

/** Macroeconomic events (§2.10, §4.6, §4.7). A row exists from its release date on (UTC). */
export interface Macro {
  readonly events: readonly string[];
  calendar(now: number): readonly Json[];
  history(event: string, now: number): readonly JsonObject[] | undefined;
}

interface MacroEvent {
  readonly name: string;
  readonly center: number;
  readonly swing: number;
  readonly decimals: number;
  /** Releases on or before a day number, newest first: at most `count` of them. */
  releases(until: number, count: number): readonly Release[];
}

/** A release and its number in the series; the number is fixed for all time. */
interface Release {
  readonly day: number;
  readonly index: number;
}

/** Rows that a history holds: more than the maximum limit of 100 (§8). */
const ROWS = 160;
/** Days ahead that the calendar shows. */
const AHEAD = 14;
/** Days back that the calendar shows. */
const BACK = 45;

function monthly(dayIn: (year: number, month: number) => number): MacroEvent['releases'] {
  return (until, count) => {
    const releases: Release[] = [];
    const date = new Date(until * DAY);
    let index = date.getUTCFullYear() * 12 + date.getUTCMonth();
    while (releases.length < count) {
      const day = dayIn(Math.floor(index / 12), (index % 12) + 1);
      if (day <= until) releases.push({ day, index });
      index -= 1;
    }
    return releases;
  };
}

function weekly(weekday: number): MacroEvent['releases'] {
  return (until, count) => {
    const last = until - ((((until + 4 - weekday) % 7) + 7) % 7);
    return Array.from({ length: count }, (_, i) => ({
      day: last - 7 * i,
      index: Math.floor((last - 7 * i) / 7),
    }));
  };
}

const onDate =
  (date: number) =>
  (year: number, month: number): number => {
    const day = dayNumber(year, month, date);
    const weekday = (((day + 4) % 7) + 7) % 7;
    // Offices release on working days: a Saturday moves to Friday, a Sunday to Monday.
    return weekday === 6 ? day - 1 : weekday === 0 ? day + 1 : day;
  };
const firstFriday = (year: number, month: number): number => nthWeekday(year, month, 5, 1);

const EVENTS: readonly MacroEvent[] = [
  { name: 'CPI YoY', center: 3.1, swing: 1.6, decimals: 1, releases: monthly(onDate(12)) },
  { name: 'Core CPI YoY', center: 3.2, swing: 1.2, decimals: 1, releases: monthly(onDate(12)) },
  { name: 'PPI MoM', center: 0.2, swing: 0.6, decimals: 1, releases: monthly(onDate(14)) },
  {
    name: 'Nonfarm Payrolls',
    center: 140_000,
    swing: 160_000,
    decimals: 0,
    releases: monthly(firstFriday),
  },
  {
    name: 'Unemployment Rate',
    center: 4.2,
    swing: 0.7,
    decimals: 1,
    releases: monthly(firstFriday),
  },
  { name: 'Retail Sales MoM', center: 0.3, swing: 0.9, decimals: 1, releases: monthly(onDate(16)) },
  {
    name: 'Core PCE Price Index YoY',
    center: 2.9,
    swing: 1,
    decimals: 1,
    releases: monthly(onDate(27)),
  },
  {
    name: 'ISM Manufacturing PMI',
    center: 49.6,
    swing: 4,
    decimals: 1,
    releases: monthly(onDate(2)),
  },
  {
    name: 'Initial Jobless Claims',
    center: 228_000,
    swing: 26_000,
    decimals: 0,
    releases: weekly(4),
  },
  {
    name: 'Michigan Consumer Sentiment',
    center: 66,
    swing: 13,
    decimals: 1,
    releases: monthly(onDate(25)),
  },
];

export function createMacro(seed: number): Macro {
  const histories = latest<readonly JsonObject[]>();
  const calendars = latest<readonly Json[]>();
  return {
    events: EVENTS.map(({ name }) => name),
    history(name, now) {
      const event = EVENTS.find((one) => one.name === name);
      const today = dayOf(now);
      return event && histories.get(name, today, () => history(seed, event, today));
    },
    calendar(now) {
      const today = dayOf(now);
      return calendars.get('', today, () => calendar(today));
    },
  };
}

function history(seed: number, event: MacroEvent, today: number): JsonObject[] {
  const source = stream(seed, 'macro', event.name);
  const surprise = stream(seed, 'macro-surprise', event.name);
  const actual = (index: number): number =>
    round(
      event.center +
        event.swing * (0.75 * noise(source, index / 7) + 0.25 * noise(source + 1, index)),
      event.decimals,
    );
  return event.releases(today, ROWS).map(({ day, index }) => ({
    date: isoDate(day),
    actual: actual(index),
    forecast: round(
      actual(index) + event.swing * 0.2 * (2 * unit(surprise, index) - 1),
      event.decimals,
    ),
    // What the release before it said.
    previous: actual(index - 1),
  }));
}

/** Events by date, newest date first, with the releases that are announced for the next two weeks. */
function calendar(today: number): Json[] {
  const byDay = new Map<number, string[]>();
  for (const event of EVENTS) {
    for (const { day } of event.releases(today + AHEAD, 12)) {
      if (day < today - BACK) continue;
      byDay.set(day, [...(byDay.get(day) ?? []), event.name]);
    }
  }
  return [...byDay]
    .toSorted(([a], [b]) => b - a)
    .map(([day, events]) => ({ date: isoDate(day), events }));
}
