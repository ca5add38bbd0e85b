import { isDay, startOf, utcDay, type Day } from './calendar.ts';
import { dayParam, integer, limited, named, rangeOf, type Call, type Endpoints } from './call.ts';
import { at, DAY, HOUR, random, times } from './core.ts';
import NAMES from './names.json' with { type: 'json' };
import { figures, slugOf } from './texts.ts';
import type { World } from './world.ts';

/** All events of the calendar; `name` is what paths take. */
export const macroEvents = (world: World) =>
  times(world.count('macro'), (index) => {
    const { events, places } = NAMES;
    const title = events[index] ?? `${at(events, index)} (${at(places, index)} ${index})`;
    const name = world.of('event-names', {
      words: title,
      slug: slugOf(title),
      unicode: `${title} – 発表`,
      signs: `${title} (y/y) & +50%?`,
    });
    return { name, title, index };
  });

/** All releases of an event, newest first. */
function releases(world: World, event: number, now: number) {
  const step = 28;
  // Releases are on fixed days of the calendar, whenever they are asked for.
  const last = Math.floor((now / DAY - event) / step) * step + event;
  const figure = (n: number): number =>
    Number((random('macro', world.seed, event, n).next() * 6 - 1).toFixed(1));
  const release = (number: number, again: number) => ({
    time: number * DAY + (12.5 - again * 4) * HOUR,
    actual: figure(number + again / 2),
    forecast: figure(number + 0.3),
    previous: figure(number - step),
  });
  const lacks = event === 0 ? 0 : 70;
  const sizes = { all: 70, 'first-without': lacks, none: 0, short: 2, long: 260 };
  const size = world.of('macro-history', sizes);
  const twice = world.is('macro-twice', 'yes');
  const past = times(size, (n) =>
    times(twice && n % 5 === 1 ? 2 : 1, (again) => release(last - n * step, again)),
  ).flat();
  if (size === 0 || world.is('macro-unreleased', 'none')) return past;
  const forecast = world.is('macro-unreleased', 'forecast-too') ? null : 2.1;
  const time = (last + step) * DAY + 12.5 * HOUR;
  return [{ time, actual: null, forecast, previous: figure(last) }, ...past];
}

/** A date of a macro row. */
const dateOf = (world: World, time: number): string =>
  world.of('macro-dates', {
    dashes: utcDay(time),
    compact: utcDay(time).replaceAll('-', ''),
    iso: new Date(time).toISOString(),
    'ms-text': String(time),
    words: new Date(time).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' }),
  });

/** The day that a text of a range means; undefined when it is none. */
function dayOf(text: string, world: World): Day | undefined {
  const dashes = world.is('macro-dates', 'dashes') || world.is('macro-range', 'dashes-too');
  if (isDay(text)) return dashes ? text : undefined;
  const isDate = !Number.isNaN(Date.parse(text));
  return world.of('macro-dates', {
    dashes: undefined,
    compact: /^\d{8}$/.test(text) ? text.replace(/(....)(..)(..)/, '$1-$2-$3') : undefined,
    iso: isDate ? utcDay(Date.parse(text)) : undefined,
    'ms-text': /^\d{13}$/.test(text) ? utcDay(Number(text)) : undefined,
    words: isDate ? utcDay(Date.parse(text) + 12 * HOUR) : undefined,
  });
}

function history(call: Call): unknown {
  const { world, now } = call;
  const events = macroEvents(world);
  const event = named(call, 'Event', 'event', events, (one, name) => one.name === name);
  const isWanted = rangeOf(call, 'date', 'all');
  const found = releases(world, event.index, now).filter(({ time }) =>
    isWanted(startOf(utcDay(time))),
  );
  const rows = limited(call, found).map(({ time, ...numbers }) => ({
    date: dateOf(world, time),
    ...figures(world, numbers),
  }));
  return world.is('macro-order', 'newest') ? rows : rows.toReversed();
}

/** The endpoint of macroeconomic releases. */
export const MACRO: Endpoints = {
  '/macro/events/{event}/history': {
    params: {
      start_date: dayParam(dayOf),
      end_date: dayParam(dayOf),
      limit: integer(50, { most: 100 }),
    },
    answer: history,
  },
};
